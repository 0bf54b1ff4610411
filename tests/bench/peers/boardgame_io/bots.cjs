// Two bots in each of so many matches: each moves as soon as it is its turn, for so many moves.
// Prints how long it took, and how long each move took to reach the other player.
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Count } = require("./game.cjs");

const [url, matches, moves] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

async function create() {
  const answer = await fetch(`${url}/games/count/create`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ numPlayers: 2 }),
  });
  const { matchID } = await answer.json();
  const seats = [];
  for (const playerID of ["0", "1"]) {
    const joined = await fetch(`${url}/games/count/${matchID}/join`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ playerID, playerName: playerID }),
    });
    seats.push((await joined.json()).playerCredentials);
  }
  return { matchID, seats };
}

function play({ matchID, seats }, latencies) {
  return new Promise((resolve) => {
    let sent = 0n;
    let done = -1;
    let nudge = null;
    const clients = seats.map((credentials, seat) => {
      const client = Client({
        game: Count,
        numPlayers: 2,
        matchID,
        playerID: String(seat),
        credentials,
        multiplayer: SocketIO({ server: url }),
        debug: false,
      });
      client.subscribe((state) => {
        if (!state || !state.isConnected || Number(state.ctx.currentPlayer) !== seat) return;
        const { moves: count } = state.G;
        if (count % 2 !== seat) return; // one's own move, shown before the server has judged it
        if (count <= done) return; // the same state, told again
        done = count;
        if (count > 0) latencies.push(Number(process.hrtime.bigint() - sent) / 1e6);
        if (count >= moves) {
          clearInterval(nudge);
          clients.forEach((each) => each.stop());
          resolve();
          return;
        }
        sent = process.hrtime.bigint();
        setImmediate(() => client.moves.go());
      });
      return client;
    });
    clients.forEach((client) => client.start());
    // A move that the server has dropped is made again.
    nudge = setInterval(() => {
      if (Number(process.hrtime.bigint() - sent) < 1e9) return;
      clients.forEach((client, seat) => {
        const state = client.getState();
        if (state && Number(state.ctx.currentPlayer) === seat) client.moves.go();
      });
    }, 1000);
  });
}

(async () => {
  const tables = [];
  for (let i = 0; i < matches; i += 1) tables.push(await create());
  const latencies = [];
  process.stdout.write("created\n");
  await new Promise((go) => process.stdin.once("data", go));
  const began = process.hrtime.bigint();
  await Promise.all(tables.map((table) => play(table, latencies)));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(share * (latencies.length - 1))];
  console.log(JSON.stringify({ seconds, moves: latencies.length, p50: at(0.5), p99: at(0.99) }));
  process.exit(0);
})();
