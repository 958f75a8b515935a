// Parts of a position that are cards, dice or tiles: what is chosen, and what can be.

import { node, button } from "../base/nodes.js";
import { t } from "../base/texts.js";

/** A card, die or tile as a button. */
export function faceButton(part, value, click, props) {
  const shown = part.plain ? { text: value } : {};
  const made = button(null, click, { class: part.plain ? "pick plain" : "pick", ...shown, ...props });
  if (!part.plain) made.append(part.draw(value));
  return made;
}

/** Faces in rows of at most eight that are about as long as each other. */
function palette(children) {
  const rows = Math.ceil(children.length / 7);
  const box = node("div", { class: "palette" }, ...children);
  box.style.setProperty("--columns", Math.max(4, Math.ceil(children.length / rows)));
  return box;
}

/** Several faces, each any number of times: tap to add, tap what is chosen to remove. */
export function cardsPart(part, _view, open) {
  const { value, order, word } = part;
  const chosen = [...value].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const without = (at) => part.put(chosen.filter((_, i) => i !== at));
  if (!open && chosen.length) {
    const told = chosen.map(word).join(", ");
    return { head: node("div", { class: "row-of-faces", role: "img", "aria-label": told }, ...chosen.map(part.draw)), body: null };
  }
  const head = chosen.length
    ? node("div", { class: "chosen" }, ...chosen.map((face, i) => faceButton(part, face, () => without(i), { "aria-label": t.build.remove(word(face)), "data-key": `${part.key}.-${i}` })))
    : node("span", { class: "none", text: t.build.nothing });
  if (!open) return { head, body: null };
  const full = value.length >= part.most;
  const add = (face) => faceButton(part, face, () => part.put([...value, face]), { "aria-label": t.build.add(word(face)), "data-key": `${part.key}.${face}`, disabled: full });
  return { head, body: palette(part.faces.map(add)) };
}

/** One face: tap to choose it. */
export function onePart(part, view, open, redraw) {
  const { value, word } = part;
  const choose = (face) => {
    if (part.folds) view.open.delete(part.key);
    part.put(part.clears && face === value ? null : face);
  };
  let head = null;
  if (part.folds) {
    const unfold = () => { view.open.add(part.key); redraw(); };
    head = value
      ? node("div", { class: "chosen small" }, faceButton(part, value, part.clears ? () => part.put(null) : unfold, { "aria-label": part.clears ? t.build.remove(word(value)) : t.build.edit(part.label), "data-key": `${part.key}.value` }))
      : node("span", { class: "none", text: t.build.nothing });
  }
  if (!open) return { head, body: null };
  const pick = (face) => faceButton(part, face, () => choose(face), { "aria-label": t.build.pick(word(face)), "aria-pressed": String(face === value), "data-key": `${part.key}.${face}` });
  return { head, body: palette(part.faces.map(pick)) };
}

/** Faces that are there or not: tap to change. */
export function setPart(part, _view, open) {
  const { value, word } = part;
  const head = part.folds ? node("span", { class: "none", text: `${value.length} / ${part.faces.length}` }) : null;
  if (!open) return { head, body: null };
  const change = (face) => part.put(value.includes(face) ? value.filter((other) => other !== face) : part.faces.filter((other) => other === face || value.includes(other)));
  const pick = (face) => faceButton(part, face, () => change(face), { class: "pick toggle", "aria-label": word(face), "aria-pressed": String(value.includes(face)), "data-key": `${part.key}.${face}` });
  return { head, body: palette(part.faces.map(pick)) };
}

const bare = (text) => text.replace(/[()]/g, "");

/** Nine cards in three rows: tap one, then what it is. */
export function gridPart(part, view, open, redraw) {
  const { key, value, word } = part;
  const name = (text) => (text.startsWith("(") ? `${word(bare(text))}, ${t.build.known}` : word(text));
  const chosen = view.cell?.key === key ? view.cell.at : null;
  const tap = (at) => { view.cell = { key, at }; redraw(); };
  const cell = (text, at) => faceButton(part, bare(text), () => tap(at), {
    class: `pick${text.startsWith("(") ? " hidden-card" : ""}`, "aria-label": t.build.cell(at + 1, name(text)), "aria-pressed": String(at === chosen), "data-key": `${key}.cell${at}`,
  });
  const known = value.filter((text) => text !== "?").length;
  const head = part.folds ? node("span", { class: "none", text: t.build.seen(known) }) : null;
  if (!open) return { head, body: null };
  const grid = node("div", { class: "cells" }, ...value.map(cell));
  if (chosen === null) return { head, body: node("div", { class: "with-palette" }, grid) };
  const set = (text, stay) => {
    const next = chosen + 1 < value.length ? { key, at: chosen + 1 } : null;
    if (!stay) view.cell = next;
    part.put(value.map((old, at) => (at === chosen ? text : old)));
  };
  const put = (face, down, stay) => set(down && face !== "?" ? `(${face})` : face, stay);
  const now = bare(value[chosen]);
  const down = part.hides && (now === "?" ? isDown(part, view) : value[chosen].startsWith("("));
  const pick = (face) => faceButton(part, face, () => put(face, down), { "aria-label": t.build.pick(word(face)), "aria-pressed": String(now === face), "data-key": `${key}.to${face}` });
  const lies = (to) => {
    view.down = { ...view.down, [key]: to };
    if (now === "?") redraw();
    else put(now, to, true);
  };
  const way = (to, label) => button(label, () => lies(to), { class: "flag", "aria-pressed": String(down === to), "data-key": `${key}.${to ? "down" : "up"}` });
  const ways = part.hides ? node("div", { class: "choices ways", role: "group", "aria-label": t.build.lies }, way(true, t.build.down), way(false, t.build.up)) : null;
  return { head, body: node("div", {}, ways, node("div", { class: "with-palette" }, grid, palette(part.faces.map(pick)))) };
}

/** How cards are entered: as chosen last; at the start of a round known cards lie face down. */
function isDown({ key, value }, view) {
  return view.down?.[key] ?? !value.some((text) => text !== "?" && !text.startsWith("("));
}
