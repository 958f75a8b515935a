// The tab Table: begin a game at a table, or continue one.

import { get, post } from "../base/api.js";
import { write } from "../base/address.js";
import { node, button, show } from "../base/nodes.js";
import { remember, remembered } from "../base/remembered.js";
import { chooser } from "../build/setup.js";
import { beginning, begunWith } from "./begin.js";
import { Table } from "./table.js";
import { language, t } from "../base/texts.js";

const NEWEST = 3;
const AWAY = 4000; // milliseconds until a server that does not answer is asked again

export class Tables {
  constructor(games, query) {
    this.games = games.filter((game) => game.follows);
    this.root = node("div", { class: "tables" });
    this.me = 0;
    this.more = { names: [], scores: [], first: 0, named: false, joined: false };
    this.open(query);
  }

  /** The list, or the game that the address names. */
  async open(query) {
    this.close();
    this.id = query.table;
    if (query.table) {
      this.table = new Table(query.table, this.games, () => this.go(""));
      show(this.root, this.table.root);
      return;
    }
    this.kept = null;
    this.error = null;
    if (!this.edition) await this.choose(remembered(this.games));
    this.draw();
    try {
      this.kept = (await get("/api/games")).games;
    } catch (error) {
      this.error = error;
      if (error.kind === "away") this.timer = setTimeout(() => this.open(query), AWAY);
    }
    if (!this.table) this.draw();
  }

  go(id) {
    write({ table: id }, true);
    this.open({ table: id });
  }

  async choose({ rules = this.rules, players = this.players, option = null }) {
    try {
      const known = this.games.flatMap((game) => game.editions).find((each) => each.id === rules);
      this.edition = known ?? (await get(`/api/rules/${rules}`));
      this.rules = this.edition.id;
      const [least, most] = this.edition.players;
      this.players = Math.min(most, Math.max(least, players));
      this.me = Math.min(this.me, this.players - 1);
      this.refused = null;
    } catch (error) {
      this.refused = { option, message: error.message };
      this.edition ??= this.games[0].editions[0];
      this.rules ??= this.edition.id;
      this.players ??= this.edition.players[0];
    }
    this.draw();
  }

  async begin() {
    try {
      remember(this.rules, this.players);
      const { id } = await post("/api/games", { rules: this.rules, players: this.players, me: this.me, ...begunWith(this.more, this.players) });
      this.go(id);
    } catch (error) {
      this.error = error;
      this.draw();
    }
  }

  draw() {
    const chosen = { rules: this.rules, edition: this.edition, players: this.players, refused: this.refused };
    const seat = (n) => button(t.table.seatName(n), () => { this.me = n; this.draw(); }, { class: "flag", "aria-pressed": String(this.me === n), "data-key": `seat.${n}` });
    const seats = Array.from({ length: this.players }, (_, n) => seat(n));
    show(this.root,
      this.error ? node("p", { class: "defects", role: "alert", text: this.error.message }) : null,
      this.kept?.length ? this.list() : null,
      node("h1", { text: t.table.begin }),
      ...chooser(this.games, chosen, (put) => this.choose(put)),
      node("fieldset", {}, node("legend", { text: t.table.seat }), node("div", { class: "choices" }, ...seats)),
      ...beginning(this.more, { players: this.players, me: this.me, redraw: () => this.draw() }),
      button(t.table.go, () => this.begin(), { class: "main", "data-key": "begin" }));
  }

  list() {
    const title = (rules) => this.games.find((game) => game.name === rules.split("/")[0])?.title ?? rules;
    const entry = (game) => {
      const made = button(null, () => this.go(game.id), { class: "edition", "data-key": `game.${game.id}` });
      const begun = new Date(game.begun).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
      made.append(node("strong", { text: t.table.entry(title(game.rules), game.players, game.turns, game.over) }), node("span", { text: `${begun} · ${game.rules} · ${t.table.me(game.me)}` }));
      return made;
    };
    const rest = this.kept.slice(NEWEST);
    const older = rest.length ? node("details", {}, node("summary", { text: t.table.older(rest.length) }), ...rest.map(entry)) : null;
    return node("section", {}, node("h1", { text: t.table.games }), ...this.kept.slice(0, NEWEST).map(entry), older);
  }

  close() {
    clearTimeout(this.timer);
    this.table?.close();
    this.table = null;
  }
}
