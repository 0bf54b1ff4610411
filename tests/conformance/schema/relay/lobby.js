// The lobby: pages of a connection, a subscription that adds and deletes, a mutation that prepends.
import { graphql } from 'react-relay';

graphql`
  fragment lobby_rooms on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "lobbyPageQuery") {
    rooms(first: $count, after: $cursor) @connection(key: "lobby_rooms") {
      edges {
        node { id ...lobby_room }
      }
    }
  }
`;

graphql`
  fragment lobby_room on Room @refetchable(queryName: "lobbyRoomQuery") {
    code
    status
    seats
    game { id name }
    options { key value }
    host { displayName }
    members { role ready player { id displayName } }
  }
`;

graphql`
  query lobbyQuery {
    me { id displayName }
    ...lobby_rooms
  }
`;

graphql`
  subscription lobbySubscription($connections: [ID!]!) {
    lobbyUpdates {
      snapshot
      added @prependNode(connections: $connections, edgeTypeName: "RoomEdge") { ...lobby_room }
      changed { ...lobby_room }
      removed @deleteRecord
    }
  }
`;

graphql`
  mutation lobbyCreateRoomMutation($input: CreateRoomInput!, $connections: [ID!]!) {
    createRoom(input: $input) {
      room @prependNode(connections: $connections, edgeTypeName: "RoomEdge") { ...lobby_room }
      userErrors { code message path }
    }
  }
`;
