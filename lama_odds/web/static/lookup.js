// The tab Look up: sheets for the table and reports, as the server has them.

import { get } from "./api.js";
import { node, show } from "./nodes.js";
import { t } from "./texts.js";

export class Lookup {
  constructor() {
    this.root = node("div", { class: "lookup" }, node("h1", { text: t.lookup.title }));
    this.list = node("div", {});
    this.root.append(this.list);
    this.load();
  }

  open() {}

  async load() {
    try {
      const { sheets = [], reports = [] } = await get("/api/lookup");
      const found = [
        sheets.length ? node("h2", { text: t.lookup.sheets }) : null,
        ...sheets.map(sheet),
        reports.length ? node("h2", { text: t.lookup.reports }) : null,
        reports.length ? node("ul", {}, ...reports.map(({ title, path }) => node("li", {}, node("a", { href: path, text: title })))) : null,
      ];
      show(this.list, ...(sheets.length || reports.length ? found : [node("p", { text: t.lookup.none })]));
    } catch (error) {
      show(this.list, node("p", { role: "alert", text: error.status === 404 ? t.lookup.absent : error.message }));
    }
  }
}

function sheet({ rules, title, lines }) {
  return node("details", { class: "sheet" }, node("summary", { text: title ?? rules }), node("pre", { text: lines.join("\n") }));
}
