// The tab Train: a position, your choice, then the answer and why.

import { linkOf, write } from "./base/address.js";
import { get, post } from "./base/api.js";
import { node, button, show } from "./base/nodes.js";
import { gameOf } from "./games/games.js";
import { positionView } from "./table/position.js";
import { t } from "./base/texts.js";

export class Train {
  constructor(games, query) {
    this.games = games.filter(({ trains }) => trains);
    this.right = 0;
    this.asked = 0;
    this.choice = node("div", { class: "choices" });
    this.area = node("div", { class: "drill" });
    this.root = node("div", { class: "train" }, node("h1", { text: t.train.title }), this.choice,
      node("p", { class: "quiet", text: t.train.decide }), this.area);
    this.open(query);
  }

  get id() {
    return this.name;
  }

  open(query) {
    const known = this.games.some(({ name }) => name === query.train);
    const name = known ? query.train : (this.name ?? this.games[0].name);
    if (name === this.name) return;
    this.name = name;
    this.pick();
    this.load();
  }

  close() {}

  /** Buttons for the games. */
  pick() {
    const one = ({ name, title }) => button(title, () => {
      write({ train: name }, true);
      this.open({ train: name });
    }, { class: "flag", "aria-pressed": String(name === this.name), "data-key": `train.${name}` });
    show(this.choice, ...this.games.map(one));
  }

  async load() {
    try {
      const drill = await get(`/api/train/${this.name}`);
      drill.edition = await get(`/api/rules/${drill.rules}`);
      this.ask(drill);
    } catch (error) {
      show(this.area, node("p", { role: "alert", text: error.message }), button(t.table.tryAgain, () => this.load()));
    }
  }

  /** The position: what counts, your cards or dice, and the table in words. */
  position(drill) {
    const [about, ...table] = drill.lines;
    return [node("p", { class: "quiet", text: about }), positionView(drill.position, gameOf(drill.rules), drill.edition),
      ...table.map((text) => node("p", { text: t.sentence(text) }))];
  }

  ask(drill) {
    const { word } = gameOf(drill.rules);
    const option = ({ action }) => button(t.sentence(t.action(action, word, t.table.other)), () => this.answer(drill, action), { class: "option", "data-key": `option.${action}` });
    show(this.area,
      ...drill.notes.map((text) => node("p", { role: "alert", text })),
      drill.due ? node("p", { class: "quiet", text: t.train.due(drill.due) }) : null,
      ...this.position(drill),
      node("div", { class: "choices" }, ...drill.choices.map(option)),
      button(t.train.show, () => this.answer(drill, ""), { class: "quiet-button" }));
  }

  async answer(drill, action) {
    try {
      const found = await post(`/api/train/${this.name}`, { id: drill.id, action });
      this.asked += 1;
      this.right += found.right ? 1 : 0;
      this.told(drill, found);
    } catch (error) {
      show(this.area, node("p", { role: "alert", text: error.message }), button(t.train.next, () => this.load()));
    }
  }

  told(drill, found) {
    const [verdict, ...why] = found.lines;
    const next = button(t.train.next, () => this.load(), { class: "main", "data-key": "train.next" });
    show(this.area,
      ...this.position(drill),
      node("p", { class: `verdict ${found.right ? "good" : "bad"}`, role: "status", text: verdict }),
      ...why.map((text) => node("p", { class: "reason", text })),
      node("p", { class: "quiet", text: t.train.score(this.right, this.asked) }),
      node("div", { class: "choices" }, next,
        node("a", { href: linkOf(new URLSearchParams({ rules: drill.rules, position: drill.position })), text: t.train.look })));
    next.focus({ preventScroll: true });
  }
}
