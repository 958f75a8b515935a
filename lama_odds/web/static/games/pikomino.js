// Pikomino: what one enters, in which order, and how it is written.

import { tile, wormDie } from "../base/faces.js";
import { faces, joined, others, ranged, ranges, text, words } from "../base/notation.js";
import { t } from "../base/texts.js";

const KNOWN = ["kept", "rolled", "centre", "own", "tops"];
const FACES = ["1", "2", "3", "4", "5", "W"];
const NONE = "-";

/** All tiles of an edition, as text. */
function tiles({ values }) {
  return Array.from({ length: values.tiles }, (_, i) => String(values.low + i));
}

/** How many worms a tile has. */
function worms(value, { values }) {
  return values.worms[Math.floor(((Number(value) - values.low) * values.worms.length) / values.tiles)];
}

const held = (state) => [state.own, ...state.others.map((other) => other.top)].filter((name) => name !== NONE);

export const game = {
  name: "pikomino",
  face: wormDie,
  holds: ["kept", "rolled"],
  shape: (takes, edition) => (takes === "tile" ? (value) => tile(value, worms(value, edition)) : wormDie),
  word: t.faces.pikomino,

  start(edition, players) {
    const others = Array.from({ length: players - 1 }, this.other);
    return { kept: [], rolled: [], centre: tiles(edition), own: NONE, others, rest: {} };
  },

  other: () => ({ top: NONE }),

  fromText(position, edition, players) {
    const found = words(position);
    const state = this.start(edition, players);
    if (found.tops) state.others = found.tops.split(",").map((top) => ({ top }));
    state.own = found.own ?? NONE;
    state.kept = faces(found.kept);
    state.rolled = faces(found.rolled);
    state.centre = found.centre === undefined ? rest(edition, state) : ranges(found.centre).map(String);
    return { ...state, rest: others(found, KNOWN) };
  },

  toText(state, edition) {
    const stacks = state.rest.stacks !== undefined;
    const usual = ranged(rest(edition, state));
    const centre = ranged(state.centre);
    return joined({
      kept: text(state.kept, FACES) || null,
      rolled: text(state.rolled, FACES) || null,
      centre: centre === usual ? null : centre,
      own: stacks || state.own === NONE ? null : state.own,
      tops: stacks ? null : state.others.map((other) => other.top).join(","),
      ...state.rest,
    });
  },

  missing(state, edition) {
    const left = edition.values.dice - state.kept.length;
    return state.rolled.length && state.rolled.length < left ? "rolled" : null;
  },

  /** The parts of other players, where they are not called as in the notation. */
  ofOthers: { tops: "top" },
  parts(state, edition) {
    const all = tiles(edition);
    const dice = edition.values.dice;
    const draw = (value) => tile(value, worms(value, edition));
    const take = (put) => (value) => {
      put(value);
      state.centre = state.centre.filter((name) => !held(state).includes(name));
    };
    const top = { kind: "one", faces: [NONE, ...all], draw, folds: true };
    const owners = state.rest.stacks !== undefined ? [] : [
      { ...top, key: "own", label: t.build.own, value: state.own, put: take((value) => { release(state, state.own); state.own = value; }) },
      ...state.others.map((other, i) => ({ ...top, key: `top${i + 1}`, label: t.build.tops(i + 1), value: other.top, put: take((value) => { release(state, other.top); other.top = value; }) })),
    ];
    return [
      { key: "kept", kind: "cards", label: t.build.kept, faces: FACES, order: FACES, value: state.kept, most: dice, put: (value) => { state.kept = value; } },
      { key: "rolled", kind: "cards", label: t.build.rolledNow, faces: FACES, order: FACES, value: state.rolled, most: dice - state.kept.length, put: (value) => { state.rolled = value; } },
      ...owners,
      { key: "centre", kind: "set", label: t.build.centre, faces: all, draw, value: state.centre, folds: true, put: (value) => { state.centre = value; } },
    ];
  },
};

/** The tiles that nobody holds. */
function rest(edition, state) {
  return tiles(edition).filter((name) => !held(state).includes(name));
}

/** A tile that was chosen by mistake goes back to the centre. */
function release(state, name) {
  if (name !== NONE && !state.centre.includes(name)) state.centre = [...state.centre, name].sort();
}
