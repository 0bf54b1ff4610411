// The smallest game that hands the turn over: each move counts.
exports.Count = {
  name: "count",
  setup: () => ({ moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { go: ({ G }) => ({ ...G, moves: G.moves + 1 }) },
};
