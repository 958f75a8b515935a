// Lama Dice at the table: the llama row, everybody's cards. Your roll is three taps; of others the
// cards that went are tapped, or the one that came from the row.

import { node } from "../../base/nodes.js";
import { faces } from "../../base/notation.js";
import { grid, optionsRow, slotsRow } from "./context.js";
import { fits, last, walk } from "./entry.js";
import { t } from "../../base/texts.js";

const ROW = 7; // cards in a row
const FACES = ["1", "2", "3", "4", "5", "6", "L"];

const sorted = (cards) => [...cards].sort().join("");
const LLAMAS = "LLL";

/** Whether somebody else's turn is entered by what became of the cards. */
const byResult = ({ found }) => found.awaits === "turn" && found.choices.some(({ verb, count }) => verb === "roll" && !count);

export function walked(choices, draft, how) {
  const gone = draft.filter((token) => token.startsWith("gone ")).map(last);
  if (!byResult(how) || (draft.length && !gone.length)) return walk(choices, draft, how.found.me);
  const sets = choices.find(({ verb }) => verb === "discard")?.options ?? [];
  const more = FACES.filter((face) => sets.length && fits([...gone, face], sets));
  const whole = sets.find((each) => sorted(each) === sorted(gone));
  const state = (next, entry = null) => ({ next: new Set(next), entry, slots: null, ask: gone.length ? "gone" : null, gone });
  if (draft.includes("done") || (whole && !more.length)) return state([], `discard ${whole}`);
  const tokens = more.map((face) => `gone ${face}`);
  if (gone.length) return state([...tokens, ...(whole ? ["done"] : [])]);
  return state([...walk(choices, [], how.found.me).next, ...tokens]);
}

export const seen = () => ({});

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
  const acts = seat === ctx.found.seat && byResult(ctx);
  const left = [...(acts ? ctx.state.gone ?? [] : [])];
  const shown = (face, i) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return acts ? ctx.on(`hand.${seat}.${i}`, at >= 0 ? [] : [`gone ${face}`], ctx.game.face(face), { class: at >= 0 ? "pick gone" : "pick" }) : ctx.game.face(face);
  };
  const role = acts ? {} : { role: "img", "aria-label": cards.map(ctx.game.word).join(", ") };
  return node("div", { class: `hand${cards.length > ROW ? " long" : ""}`, ...role }, ...cards.map(shown), word.startsWith("q") ? node("span", { class: "tag", text: t.table.hasQuit }) : null);
}

export function pad(ctx) {
  const deals = ctx.found.awaits === "deal";
  const results = byResult(ctx);
  const draw = deals || results ? ctx.game.face : ctx.shape("dice");
  const rolled = faces(ctx.lies?.words.rolled);
  const lies = !ctx.state.slots && rolled.length ? { ...ctx, state: { ...ctx.state, slots: null } } : null;
  const face = (value) => ctx.on(`face.${value}`, [`die ${value}`, `card ${value}`, `gone ${value}`], draw(value), { class: "pick" });
  const verbs = results ? [ctx.on("verb.done", ["done"], node("b", { text: t.table.done })), ctx.on("verb.LLL", [`roll ${LLAMAS}`], [...LLAMAS].map(ctx.shape("dice"))), ctx.verb("blown"), ctx.verb("quit")] : [ctx.verb("quit")];
  return [ctx.state.slots && slotsRow(ctx, draw),
    lies && node("div", { class: "slots" }, ...rolled.map(draw)),
    deals || results ? null : optionsRow(ctx, ["discard", "take"]),
    grid(7, FACES.map(face)),
    deals ? null : grid(verbs.length, verbs, "verbs")];
}
