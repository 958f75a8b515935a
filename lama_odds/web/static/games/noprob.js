// No Prob-Lama: what one enters, in which order, and how it is written.

import { noprobCard } from "../base/faces.js";
import { joined, numbers, others, words } from "../base/notation.js";
import { t } from "../base/texts.js";

const KNOWN = ["grid", "mine", "top", "opp", "drawn", "pile", "last", "llamas"];
const NUMBERS = ["3", "4", "5", "6", "7", "8", "9", "10"];
const NEGATIVE = ["-1", "-2", "-5"];
const SPECIALS = ["D", "K"];
const CELLS = 9;

const unknown = () => Array.from({ length: CELLS }, () => "?");
const cells = (grid) => grid.split("/").flatMap((row) => row.split(","));
const rows = (grid) => [0, 3, 6].map((at) => grid.slice(at, at + 3).join(",")).join("/");
const specials = (text) => (!text || text === "-" ? [] : [...text]);

function whole(grid) {
  const found = cells(grid);
  return Array.from({ length: CELLS }, (_, i) => found[i] || "?");
}

export const game = {
  name: "noprob",
  face: noprobCard,
  holds: [],
  shape: (takes) => (takes === "card" || takes === "places" ? noprobCard : null),
  word: t.faces.noprob,

  start(edition, players) {
    const others = Array.from({ length: players - 1 }, this.other);
    return { grid: unknown(), mine: [], top: null, others, drawn: null, pile: null, rough: false, last: null, llamas: null, rest: {} };
  },

  other: () => ({ grid: unknown(), specials: [], guess: true }),

  fromText(position, edition, players) {
    const found = words(position);
    const state = this.start(edition, players);
    if (found.grid) state.grid = whole(found.grid);
    if (found.opp) {
      state.others = found.opp.split(";").map((word) => {
        const [grid, beside] = word.split(":");
        return { grid: whole(grid), specials: specials(beside), guess: grid.trim() === "?" };
      });
    }
    state.mine = specials(found.mine);
    state.top = found.top ?? null;
    state.drawn = found.drawn ?? null;
    state.pile = found.pile === undefined ? null : Number(found.pile.replace(/[~?]/, ""));
    state.rough = /[~?]/.test(found.pile ?? "");
    state.last = found.last === undefined ? null : Number(found.last);
    state.llamas = numbers(found.llamas, state.others.length + 1);
    return { ...state, rest: others(found, KNOWN) };
  },

  toText(state) {
    const beside = (list) => (list.length ? `:${[...list].sort().join("")}` : "");
    const llamas = state.llamas && [0, ...state.others].map((_, i) => state.llamas[i] ?? 0);
    return joined({
      grid: rows(state.grid),
      mine: [...state.mine].sort().join("") || null,
      top: state.top,
      opp: state.others.map((other) => (other.guess ? "?" : rows(other.grid)) + beside(other.specials)).join(";"),
      drawn: state.drawn,
      last: state.last,
      pile: state.pile === null ? null : `${state.rough ? "~" : ""}${state.pile}`,
      llamas: llamas ? llamas.join(",") : null,
      ...state.rest,
    });
  },

  missing: (state) => (state.top ? null : "top"),

  parts(state) {
    const all = [...NUMBERS, ...NEGATIVE, "J", ...SPECIALS];
    const names = [t.build.you, ...state.others.map((_, i) => t.build.them(i + 1))];
    const parts = [
      { key: "grid", kind: "grid", label: t.build.grid, faces: ["?", ...all], value: state.grid, hides: true, put: (value) => { state.grid = value; } },
      { key: "top", kind: "one", label: t.build.top, faces: ["-", ...all], folds: true, needed: !state.top, value: state.top, put: (value) => { state.top = value; } },
      { key: "drawn", kind: "one", label: t.build.drawn, faces: all, folds: true, clears: true, value: state.drawn, put: (value) => { state.drawn = value; } },
    ];
    state.others.forEach((other, i) => {
      parts.push({ key: `grid${i + 1}`, kind: "grid", label: t.build.gridOf(i + 1), faces: ["?", ...all], folds: true, value: other.grid, hint: other.guess ? t.build.gridGuess : null, flag: { label: t.build.sure, value: !other.guess, put: (on) => { other.guess = !on && !other.grid.some((face) => face !== "?"); } }, put: (value) => { Object.assign(other, { grid: value, guess: false }); } });
      parts.push({ key: `beside${i + 1}`, kind: "cards", label: t.build.specialsOf(i + 1), faces: SPECIALS, order: SPECIALS, folds: true, value: other.specials, most: 14, put: (value) => { other.specials = value; } });
    });
    return [
      ...parts,
      { key: "mine", kind: "cards", label: t.build.specials, faces: SPECIALS, order: SPECIALS, folds: true, value: state.mine, most: 14, put: (value) => { state.mine = value; } },
      { key: "last", kind: "count", label: t.build.last, value: state.last, none: t.build.none, least: 1, most: 5, begin: 1, more: true, put: (value) => { state.last = value; } },
      { key: "pile", kind: "count", label: t.build.pile, guess: state.rough, flag: state.pile === null ? null : { label: t.build.roughly, value: state.rough, put: (on) => { state.rough = on; } }, value: state.pile, none: t.build.unknown, least: 0, most: 140, begin: 60, more: true, put: (value) => { state.pile = value; } },
      { key: "standing", kind: "switch", label: t.build.withLlamas, value: state.llamas !== null, more: true, put: (on) => { state.llamas = on ? names.map(() => 0) : null; } },
      ...(state.llamas ? [{ key: "llamas", kind: "numbers", label: t.build.llamas, names, value: names.map((_, i) => state.llamas[i] ?? 0), most: 9, steps: [1], more: true, put: (value) => { state.llamas = value; } }] : []),
    ];
  },
};
