// Draws the parts of a position as things to tap; a game says which parts there are.

import { node, button } from "../base/nodes.js";
import { t } from "../base/texts.js";
import { cardsPart, gridPart, onePart, setPart } from "./face_parts.js";
import { countPart, namePart, numbersPart, switchPart, textPart } from "./plain_parts.js";

const drawn = {
  cards: cardsPart, one: onePart, set: setPart, grid: gridPart,
  count: countPart, switch: switchPart, numbers: numbersPart, name: namePart, text: textPart,
};

/**
 * The builder of a position. view: what is unfolded, {open: keys, cell, more}; it is kept between drawings.
 * changed(key): called after a part has been changed. defects: by key of the part.
 */
export function builder(game, state, edition, view, changed, defects = {}) {
  const parts = game.parts(state, edition).map((part) => ({
    ...part,
    draw: part.draw ?? game.face,
    word: game.word,
    put: (value) => {
      if (part.needed && part.kind === "cards") view.open = new Set([part.key]);
      part.put(value);
      changed(part.key);
    },
    flag: part.flag && { ...part.flag, put: (on) => { part.flag.put(on); changed(part.key); } },
  }));
  const redraw = () => changed(null);
  const shown = (part) => whole(part, view, redraw, defects[part.key] ?? []);
  const first = parts.filter((part) => !part.more).map(shown);
  const later = parts.filter((part) => part.more);
  if (!later.length) return first;
  const open = view.more || later.some((part) => defects[part.key]);
  const more = node("details", { class: "more", open }, node("summary", { text: t.build.more }), ...later.map(shown));
  more.addEventListener("toggle", () => { view.more = more.open; });
  return [...first, more];
}

/** A part with its name, what is chosen, what can be chosen, and what is wrong with it. */
function whole(part, view, redraw, defects) {
  const open = !part.folds || part.needed || view.open.has(part.key);
  const wrong = defects.map((text) => node("li", { text }));
  const { head, body } = drawn[part.kind](part, view, open, redraw);
  const name = part.folds ? foldable(part, view, open, redraw) : node("h3", { text: part.label }, part.hint ? node("small", { text: part.hint }) : null);
  const flag = part.flag && flagged(part);
  const list = wrong.length ? node("div", { role: "alert" }, node("ul", { class: "defects" }, ...wrong)) : null;
  const kind = `part ${part.kind}${part.folds ? " folding" : ""}${wrong.length ? " wrong" : ""}`;
  return node("section", { class: kind, "aria-label": part.label, "data-part": part.key }, node("div", { class: "head" }, name, head, flag), body, list);
}

function foldable(part, view, open, redraw) {
  const toggle = () => {
    view.open = new Set(open ? [] : [part.key]);
    redraw();
  };
  const props = { class: "fold", "aria-expanded": String(open), "data-key": `${part.key}.fold` };
  return node("h3", {}, button(part.label, toggle, props), part.hint ? node("small", { text: part.hint }) : null);
}

function flagged({ key, label, flag }) {
  const props = { class: "flag", "aria-pressed": String(flag.value), "aria-label": `${label} ${flag.label}`, "data-key": `${key}.flag` };
  return button(flag.label, () => flag.put(!flag.value), props);
}

/** The key of the part for a word of the notation and a player (0: you); null if there is none. */
export function partOf(game, state, edition, field, seat) {
  const parts = game.parts(state, edition);
  const key = seat ? `${game.ofOthers?.[field] ?? field}${seat}` : field;
  if (parts.length === 1) return parts[0].key; // the whole position as a text
  return parts.some((part) => part.key === key) ? key : null;
}
