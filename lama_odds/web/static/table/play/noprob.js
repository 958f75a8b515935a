// No Prob-Lama at the table: every grid; a tapped cell and the cards say what happened.

import { node } from "../../base/nodes.js";
import { grid } from "./context.js";
import { walk } from "./entry.js";
import { t } from "../../base/texts.js";

const FACES = ["3", "4", "5", "6", "7", "8", "9", "10", "-1", "-2", "-5", "J", "D", "K"];
const SPECIAL = ["D", "K"];
const PLACES = [1, 2, 3].flatMap((row) => [1, 2, 3].map((column) => `${row},${column}`));

/** The nine cells of a player and the specials beside them. */
function gridOf({ lies, at }, seat) {
  if (!lies) return { cells: PLACES.map(() => "?"), beside: "" };
  const { words } = lies;
  const text = at(seat) ? (words.opp ?? "").split(";")[at(seat) - 1] ?? "?" : `${words.grid}:${words.mine ?? ""}`;
  const [cells, beside = ""] = text.split(":");
  const list = cells.split(/[/,]/);
  return { cells: PLACES.map((_, i) => list[i] || "?"), beside: beside.replace("-", "") };
}

/**
 * A turn may begin with the cell or with the card. Your own card is entered at once, so that advice
 * on its place is there; of others a whole turn is one entry.
 */
export function walked(choices, draft, how) {
  const { found } = how;
  const draws = choices.find(({ verb }) => verb === "draw");
  const takes = choices.find(({ verb }) => verb === "take");
  if (found.awaits !== "turn" || !(draws || takes)) return walk(choices, draft, found.me);
  const cell = draft.find((token) => token.startsWith("at "))?.slice(3);
  const source = draft.find((token) => token === "take" || token.startsWith("draw "));
  const turned = draft.find((token) => token.startsWith("then "))?.slice(5);
  const rest = draft.find((token) => token === "discard" || token.startsWith("give ") || token === "pass");
  const state = (next, entry = null, ask = null) => ({ next: new Set(next), entry, slots: null, ask, cell });
  if (rest) return state([], [source, rest].filter(Boolean).join(" "));
  const sources = [...(draws?.options ?? []).filter((face) => !cell || !SPECIAL.includes(face)).map((face) => `draw ${face}`), ...(takes && !(cell && SPECIAL.includes(how.top)) ? ["take"] : [])];
  const cells = PLACES.map((place) => `at ${place}`);
  if (!source && !cell) return state([...sources, ...cells, ...choices.filter(({ verb }) => verb === "pass").map(({ verb }) => verb)]);
  if (!source) return state([...sources, ...cells.filter((token) => token !== `at ${cell}`)], null, "laid");
  if (!cell && found.seat === found.me) return state([], source);
  const card = source === "take" ? how.top : source.slice(5);
  if (SPECIAL.includes(card)) return state(how.others.map((seat) => `give #${seat + 1}`), null, "give");
  if (!cell) return state([...cells, ...(source === "take" ? [] : ["discard"])], null, "place");
  const lies = how.cells[PLACES.indexOf(cell)];
  const place = `${source} ${cell.replace(",", "")}`;
  if (lies !== "?") return state([], `${place} ${lies.replace(/[()]/g, "")}`);
  return turned ? state([], `${place} ${turned}`) : state(FACES.map((face) => `then ${face}`), null, "then");
}

/** What `walked` needs besides: the top card, the cells of whoever acts, the other players. */
export function seen(ctx) {
  const seat = ctx.found.seat ?? ctx.found.me;
  const others = Array.from({ length: ctx.found.players }, (_, n) => n).filter((n) => n !== seat);
  return { top: ctx.lies?.words.top, cells: gridOf(ctx, seat).cells, others };
}

export const wide = true; // players stand in two columns

export function holds(ctx, seat) {
  const { cells, beside } = gridOf(ctx, seat);
  const acts = (ctx.found.seat ?? ctx.found.me) === seat;
  const looked = new Map((ctx.state.looked ?? []).map(({ place, card }) => [place, card ? `(${card})` : "?"]));
  const open = ctx.state.cell ?? ctx.state.looked?.find(({ card }) => !card)?.place;
  const cell = (place, i) => {
    const text = (seat === ctx.found.me && looked.get(place)) || cells[i];
    const face = text.replace(/[()]/g, "");
    const own = text.startsWith("(") ? " own-card mine-cards" : "";
    const props = { class: `pick${own}${acts && open === place ? " chosen-cell" : ""}`, "aria-label": `${ctx.name(seat)}, ${t.table.place(place)}: ${ctx.game.word(face)}` };
    return ctx.on(`place.${seat}.${place}`, acts ? [`replace ${place}`, `at ${place}`] : [], ctx.game.face(face), props);
  };
  const specials = beside ? node("span", { class: "beside", role: "img", "aria-label": [...beside].map(ctx.game.word).join(", ") }, ...[...beside].map(ctx.game.face)) : null;
  return node("div", {}, node("div", { class: "nine" }, ...PLACES.map(cell)), specials);
}

export function pad(ctx) {
  const { found } = ctx;
  const top = ctx.lies?.words.top;
  const face = (value) => ctx.on(`face.${value}`, [`then ${value}`, `draw ${value}`, `card ${value}`], ctx.game.face(value), { class: "pick" });
  const seat = found.seat ?? found.me;
  const others = Array.from({ length: found.players }, (_, n) => n).filter((n) => n !== seat);
  const give = (n) => ctx.on(`option.give.#${n + 1}`, [`give #${n + 1}`], node("span", { text: ctx.name(n) }));
  const gives = [...ctx.state.next].some((token) => token.startsWith("give "));
  const verbs = gives ? others.map(give) : [
    ctx.verb("take", ["take"], top && top !== "-" ? ctx.game.face(top) : null), ctx.verb("discard", ["discard"]), ctx.verb("pass", ["pass"])];
  return [grid(7, FACES.map(face)), found.awaits === "turn" ? grid(Math.max(3, verbs.length), verbs, "verbs") : null];
}
