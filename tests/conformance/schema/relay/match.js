// A match: fetched anew by its id, followed, played; and a player's history, page by page.
import { graphql } from 'react-relay';

graphql`
  fragment match_board on Match
  @argumentDefinitions(after: { type: "Int", defaultValue: 0 })
  @refetchable(queryName: "matchBoardQuery") {
    status
    version
    seats { index player { displayName } }
    view {
      serverTime
      ... on MarbleView { phase current players { seat cash pos } }
      ... on NumberTilesView { stage: phase turnOf: current table { setId reading { tileIds } } }
    }
    events(after: $after, first: 50) {
      nodes { __typename version index }
      version
      hasNextPage
    }
  }
`;

graphql`
  query matchQuery($id: ID!) {
    node(id: $id) { ...match_board @alias(as: "board") }
  }
`;

graphql`
  subscription matchSubscription($matchId: ID!, $after: Int) {
    matchUpdates(matchId: $matchId, after: $after) {
      fromVersion
      version
      events { __typename version index ... on MarbleRolled { seat dice } }
      view { serverTime }
    }
  }
`;

graphql`
  mutation matchRollMutation($input: MarbleRollInput!) {
    marbleRoll(input: $input) {
      version
      userErrors { code message path }
    }
  }
`;

graphql`
  fragment match_history on Player
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "matchHistoryPageQuery") {
    matches(first: $count, after: $cursor) @connection(key: "match_history_matches") {
      edges { node { id startedAt result { summary ranking { rank seat } } } }
    }
  }
`;

graphql`
  query matchHistoryQuery($player: ID!) {
    player(id: $player) { ...match_history }
  }
`;
