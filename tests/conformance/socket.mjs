// The reference client graphql-ws against any server: `node socket.mjs <ws url> [<token>]`.
// Uses nothing of the schema, prints one JSON line and fails at the first broken expectation.
import assert from 'node:assert/strict';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, token] = process.argv.slice(2);
const seen = { connected: 0, pongs: 0, closed: [] };
let pinged;
const ponged = new Promise((resolve) => (pinged = resolve));

const client = createClient({
  url,
  webSocketImpl: WebSocket,
  lazy: false,
  retryAttempts: 0,
  keepAlive: 50,
  connectionParams: token ? { token } : undefined,
  on: {
    connected: () => (seen.connected += 1),
    closed: ({ code }) => seen.closed.push(code),
    pong: (received) => {
      seen.pongs += 1;
      if (received) pinged();
    },
  },
});

async function all(request) {
  const results = [];
  for await (const result of client.iterate(request)) results.push(result);
  return results;
}

async function refused(request, code) {
  const errors = await all(request).then(
    () => assert.fail(`accepted: ${request.query}`),
    (reason) => reason,
  );
  assert.ok(Array.isArray(errors), `the socket broke: ${errors}`);
  assert.equal(errors[0].extensions.code, code);
}

const query = 'query A { __typename } query B($yes: Boolean!) { name: __typename @include(if: $yes) }';
assert.deepEqual(await all({ query: '{ __typename }' }), [{ data: { __typename: 'Query' } }]);
assert.deepEqual(
  await all({ query, operationName: 'B', variables: { yes: true }, extensions: { trace: 1 } }),
  [{ data: { name: 'Query' } }],
);
await refused({ query: '{' }, 'GRAPHQL_PARSE_FAILED');
await refused({ query: '{ thereIsNoSuchField }' }, 'GRAPHQL_VALIDATION_FAILED');
await refused({ query }, 'OPERATION_RESOLUTION_FAILURE');
await refused({ query, operationName: 'C' }, 'OPERATION_RESOLUTION_FAILURE');
await refused({ query: `{${' __typename'.repeat(4000)} }` }, 'TOO_MANY_TOKENS');
await ponged;
assert.deepEqual(
  await Promise.all(Array.from({ length: 20 }, () => all({ query: '{ __typename }' }))),
  Array.from({ length: 20 }, () => [{ data: { __typename: 'Query' } }]),
);

// All of it on one socket, which ends when the client says so.
assert.deepEqual([seen.connected, seen.closed], [1, []]);
await client.dispose();
console.log(JSON.stringify({ connected: seen.connected }));
