// urql: queries with the Accept header it always sends, subscriptions over graphql-ws or as events.
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { dataOf, feed } from './feed.mjs';

export default function connect({ url, wsUrl, streamUrl, token, events }) {
  let held;
  const socket = createClient({
    url: wsUrl,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: async () => ({ token: await token() }),
  });
  const overSocket = subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
    }),
  });
  const client = new Client({
    url,
    preferGetMethod: false,
    exchanges: events ? [fetchExchange] : [overSocket, fetchExchange],
    fetchSubscriptions: Boolean(events),
    fetchOptions: () => ({ headers: { authorization: `Bearer ${held}` } }),
  });
  return {
    async query({ query }) {
      held = await token();
      return dataOf(await client.query(query, {}).toPromise());
    },
    async *subscribe({ query, variables }) {
      held = await token();
      const context = events ? { url: streamUrl } : {};
      const started = feed((sink) => {
        const results = client.subscription(query, variables, context);
        const take = (result) =>
          // The last result of events that end is the one before it, said again.
          result.hasNext === false && !result.error ? sink.complete() : sink.next(result);
        return results.subscribe(take).unsubscribe;
      });
      for await (const result of started) yield dataOf(result);
    },
  };
}
