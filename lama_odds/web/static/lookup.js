// The tab Look up: sheets for the table and reports, how the page gets more, and its language.

import { alone, get } from "./base/api.js";
import { languageChooser } from "./base/languages.js";
import { node, button, show } from "./base/nodes.js";
import { t } from "./base/texts.js";

const AWAY = 4000; // milliseconds until a server that does not answer is asked again
const NUMBERS = /^[\d\s.,:%±+\-−–<>≤≥]+$/; // a cell that is not broken into lines

export class Lookup {
  constructor() {
    this.list = node("div", {});
    this.root = node("div", { class: "lookup" }, node("h1", { text: t.lookup.title }), this.list, alone ? more() : null, languageChooser());
    this.load();
  }

  open() {}

  close() {}

  async load() {
    clearTimeout(this.timer);
    try {
      const { sheets = [], reports = [] } = await get("/api/lookup");
      const links = reports.map(({ title, address }) => node("li", {}, node("a", { href: address, text: title })));
      const found = [
        sheets.length ? node("h2", { text: t.lookup.sheets }) : null,
        ...sheets.map(sheet),
        links.length ? node("h2", { text: t.lookup.reports }) : null,
        links.length ? node("ul", { class: "reports" }, ...links) : null,
      ];
      show(this.list, ...(sheets.length || links.length ? found : [node("p", { text: t.lookup.none })]));
    } catch (error) {
      show(this.list, node("p", { role: "alert", text: error.message }), button(t.table.tryAgain, () => this.load()));
      if (error.kind === "away") this.timer = setTimeout(() => this.load(), AWAY);
    }
  }
}

/** What the page cannot do alone, and where all about it is. */
function more() {
  const home = document.querySelector('meta[name="home"]')?.content;
  return node("section", {}, node("h2", { text: t.lookup.about }), node("p", { text: t.lookup.offline }), node("p", { text: t.lookup.serve }),
    node("pre", {}, node("code", { text: "lama-odds serve --open" })),
    home ? node("p", {}, node("a", { href: home, text: t.lookup.home })) : null);
}

function sheet({ title, blocks, address }) {
  const place = new URL(address, import.meta.url).href; // without a server it is a file beside this one
  return node("details", { class: "sheet" }, node("summary", { text: title }), ...blocks.map(block),
    node("p", {}, node("a", { href: place, text: t.lookup.print })));
}

function block({ heading, text, table }) {
  if (heading) return node("h3", { text: heading });
  if (table) return node("div", { class: "wide" }, drawn(table));
  return node("p", { text });
}

function drawn({ head, rows }) {
  const cells = (kind, row) => node("tr", {}, ...row.map((text) => node(kind, { text, class: NUMBERS.test(text) ? "amount" : null })));
  return node("table", {}, node("thead", {}, cells("th", head)), node("tbody", {}, ...rows.map((row) => cells("td", row))));
}
