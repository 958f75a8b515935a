// The tab Table: games followed at a table.

import { node } from "./nodes.js";

export class Tables {
  constructor() {
    this.root = node("div", { class: "tables" });
  }

  open() {}
}
