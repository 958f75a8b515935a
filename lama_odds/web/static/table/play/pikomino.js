// Pikomino at the table: the tiles in the centre and the top of each stack can be tapped.

import { node } from "../../base/nodes.js";
import { faces, ranges } from "../../base/notation.js";
import { grid, slotsRow } from "./context.js";
import { t } from "../../base/texts.js";

const FACES = ["1", "2", "3", "4", "5", "W"];
const COLUMNS = 6;

const stacks = (ctx) => (ctx.lies.words.stacks ?? "").split("/").map((word) => word.split(/[.,]/).filter((name) => /\d/.test(name)));

export function middle(ctx) {
  const { values } = ctx.edition;
  const centre = ranges(ctx.lies.words.centre).map(String);
  const all = Array.from({ length: values.tiles }, (_, i) => String(values.low + i));
  const tile = (name) => ctx.on(`tile.${name}`, [`stop ${name}`], ctx.shape("tile")(name), { class: centre.includes(name) ? "pick" : "pick gone" });
  return grid(COLUMNS, all.map(tile), "tiles");
}

export function holds(ctx, seat) {
  const stack = stacks(ctx)[ctx.at(seat)] ?? [];
  const top = stack.at(-1);
  if (!top) return node("div", { class: "hand" }, node("span", { class: "quiet", text: t.table.noTile }));
  return node("div", { class: "hand" }, ctx.on(`steal.${top}`, [`steal ${top}`], ctx.shape("tile")(top), { class: "pick" }), node("span", { text: t.table.tiles(stack.length) }));
}

export function pad(ctx) {
  const { words } = ctx.lies;
  const mine = ctx.found.seat === ctx.found.me || ctx.state.slots || words.rolled || words.kept;
  if (!mine) return [node("p", { class: "quiet", text: t.table.tapTile }), grid(1, [ctx.verb("bust")], "verbs")];
  const draw = ctx.shape("dice");
  const [kept, rolled] = [faces(words.kept), faces(words.rolled)];
  const ends = [...ctx.state.next].filter((token) => /^(stop|steal) \d/.test(token));
  const end = (verb) => {
    const tokens = ends.filter((token) => token.startsWith(verb));
    const [token] = tokens;
    return ctx.verb(verb, tokens, token ? node("b", { text: token.split(" ")[1] }) : null);
  };
  const face = (value) => ctx.on(`face.${value}`, [`die ${value}`, `keep ${value}`], draw(value), { class: "pick" });
  const lie = (name, list) => (list.length ? node("span", { class: "lying", role: "img", "aria-label": `${t.table.known[name]} ${list.map(ctx.game.word).join(", ")}` }, node("small", { text: t.table.known[name] }), ...list.map(draw)) : null);
  return [node("div", { class: "slots dice" }, lie("kept", kept), lie("rolled", rolled), ctx.state.slots && slotsRow(ctx, draw)),
    grid(FACES.length, FACES.map(face)),
    grid(2, [end("stop"), end("steal")], "verbs")];
}
