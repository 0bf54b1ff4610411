// One subscription of graphql-ws that lives on over reconnects: `node resume.mjs <ws url> <query>`
// prints `connected`, `closed <code>` and `next <json>` as they happen, until it is killed.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, query] = process.argv.slice(2);
const client = createClient({
  url,
  webSocketImpl: WebSocket,
  retryAttempts: 5,
  retryWait: () => Promise.resolve(),
  shouldRetry: () => true,
  // Asked again for each connection: where a real client fetches a fresh token.
  connectionParams: () => ({ locale: 'en' }),
  on: {
    connected: () => console.log('connected'),
    closed: ({ code }) => console.log(`closed ${code}`),
  },
});
for await (const result of client.iterate({ query })) {
  console.log(`next ${JSON.stringify(result)}`);
}
