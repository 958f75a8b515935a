// What the server found wrong with a position: beside the part it names, the rest in a list.

import { node } from "./nodes.js";
import { t } from "./texts.js";

/** place(sentence): the key of the part it speaks of, or null. Gives {title, parts, list}. */
export function problems(error, place, text) {
  const parts = {};
  if (!error) return { title: "", parts, list: null };
  const rest = [];
  for (const sentence of error.defects.length ? error.defects : [error.message]) {
    const key = place(sentence);
    if (key) (parts[key] ??= []).push(t.sentence(sentence));
    else rest.push(sentence);
  }
  const nothing = error.kind === "nothing to decide";
  const impossible = error.kind === "cannot occur";
  const title = nothing ? t.ask.nothing : impossible ? t.ask.problems : t.sentence(error.message);
  const all = error.defects.map((sentence) => node("li", { text: t.sentence(sentence) }));
  const lines = [all.length ? node("ul", { class: "defects" }, ...all) : null];
  if (error.start !== null && error.kind === "cannot read") {
    lines.push(node("pre", { class: "caret", text: `${text}\n${" ".repeat(error.start)}^` }));
  }
  return { title, parts, list: node("section", { class: "problems" }, ...lines) };
}
