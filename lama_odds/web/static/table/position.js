// A position as one sees it: own cards and dice as faces, everything else in words of the notation.

import { node } from "../base/nodes.js";
import { faces, words } from "../base/notation.js";
import { t } from "../base/texts.js";

/** What one holds and sees. rest: whether the other words of the position are shown too. */
export function positionView(position, game, edition, rest = false) {
  const known = words(position);
  const seen = game.face ? Object.keys(t.table.known).filter((name) => known[name] && known[name] !== "-" && game.holds.includes(name)) : [];
  const one = (name) => {
    const draw = name === "rolled" ? game.shape("dice", edition) : game.face;
    return node("div", { class: "head" }, node("h3", { text: t.table.known[name] }), node("div", { class: "row-of-faces", role: "img", "aria-label": known[name] }, ...faces(known[name]).map(draw)));
  };
  const drawn = game.face && known.grid;
  const grid = drawn ? node("div", { class: "cells little", role: "img", "aria-label": known.grid }, ...known.grid.split(/[/,]/).map((cell) => game.face(cell.replace(/[()]/g, "")))) : null;
  const others = Object.entries(known).filter(([name]) => !seen.includes(name) && !(drawn && name === "grid"));
  const told = rest && others.length ? node("dl", { class: "scores" }, ...others.flatMap(([name, value]) => [node("dt", { text: t.review.words[name] ?? name }), node("dd", { text: value })])) : null;
  return node("section", { class: "mine" }, grid, ...seen.map(one), told);
}
