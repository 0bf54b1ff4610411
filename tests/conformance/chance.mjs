// A second verifier, written from docs/chance.md and docs/verification.md alone: `node chance.mjs docs`.
// Deals and rolls the matches of docs/vectors from their seeds, compares what their events show, and
// prints how many draws of each game were compared.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sha256 = (...parts) => parts.reduce((h, p) => h.update(p), createHash('sha256')).digest();

function stream(seed) {
  let taken = 0;
  const word = () => {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(taken / 8)));
    return sha256(seed, counter).readUInt32BE(4 * (taken++ % 8));
  };
  const draw = (n) => {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      const found = word();
      if (found < limit) return found % n;
    }
  };
  const shuffle = (list) => {
    const out = [...list];
    for (let i = out.length - 1; i >= 1; i -= 1) {
      const j = draw(i + 1);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  };
  const dice = (count) => Array.from({ length: count }, () => 1 + draw(6));
  return { draw, shuffle, dice };
}

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

function marble(match, chance) {
  const seats = range(0, match.players.length - 1);
  const events = match.log.flatMap((row) => row.events);
  const of = (type) => events.filter((event) => event.type === type);
  assert.deepEqual(of('GameStarted')[0].order, chance.shuffle(seats));
  const deck = chance.shuffle(range(1, 20).map((n) => `L${String(n).padStart(2, '0')}`));
  let compared = 1;
  for (const event of events) {
    if (event.type === 'Rolled') assert.deepEqual(event.dice, chance.dice(2));
    else if (event.type === 'CardDrawn') {
      assert.equal(event.card, deck.shift());
      if (!event.kept) deck.push(event.card);
    } else continue;
    compared += 1;
  }
  return compared;
}

function tiles(match, chance) {
  const suits = ['K', 'R', 'B', 'O'];
  const all = suits.flatMap((suit) => range(1, 13).flatMap((n) => [`${suit}${n}a`, `${suit}${n}b`]));
  all.push('JK1', 'JK2');
  const events = match.log.flatMap((row) => row.events);
  const drawn = events.find(({ type }) => type === 'StarterDrawn').draws.map((each) => each.tile_id);
  assert.deepEqual(drawn, chance.shuffle(all).slice(0, drawn.length));
  const pool = chance.shuffle(all);
  let compared = drawn.length;
  for (const event of events) {
    if (event.type !== 'TilesDealt' && event.type !== 'TilesDrawn') continue;
    assert.deepEqual(event.tile_ids, pool.splice(0, event.count));
    compared += event.count;
  }
  return compared;
}

const docs = process.argv[2];
const seen = {};
for (const [name, check] of Object.entries({ marble, number_tiles: tiles })) {
  const match = JSON.parse(readFileSync(join(docs, 'vectors', `${name}.json`), 'utf8'));
  const seed = Buffer.from(match.seed, 'hex');
  assert.equal(sha256(seed).toString('hex'), match.seedCommitment);
  seen[name] = check(match, stream(seed));
}
console.log(JSON.stringify(seen));
