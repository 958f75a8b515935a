// Lama Dice: what one enters, in which order, and how it is written.

import { card, lamaDie } from "../base/faces.js";
import { faces, joined, others, text, words } from "../base/notation.js";
import { standingFrom, standingParts, standingText } from "./standing.js";
import { t } from "../base/texts.js";

const KNOWN = ["hand", "row", "opp", "rolled", "scores", "first"];
const FACES = ["1", "2", "3", "4", "5", "6", "L"];
const DICE = 3;
const PENALTY = 10; // to begin with, when one is counted

function otherFrom(word) {
  const quit = word.startsWith("q");
  const guess = word.endsWith("?");
  const rest = word.replace(/^q|\?$/g, "");
  if (rest.startsWith("=")) return { hand: [], quit, penalty: Number(rest.slice(1)) || null, guess };
  return { hand: faces(rest), quit, penalty: null, guess };
}

function otherText({ hand, quit, penalty, guess }) {
  const end = guess ? "?" : "";
  if (!quit) return text(hand, FACES) + end;
  return (hand.length || penalty === null ? `q${text(hand, FACES)}` : `q=${penalty}`) + end;
}

/** Whether it is known what an opponent has: the cards lie open; of one who quit the points are enough. */
const isKnown = ({ hand, quit, penalty }) => hand.length > 0 || (quit && penalty !== null);

export const game = {
  name: "dice",
  face: card,
  holds: ["hand", "row", "rolled"],
  shape: (takes) => (takes === "dice" ? lamaDie : card),
  word: t.faces.dice,

  start(edition, players) {
    const others = Array.from({ length: players - 1 }, this.other);
    return { hand: [], row: [...FACES], others, rolled: [], rowGuess: true, scores: null, first: null, rest: {} };
  },

  other: () => ({ hand: [], quit: false, penalty: null, guess: false }),

  fromText(position, edition, players) {
    const found = words(position);
    const state = this.start(edition, players);
    if (found.opp) state.others = found.opp.split(",").map(otherFrom);
    state.hand = faces(found.hand);
    if (found.row !== undefined) state.row = faces(found.row);
    state.rowGuess = (found.row ?? "").endsWith("?");
    state.rolled = faces(found.rolled);
    return { ...state, ...standingFrom(found, state.others.length + 1), rest: others(found, KNOWN) };
  },

  toText(state) {
    const row = text(state.row, FACES);
    return joined({
      hand: text(state.hand, FACES),
      row: state.row.length === FACES.length && !state.rowGuess ? null : (row || "-") + (state.rowGuess ? "?" : ""),
      opp: state.others.map(otherText).join(","),
      rolled: text(state.rolled, FACES) || null,
      ...standingText(state),
      ...state.rest,
    });
  },

  missing(state) {
    if (!state.hand.length) return "hand";
    if (!state.others.every(isKnown)) return "others";
    return state.rolled.length && state.rolled.length < DICE ? "rolled" : null;
  },

  parts(state) {
    const lacking = state.hand.length ? state.others.findIndex((other) => !isKnown(other)) : -1;
    return [
      { key: "hand", kind: "cards", label: t.build.hand, faces: FACES, order: FACES, value: state.hand, most: 13, put: (value) => { state.hand = value; } },
      ...state.others.flatMap((other, i) => opponent(other, i + 1, i === lacking)),
      { key: "row", kind: "set", label: t.build.row, faces: FACES, value: state.row, hint: state.rowGuess ? t.build.rowGuess : null, flag: { label: t.build.sure, value: !state.rowGuess, put: (on) => { state.rowGuess = !on; } }, put: (value) => { Object.assign(state, { row: value, rowGuess: false }); } },
      { key: "rolled", kind: "cards", label: t.build.rolled, faces: FACES, order: FACES, draw: lamaDie, value: state.rolled, most: DICE, put: (value) => { state.rolled = value; } },
      ...standingParts(state),
    ];
  },
};

function opponent(other, n, needed) {
  const flag = { label: t.build.quit, value: other.quit, put: (on) => { other.quit = on; } };
  const part = { key: `opp${n}`, label: t.build.opponent(n), hint: n === 1 ? t.build.next : null, flag };
  const cards = { ...part, kind: "cards", faces: FACES, order: FACES, folds: true, needed, value: other.hand, most: 13, put: (value) => { Object.assign(other, { hand: value, penalty: null, guess: false }); } };
  if (!other.quit || other.hand.length) return [cards];
  const points = { key: `penalty${n}`, kind: "count", label: t.build.penaltyOf(n), hint: t.build.instead, value: other.penalty, none: t.build.unknown, least: 1, most: 31, begin: PENALTY, guess: other.guess, put: (value) => { Object.assign(other, { penalty: value, guess: false }); } };
  return [cards, points];
}
