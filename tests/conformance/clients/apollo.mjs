// Apollo Client: queries over HTTP, subscriptions over GraphQLWsLink or as multipart responses.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { dataOf, feed } from './feed.mjs';

globalThis.WebSocket ??= WebSocket; // the link compares with its constants; Node 20 has none

export default function connect({ url, wsUrl, streamUrl, token, multipart }) {
  const authorized = new SetContextLink(async ({ headers }) => ({
    headers: { ...headers, authorization: `Bearer ${await token()}` },
  }));
  const http = (uri) => authorized.concat(new HttpLink({ uri }));
  const socket = () =>
    new GraphQLWsLink(
      createClient({
        url: wsUrl,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: async () => ({ token: await token() }),
      }),
    );
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      multipart ? http(streamUrl) : socket(),
      http(url),
    ),
  });
  return {
    async query({ query }) {
      return dataOf(await client.query({ query: gql(query) }));
    },
    async *subscribe({ query, variables }) {
      const results = client.subscribe({
        query: gql(query),
        variables,
        fetchPolicy: 'no-cache',
      });
      const started = feed((sink) => {
        const subscription = results.subscribe(sink);
        return () => subscription.unsubscribe();
      });
      for await (const result of started) yield dataOf(result);
    },
  };
}
