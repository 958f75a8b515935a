// Parts of a position that are numbers, names, yes or no, and text.

import { node, button } from "../base/nodes.js";
import { t } from "../base/texts.js";

/** A number with one fewer and one more. */
export function countPart(part) {
  const { key, label, value, least, most, none } = part;
  const to = (next) => part.put(next);
  const unknown = value === null || value === undefined;
  const down = unknown ? null : value > least ? value - 1 : none ? null : least;
  const up = unknown ? part.begin : Math.min(most, value + 1);
  const head = node("div", { class: "steps" },
    button("−", () => to(down), { "aria-label": `${label}: ${t.build.less}`, "data-key": `${key}.less`, disabled: unknown || down === value }),
    node("b", { class: "count", text: unknown ? none : `${value}${part.guess ? "?" : ""}` }),
    button("+", () => to(up), { "aria-label": `${label}: ${t.build.plus}`, "data-key": `${key}.plus`, disabled: up === value }));
  return { head, body: null };
}

/** A number for every player. */
export function numbersPart(part) {
  const { key, names, value, most, steps } = part;
  const change = (at, by) => part.put(value.map((old, i) => (i === at ? Math.max(0, Math.min(most, old + by)) : old)));
  const row = (name, at) => {
    const step = (by) => button(by < 0 ? `−${-by}` : `+${by}`, () => change(at, by), { "aria-label": `${name}: ${by < 0 ? "−" : "+"}${Math.abs(by)}`, "data-key": `${key}.${at}.${by}` });
    return node("div", { class: "head" }, node("span", { class: "who", text: name }), node("div", { class: "steps" }, ...[...steps].reverse().map((by) => step(-by)), node("b", { class: "count", text: String(value[at]) }), ...steps.map(step)));
  };
  return { head: null, body: node("div", {}, ...names.map(row)) };
}

/** One of the players, or nobody. */
export function namePart(part) {
  const { key, names, value, none } = part;
  const pick = (name, at) => button(name, () => part.put(at), { class: "flag", "aria-pressed": String(value === at), "data-key": `${key}.${at}` });
  return { head: null, body: node("div", { class: "choices" }, pick(none, null), ...names.map(pick)) };
}

/** On or off. */
export function switchPart(part) {
  const { key, label, value } = part;
  const props = { class: "toggle-switch", role: "switch", "aria-checked": String(value), "aria-label": label, "data-key": `${key}.on` };
  return { head: button("", () => part.put(!value), props), body: null };
}

/** Text that is typed. */
export function textPart(part, view) {
  const { key, label, value } = part;
  const typed = (event) => part.put(event.target.value);
  const field = node("input", { type: "text", "aria-label": label, "data-key": `${key}.text`, autocapitalize: "off", autocomplete: "off", spellcheck: "false", on: { change: typed } });
  field.value = value;
  const example = view.example ? node("p", { class: "quiet", text: t.build.example(view.example) }) : null;
  return { head: null, body: node("div", {}, field, example) };
}
