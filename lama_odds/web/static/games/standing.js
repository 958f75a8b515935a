// The standing of a game: scores, and who started the round; the same in L.A.M.A. and Lama Dice.

import { numbers } from "../base/notation.js";
import { t } from "../base/texts.js";

export function standingFrom(found, players) {
  const first = found.first === undefined ? null : Number(found.first);
  return { scores: numbers(found.scores, players), first };
}

/** The words `scores` and `first`; first is written with scores only, where it matters. */
export function standingText(state) {
  return { scores: state.scores ? fitted(state).join(",") : null, first: state.first };
}

/** Scores for all who play now. */
function fitted(state) {
  return Array.from({ length: state.others.length + 1 }, (_, i) => state.scores[i] ?? 0);
}

export function standingParts(state) {
  const names = [t.build.you, ...state.others.map((_, i) => t.build.them(i + 1))];
  const parts = [
    { key: "standing", kind: "switch", label: t.build.withScores, value: state.scores !== null, more: true, put: (on) => { state.scores = on ? names.map(() => 0) : null; } },
  ];
  if (state.scores === null) return parts;
  const scores = fitted(state);
  parts.push(
    { key: "scores", kind: "numbers", label: t.build.scores, names, value: scores, most: 200, steps: [1, 10], more: true, put: (value) => { state.scores = value; } },
    { key: "first", kind: "name", label: t.build.first, names, value: state.first, none: t.build.unknown, more: true, put: (value) => { state.first = value; } },
  );
  return parts;
}
