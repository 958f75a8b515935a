// Chooses the language of the page.

import { node } from "./nodes.js";
import { choose, language, languages, t } from "./texts.js";

/** A list of the languages, each by its own name. */
export function languageChooser() {
  const option = ([name, own]) => node("option", { value: name, lang: name, selected: name === language, text: own });
  const list = node("select", { "aria-label": t.language, "data-key": "language", on: { change: (event) => choose(event.target.value) } }, ...Object.entries(languages).map(option));
  return node("label", { class: "languages" }, node("span", { "aria-hidden": "true", text: t.language }), list);
}
