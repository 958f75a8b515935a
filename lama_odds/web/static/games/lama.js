// L.A.M.A.: what one enters, in which order, and how it is written.

import { card } from "../base/faces.js";
import { faces, joined, others, text, words } from "../base/notation.js";
import { standingFrom, standingParts, standingText } from "./standing.js";
import { t } from "../base/texts.js";

const KNOWN = ["hand", "top", "opp", "pile", "pot", "scores", "first"];
const PLAIN = ["1", "2", "3", "4", "5", "6"];

/** The kinds of an edition in their order. */
function kinds({ values }) {
  const plus = values.plus ? PLAIN.map((value) => `${value}+`) : [];
  return [...PLAIN, "L", ...plus, ...(values.pink_llamas ? ["P"] : [])];
}

function sorted(edition) {
  const plus = edition.values.plus ? PLAIN.flatMap((value) => [value, `${value}+`]) : PLAIN;
  return [...plus, "L", "P"];
}

const asMany = (hand) => Math.max(1, hand.length);

/** How many cards an opponent holds: as many as you until it is entered. */
const cards = (state, other) => other.cards ?? asMany(state.hand);

/** Who plays next, and whether the cards are only a guess. */
const hint = (other, i) => [i ? null : t.build.next, other.guess ? t.build.guess : null].filter(Boolean).join("; ") || null;

/** `q4?` as an opponent; a guess of as many cards as you hold stays one when you get more. */
function otherFrom(word, hand) {
  const number = word.match(/\d+/)?.[0];
  const guess = word.includes("?");
  const count = number === undefined || (guess && Number(number) === asMany(hand)) ? null : Number(number);
  return { cards: count, quit: word.includes("q"), guess };
}

export const game = {
  name: "lama",
  face: card,
  holds: ["hand", "top"],
  shape: () => card,
  word: t.faces.lama,

  start(edition, players) {
    const others = Array.from({ length: players - 1 }, this.other);
    return { hand: [], top: null, others, pile: null, pot: [], runs: false, scores: null, first: null, rough: false, rest: {} };
  },

  other: () => ({ cards: null, quit: false, guess: true }),

  fromText(position, edition, players) {
    const found = words(position);
    const state = this.start(edition, players);
    const opponents = found.opp ? found.opp.split(",") : [];
    state.hand = faces(found.hand);
    if (opponents.length) state.others = opponents.map((word) => otherFrom(word, state.hand));
    state.top = faces(found.top)[0] ?? null;
    state.pile = found.pile === undefined ? null : Number(found.pile.replace(/[~?]/, ""));
    state.rough = /[~?]/.test(found.pile ?? "");
    state.runs = (found.pot ?? "").endsWith("!");
    const pot = (found.pot ?? "").replace("!", "");
    state.pot = pot && pot !== "-" ? pot.split(",") : [];
    return { ...state, ...standingFrom(found, state.others.length + 1), rest: others(found, KNOWN) };
  },

  toText(state, edition) {
    const opponents = state.others.map((other) => `${other.quit ? "q" : ""}${cards(state, other)}${other.guess ? "?" : ""}`);
    const pot = state.pot.join(",") + (state.runs ? "!" : "");
    return joined({
      hand: text(state.hand, sorted(edition)),
      top: state.top,
      opp: opponents.join(","),
      pile: state.pile === null ? null : `${state.rough ? "~" : ""}${state.pile}`,
      pot: edition.values.drama && pot ? pot : null,
      ...standingText(state),
      ...state.rest,
    });
  },

  /** Whether a box has what a house rule needs. */
  offers: (option, values) => values.pink_llamas > 0 || !option.startsWith("pink_"),

  missing(state) {
    if (!state.hand.length) return "hand";
    return state.top ? null : "top";
  },

  parts(state, edition) {
    const all = kinds(edition);
    const most = edition.values.copies + edition.values.llamas + edition.values.dealt;
    const parts = [
      { key: "hand", kind: "cards", label: t.build.hand, faces: all, order: sorted(edition), value: state.hand, most: 3 * most, put: (value) => { state.hand = value; } },
      { key: "top", kind: "one", label: t.build.top, faces: all, value: state.top, put: (value) => { state.top = value; } },
      ...state.others.map((other, i) => ({
        key: `opp${i + 1}`, kind: "count", label: t.build.opponent(i + 1), hint: hint(other, i), guess: other.guess, none: t.build.unknown, value: cards(state, other), least: other.quit ? 1 : 0, most: 40,
        put: (value) => { Object.assign(other, { cards: value, guess: value === null }); }, flag: { label: t.build.quit, value: other.quit, put: (on) => { other.quit = on; } },
      })),
      { key: "pile", kind: "count", label: t.build.pile, guess: state.rough, flag: state.pile === null ? null : { label: t.build.roughly, value: state.rough, put: (on) => { state.rough = on; } }, value: state.pile, none: t.build.unknown, least: 0, most: 80, begin: 20, more: true, put: (value) => { state.pile = value; } },
    ];
    if (edition.values.drama) parts.push(...drama(state, edition));
    return [...parts, ...standingParts(state)];
  },
};

function drama(state, { values }) {
  const tokens = ["1", String(values.black), ...(values.twenty ? [String(values.pink)] : [])];
  return [
    { key: "pot", kind: "cards", label: t.build.pot, faces: tokens, order: tokens, plain: true, value: state.pot, most: 40, put: (value) => { state.pot = value; } },
    { key: "runs", kind: "switch", label: t.build.runs, value: state.runs, put: (on) => { state.runs = on; } },
  ];
}
