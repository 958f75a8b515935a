// Lama Dice at the table: the llama row, everybody's cards; a roll is three taps.

import { node } from "../../base/nodes.js";
import { faces } from "../../base/notation.js";
import { grid, optionsRow, slotsRow } from "./context.js";
import { t } from "../../base/texts.js";

const FACES = ["1", "2", "3", "4", "5", "6", "L"];

export function middle(ctx) {
  const row = faces(ctx.lies.words.row);
  const place = (face) => ctx.on(`row.${face}`, [`take ${face}`], ctx.game.face(face), { class: row.includes(face) ? "pick" : "pick gone" });
  return node("div", { class: "row-of-cards", role: "group", "aria-label": t.table.known.row }, ...FACES.map(place));
}

export function holds(ctx, seat) {
  const { words } = ctx.lies;
  const at = ctx.at(seat);
  const word = at ? (words.opp ?? "").split(",")[at - 1] ?? "" : words.hand ?? "";
  const cards = faces(word.replace(/^q/, ""));
  return node("div", { class: "hand", role: "img", "aria-label": cards.map(ctx.game.word).join(", ") }, ...cards.map(ctx.game.face),
    word.startsWith("q") ? node("span", { class: "tag", text: t.table.hasQuit }) : null);
}

export function pad(ctx) {
  const deals = ctx.found.awaits === "deal";
  const draw = deals ? ctx.game.face : ctx.shape("dice");
  const rolled = faces(ctx.lies?.words.rolled);
  const lies = !ctx.state.slots && rolled.length ? { ...ctx, state: { ...ctx.state, slots: null } } : null;
  const face = (value) => ctx.on(`face.${value}`, [`die ${value}`, `card ${value}`], draw(value), { class: "pick" });
  return [ctx.state.slots && slotsRow(ctx, draw),
    lies && node("div", { class: "slots" }, ...rolled.map(draw)),
    deals ? null : optionsRow(ctx, ["discard", "take"]),
    grid(7, FACES.map(face)),
    deals ? null : grid(1, [ctx.verb("quit")], "verbs")];
}
