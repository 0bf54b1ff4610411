// graphql-ws, which itself connects again: it must judge each of our close codes as no reason to
// give up. The variables are read anew for each connection, so the feed resumes where it broke.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { dataOf, feed } from './feed.mjs';

export default function connect({ wsUrl, token }) {
  const client = createClient({
    url: wsUrl,
    webSocketImpl: WebSocket,
    connectionParams: async () => ({ token: await token() }),
    retryWait: () => Promise.resolve(),
    on: { closed: ({ code }) => console.log(JSON.stringify({ broken: 'socket', why: `${code}` })) },
  });
  const results = (request) => feed((sink) => client.subscribe(request, sink));
  return {
    async query(request) {
      for await (const result of results(request)) return dataOf(result);
    },
    async *subscribe(request) {
      for await (const result of results(request)) {
        const data = dataOf(result);
        if (data.matchUpdates) request.variables.after = data.matchUpdates.version;
        yield data;
      }
    },
  };
}
