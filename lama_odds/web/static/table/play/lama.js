// L.A.M.A. at the table: the pile and the top card, hands as backs, your own cards; one tap a turn.

import { node } from "../../base/nodes.js";
import { faces } from "../../base/notation.js";
import { blank } from "../../base/faces.js";
import { grid, slotsRow } from "./context.js";
import { begun } from "./entry.js";
import { t } from "../../base/texts.js";

const ROW = 7; // cards in a row
const PLAIN = ["1", "2", "3", "4", "5", "6"];
const DRAW = ["draw", begun("draw")];

const meaning = ({ draft }, face) => (draft[0] === begun("draw") ? [`draw ${face}`] : [`play ${face}`, `card ${face}`]);

export function middle(ctx) {
  const { top, pile, pot } = ctx.lies.words;
  const drama = pot && pot !== "-" ? node("span", { class: "tag", text: t.table.pot(pot) }) : null;
  return node("div", { class: "middle" },
    ctx.on("board.pile", DRAW, [blank("?"), node("span", { text: t.table.pile(pile) })], { class: "spot" }),
    node("div", { class: "spot", role: "img", "aria-label": `${t.table.known.top} ${ctx.game.word(top)}` }, ctx.game.face(top), node("span", { text: t.table.known.top })), drama);
}

export function holds(ctx, seat) {
  const { words } = ctx.lies;
  if (ctx.at(seat) === 0) {
    const cards = faces(words.hand);
    return node("div", { class: `hand mine-cards${cards.length > ROW ? " long" : ""}` }, ...cards.map((face, i) => ctx.on(`hand.${i}`, meaning(ctx, face), ctx.game.face(face), { class: "pick" })));
  }
  const word = (words.opp ?? "").split(",")[ctx.at(seat) - 1] ?? "";
  const many = Number(word.match(/\d+/)?.[0] ?? 0);
  return node("div", { class: "hand" },
    node("div", { class: "backs", "aria-hidden": "true" }, ...Array.from({ length: Math.min(many, 12) }, () => blank(""))),
    node("b", { text: t.table.cards(many) }), word.startsWith("q") ? node("span", { class: "tag", text: t.table.hasQuit }) : null);
}

export function pad(ctx) {
  const plus = ctx.edition.values.plus ? PLAIN.map((value) => `${value}+`) : [];
  const kinds = [...PLAIN, "L", ...plus, ...(ctx.edition.values.pink_llamas ? ["P"] : [])];
  const face = (value) => ctx.on(`face.${value}`, meaning(ctx, value), ctx.game.face(value), { class: "pick" });
  return [ctx.state.slots && slotsRow(ctx, ctx.game.face), grid(7, kinds.map(face)),
    grid(2, [ctx.verb("draw", DRAW), ctx.verb("quit")], "verbs")];
}
