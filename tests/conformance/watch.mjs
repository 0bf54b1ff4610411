// A client that watches a room and a match for as long as it lives, over whatever happens to its
// connection: `node watch.mjs <settings as JSON>` says what it sees, one JSON line each:
//   {"query": <data>}                what a query through the same client gave
//   {"room": <revision>}             an update of the room
//   {"match": [<from>, <version>]}   an update of the match, which it resumes after a break
//   {"broken": <feed>, "why": ...}   a feed has ended; it subscribes again
import { once } from 'node:events';

const settings = JSON.parse(process.argv[2]);
const { default: connect } = await import(`./clients/${settings.client}.mjs`);

const say = (line) => console.log(JSON.stringify(line));

const REFRESH = `mutation Refresh($token: String!) {
  refreshSession(input: { refreshToken: $token }) { session { accessToken refreshToken expiresAt } }
}`;
let session = settings.session;
let refreshing;

async function refreshed() {
  const response = await fetch(settings.signInUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: REFRESH, variables: { token: session.refreshToken } }),
  });
  session = (await response.json()).data.refreshSession.session;
}

// The access token, renewed first where it has expired: asked for at every connection.
async function token() {
  if (Date.parse(session.expiresAt) <= Date.now()) {
    refreshing ??= refreshed().finally(() => (refreshing = undefined));
    await refreshing;
  }
  return session.accessToken;
}

async function follow(feed, query, variables, take) {
  for (;;) {
    let why = 'completed';
    try {
      for await (const data of client.subscribe({ query, variables: variables() })) take(data);
    } catch (error) {
      const cause = error.networkError ?? error;
      why = `${cause.code ?? ''} ${cause.message ?? cause.reason}`;
    }
    say({ broken: feed, why });
  }
}

const client = connect({ ...settings, token });
say({ query: await client.query({ query: '{ me { displayName } }' }) });

const ROOM = 'subscription Room($id: ID!) { roomUpdates(roomId: $id) { id revision } }';
follow('room', ROOM, () => ({ id: settings.roomId }), ({ roomUpdates }) =>
  say({ room: roomUpdates.revision }),
);

const MATCH = `subscription Match($id: ID!, $after: Int) {
  matchUpdates(matchId: $id, after: $after) { fromVersion version events { __typename } }
}`;
let seen;
follow('match', MATCH, () => ({ id: settings.matchId, after: seen }), ({ matchUpdates }) => {
  seen = matchUpdates.version;
  say({ match: [matchUpdates.fromVersion, seen] });
});
await once(process, 'never');
