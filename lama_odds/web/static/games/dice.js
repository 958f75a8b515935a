// Lama Dice: what one enters, in which order, and how it is written.

import { card, lamaDie } from "../base/faces.js";
import { faces, joined, others, text, words } from "../base/notation.js";
import { standingFrom, standingParts, standingText } from "./standing.js";
import { t } from "../base/texts.js";

const KNOWN = ["hand", "row", "opp", "rolled", "scores", "first"];
const FACES = ["1", "2", "3", "4", "5", "6", "L"];
const DICE = 3;
const PENALTY = 10;

function otherFrom(word) {
  const quit = word.startsWith("q");
  const rest = quit ? word.slice(1) : word;
  if (rest.startsWith("=")) return { hand: [], quit, penalty: Number(rest.slice(1)) };
  return { hand: faces(rest), quit, penalty: PENALTY };
}

function otherText({ hand, quit, penalty }) {
  if (!quit) return text(hand, FACES);
  return hand.length ? `q${text(hand, FACES)}` : `q=${penalty}`;
}

export const game = {
  name: "dice",
  face: card,
  holds: ["hand", "row", "rolled"],
  shape: (takes) => (takes === "dice" ? lamaDie : card),
  word: t.faces.dice,

  start(edition, players) {
    const others = Array.from({ length: players - 1 }, this.other);
    return { hand: [], row: [...FACES], others, rolled: [], scores: null, first: null, rest: {} };
  },

  other: () => ({ hand: [], quit: false, penalty: PENALTY }),

  fromText(position, edition, players) {
    const found = words(position);
    const state = this.start(edition, players);
    if (found.opp) state.others = found.opp.split(",").map(otherFrom);
    state.hand = faces(found.hand);
    if (found.row !== undefined) state.row = faces(found.row);
    state.rolled = faces(found.rolled);
    return { ...state, ...standingFrom(found, state.others.length + 1), rest: others(found, KNOWN) };
  },

  toText(state) {
    const row = text(state.row, FACES);
    return joined({
      hand: text(state.hand, FACES),
      row: state.row.length === FACES.length ? null : row || "-",
      opp: state.others.map(otherText).join(","),
      rolled: text(state.rolled, FACES) || null,
      ...standingText(state),
      ...state.rest,
    });
  },

  missing(state) {
    if (!state.hand.length) return "hand";
    const known = state.others.every((other) => other.hand.length || other.quit);
    if (!known) return "others";
    return state.rolled.length && state.rolled.length < DICE ? "rolled" : null;
  },

  parts(state) {
    const lacking = state.hand.length ? state.others.findIndex((other) => !other.hand.length && !other.quit) : -1;
    return [
      { key: "hand", kind: "cards", label: t.build.hand, faces: FACES, order: FACES, value: state.hand, most: 13, words: [/your hand/], put: (value) => { state.hand = value; } },
      ...state.others.map((other, i) => opponent(other, i + 1, i === lacking)),
      { key: "row", kind: "set", label: t.build.row, faces: FACES, value: state.row, words: [/\brow\b/, /in sight/, /are in hands/], put: (value) => { state.row = value; } },
      { key: "rolled", kind: "cards", label: t.build.rolled, faces: FACES, order: FACES, draw: lamaDie, value: state.rolled, most: DICE, words: [/dice/, /is blown/, /after /], put: (value) => { state.rolled = value; } },
      ...standingParts(state),
    ];
  },
};

function opponent(other, n, needed) {
  const flag = { label: t.build.quit, value: other.quit, put: (on) => { other.quit = on; } };
  const words = [new RegExp(`opponents? ${n}\\b`)];
  const part = { key: `opp${n}`, label: t.build.opponent(n), hint: n === 1 ? t.build.next : null, words, flag };
  if (other.quit && !other.hand.length) {
    return { ...part, kind: "count", label: `${part.label}: ${t.build.penalty}`, value: other.penalty, least: 1, most: 31, put: (value) => { other.penalty = value; } };
  }
  return { ...part, kind: "cards", faces: FACES, order: FACES, folds: true, needed, value: other.hand, most: 13, put: (value) => { other.hand = value; } };
}
