// Numbers of all players, typed with a thumb: digits, backspace, next.

import { node, button } from "../../base/nodes.js";
import { t } from "../../base/texts.js";

const NEXT = "next";
const DIGITS = 3;

/**
 * The numbers that tokens (digits, `-` and `next`) have typed.
 * Gives {values: by seat, null if none yet; at: the seat that is typed, null at the end; typed: text}.
 */
export function typedNumbers(bounds, draft) {
  const values = bounds.map(([least, most]) => (least === most ? least : null));
  const open = bounds.map((_, seat) => seat).filter((seat) => values[seat] === null);
  let [at = null] = open;
  let typed = "";
  for (const token of draft) {
    if (token !== NEXT) {
      typed += token;
      continue;
    }
    values[at] = Number(typed);
    typed = "";
    at = open[open.indexOf(at) + 1] ?? null;
  }
  return { values, at, typed };
}

const inside = (value, [least, most]) => value >= least && value <= most;

/** Why a number cannot be; nothing if it can. */
function wrong(typed, bounds) {
  return !typed || typed === "-" || inside(Number(typed), bounds) ? "" : t.table.between(...bounds);
}

/** how: {name(seat), tap(token), back(), send(values)}. Gives rows for the dock. */
export function numberPad(choice, draft, how) {
  const bounds = Array.from({ length: choice.count }, (_, seat) => choice.bounds?.[seat] ?? [0, 999]);
  const { values, at, typed } = typedNumbers(bounds, draft);
  const row = (value, seat) => node("div", { class: seat === at ? "now" : null, "data-key": `number.${seat}` }, node("span", { text: how.name(seat) }), node("b", { text: seat === at ? typed.replace("-", "−") || "–" : value === null ? "–" : String(value).replace("-", "−") }));
  const list = node("div", { class: "typed-numbers" }, ...values.map(row));
  const known = at !== null;
  const signed = known && bounds[at][0] < 0;
  const digit = (text) => button(text.replace("-", "−"), () => how.tap(text), { "data-key": `digit.${text}`, disabled: !known || typed.length > DIGITS || (text === "-" && (!signed || typed !== "")) });
  const erase = button("⌫", how.back, { "aria-label": t.table.erase, "data-key": "digit.back", disabled: !draft.length });
  const complaint = known ? wrong(typed, bounds[at]) : "";
  const ready = known ? /\d/.test(typed) && !complaint : true;
  const left = known && values.some((value, seat) => value === null && seat !== at);
  const go = () => (left ? how.tap(NEXT) : how.send(known ? values.map((value, seat) => (seat === at ? Number(typed) : value)) : values));
  const next = button(left ? t.table.next : t.table.ok, go, { class: "main", "data-key": "digit.next", disabled: !ready });
  return [list, node("p", { class: "quiet complaint", text: complaint }),
    node("div", { class: "digits" }, ...["1", "2", "3"].map(digit), erase, ...["4", "5", "6"].map(digit), digit("-"), ...["7", "8", "9"].map(digit), digit("0")), next];
}
