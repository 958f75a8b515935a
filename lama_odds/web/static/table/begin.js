// What one may say of a game that begins: names, and how it stands if it is under way.

import { node, button } from "../base/nodes.js";
import { t } from "../base/texts.js";

const LONGEST = 12; // letters of a name

/** state: {names, scores, first}, by seat; it is filled by typing. how: {players, me, redraw()}. */
export function beginning(state, { players, me, redraw }) {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const field = (list, seat, label, more) => {
    const made = node("input", { type: "text", autocomplete: "off", spellcheck: "false", "aria-label": label, ...more, on: { input: (event) => { list[seat] = event.target.value.trim(); } } });
    made.value = list[seat] ?? "";
    return made;
  };
  const who = (seat) => t.table.player(seat, me);
  const names = seats.filter((seat) => seat !== me).map((seat) => node("label", { class: "head" }, node("span", { class: "who", text: who(seat) }), field(state.names, seat, t.table.nameOf(seat), { maxlength: LONGEST, "data-key": `name.${seat}` })));
  const scores = seats.map((seat) => node("label", { class: "head" }, node("span", { class: "who", text: who(seat) }), field(state.scores, seat, t.table.scoreOf(who(seat)), { inputmode: "numeric", placeholder: "0", "data-key": `score.${seat}` })));
  const first = (seat) => button(who(seat), () => { state.first = seat; redraw(); }, { class: "flag", "aria-pressed": String(state.first === seat), "data-key": `first.${seat}` });
  const folded = (key, title, ...inside) => node("details", { open: state[key], on: { toggle: (event) => { state[key] = event.target.open; } } }, node("summary", { text: title, "data-key": key }), ...inside);
  return [folded("named", t.table.names, ...names),
    folded("joined", t.table.underWay, node("p", { class: "quiet", text: t.table.underWayHow }), ...scores, node("p", { text: t.table.starts }), node("div", { class: "choices" }, ...seats.map(first)))];
}

/** The same as the server takes it. */
export function begunWith(state, players) {
  const found = {};
  const seats = Array.from({ length: players }, (_, seat) => seat);
  if (seats.some((seat) => state.names[seat])) found.names = seats.map((seat) => state.names[seat] || null);
  if (state.joined) {
    // What is no number is sent as it stands, so that the server says what is wrong.
    found.scores = seats.map((seat) => { const text = state.scores[seat] || "0"; return /^-?\d+$/.test(text) ? Number(text) : text; });
    found.first = state.first ?? 0;
  }
  return found;
}
