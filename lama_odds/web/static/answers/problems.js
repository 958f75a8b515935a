// What the server found wrong with a position: beside the part it names, the rest in a list.

import { node } from "../base/nodes.js";
import { t } from "../base/texts.js";

/** place(field, seat): the key of the part that a defect speaks of, or null. Gives {title, parts, list}. */
export function problems(error, place, text) {
  const parts = {};
  if (!error) return { title: "", parts, list: null };
  const rest = [];
  error.defects.forEach((sentence, i) => {
    const { field, seat } = error.fields[i];
    const key = place(field, seat);
    if (key) (parts[key] ??= []).push(t.sentence(sentence));
    else rest.push(sentence);
  });
  const nothing = error.kind === "nothing to decide";
  const impossible = error.kind === "cannot occur";
  const [first, ...more] = error.defects;
  const head = nothing ? t.ask.nothing : impossible ? t.ask.problems : null;
  const title = head && first ? t.ask.problem(head, first, more.length) : t.sentence(error.message);
  const others = rest.filter((sentence) => sentence !== first && sentence !== error.message);
  const lines = [others.length ? node("ul", { class: "defects" }, ...others.map((sentence) => node("li", { text: t.sentence(sentence) }))) : null];
  if (error.start !== null && error.kind === "cannot read") {
    lines.push(node("pre", { class: "caret", text: `${text}\n${" ".repeat(error.start)}^` }));
  }
  return { title, parts, list: node("section", { class: "problems" }, ...lines) };
}
