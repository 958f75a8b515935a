// Compiled functions for translated modules: arrays and tuples as `kernels.js` takes and gives them.

import { P, Tuple } from "./python.js";
import { NdArray, np } from "./numpy.js";

const LARGE = 1 << 15; // bytes; larger tables in a tuple are copied into the memory of kernels once
const GAME = /^lama_odds\.games\.(lama|dice|pikomino|noprob)\./;

const games = new Map(); // the kernels of each game that was loaded
let current = null; // those of the game that is asked about, for functions that games share

/** Names the game that is asked about; its kernels must be there. */
export function use(game) {
  current = games.get(game);
}

export const isThere = (game) => games.has(game);
export const add = (game, kernels) => games.set(game, kernels);

/** An argument as kernels take it; inside: in a tuple of tables, where nothing is written to. */
export function passed(x, inside = false) {
  if (x instanceof NdArray) {
    const whole = x.isWhole && x.offset === 0 && x.data.length === x.size;
    const data = whole ? x.data : x.stored();
    const dtype = x.dtype.name === "bool_" ? "bool" : x.dtype.name;
    return { dtype, shape: [...x.$shape], data, constant: whole && inside && data.byteLength >= LARGE };
  }
  if (x instanceof Tuple || Array.isArray(x)) return Array.from(x, (part) => passed(part, true));
  return x;
}
const made = (x) => {
  if (Array.isArray(x)) return P.tuple(x.map(made));
  if (x === null || typeof x !== "object" || x.data === undefined) return x;
  return new NdArray(np[x.dtype === "bool" ? "bool_" : x.dtype], [...x.shape], x.data);
};
/** Brings what a kernel wrote to a copy of an array back into it. */
function returned(x, given) {
  if (!(x instanceof NdArray) || given.data === x.data || x.isWhole) return;
  x.places().forEach((at, i) => { x.data[at] = given.data[i]; });
}

P.kernel = (name) => {
  const own = GAME.exec(name)?.[1];
  const call = (...given) => {
    const kernels = own ? games.get(own) : current;
    const taken = given.map((x) => passed(x));
    const found = kernels.call(name, taken);
    given.forEach((x, at) => returned(x, taken[at]));
    return made(found);
  };
  return Object.assign(call, { $kernel: name });
};
