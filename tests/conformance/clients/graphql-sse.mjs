// graphql-sse in its mode of distinct connections.
import { createClient } from 'graphql-sse';
import { dataOf, feed } from './feed.mjs';

export default function connect({ streamUrl, token }) {
  const client = createClient({
    url: streamUrl,
    retryAttempts: 0,
    headers: async () => ({ authorization: `Bearer ${await token()}` }),
  });
  const results = (request) => feed((sink) => client.subscribe(request, sink));
  return {
    async query(request) {
      for await (const result of results(request)) return dataOf(result);
    },
    async *subscribe(request) {
      for await (const result of results(request)) yield dataOf(result);
    },
  };
}
