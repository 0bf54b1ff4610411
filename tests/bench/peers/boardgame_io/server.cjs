// boardgame.io's server as it comes: matches in memory.
const { Server } = require("boardgame.io/server");
const { Count } = require("./game.cjs");

const server = Server({ games: [Count], origins: [/.*/] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("ready") });
