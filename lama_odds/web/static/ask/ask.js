// The tab Ask: a position that one builds by tapping, and its answer, which sharpens while one reads.

import { get, post, prepare, stream } from "../base/api.js";
import { write } from "../base/address.js";
import { answerView, isOpen, verdictNodes, verdictText } from "../answers/answer.js";
import { builder, partOf } from "../build/builder.js";
import { chancesView } from "../answers/chances.js";
import { dropped } from "../base/notation.js";
import { foot } from "./foot.js";
import { gameOf } from "../games/games.js";
import { guessesView } from "../answers/guesses.js";
import { node, button, show } from "../base/nodes.js";
import { problems } from "../answers/problems.js";
import { boxOf, remember, remembered } from "../base/remembered.js";
import { setup } from "../build/setup.js";
import { t } from "../base/texts.js";

const PAUSE = 150; // milliseconds after a tap before the server is asked
const AWAY = 4000; // milliseconds until a server that does not answer is asked again
const MOST_COVERED = 1 / 3; // of the height of the view
const BESIDE = 14; // pixels between the verdict and what is scrolled to
const SEED = 0;
const LONGER = [10, 30]; // seconds for which one may let it think, one after the other
const sameGame = (one, other) => one.split("/")[0] === other.split("/")[0];
const LONG = 60; // characters of a verdict that is shown in smaller letters

export class Ask {
  constructor(games, query) {
    this.games = games;
    this.view = { open: new Set(), cell: null, setup: false, more: false };
    this.answer = this.odds = this.error = null;
    this.setupBox = node("div", {});
    this.parts = node("div", { class: "builder" });
    this.verdict = node("button", { type: "button", class: "verdict", on: { click: () => this.tapped() } });
    this.spoken = node("p", { class: "spoken", role: "status", "aria-live": "polite" });
    this.details = node("div", { class: "answer", id: "answer" });
    new ResizeObserver(() => this.fit()).observe(this.verdict);
    window.addEventListener("resize", () => this.fit());
    const left = node("div", { class: "left" }, this.setupBox, this.parts);
    const right = node("div", { class: "right" }, this.verdict, this.spoken, this.details);
    this.root = node("div", { class: "ask" }, left, right);
    this.ready = this.open(query);
  }

  /** Opens what an address says. */
  async open(query) {
    this.gamesParameter = query.games ?? null;
    const usual = remembered(this.games);
    const rules = query.rules ?? usual.rules;
    this.refused = null;
    this.notes = [];
    let { position } = query;
    try {
      this.edition = await this.editionOf(rules);
    } catch (error) {
      const instead = this.insteadOf(rules, usual);
      if (!sameGame(rules, instead)) position = undefined;
      this.edition = await this.editionOf(instead).catch(() => this.games[0].editions[0]);
      this.notes.push(t.ask.instead(error.message.split("\n")[0], this.titleOf(instead), this.edition.id));
    }
    this.rules = this.edition.id ?? rules;
    this.game = gameOf(this.rules);
    const players = this.fitting(Number(query.players) || usual.players);
    this.state = position === undefined ? this.game.start(this.edition, players) : this.game.fromText(position, this.edition, players);
    this.notes.push(...dropped(position ?? "", this.text()).map(t.ask.notRead));
    this.players = this.state.others.length + 1 > 1 ? this.state.others.length + 1 : players;
    this.lastKey = null;
    this.refresh(0);
  }

  /** The rule set to show where one is not there: of the same game, if that is there. */
  insteadOf(rules, usual) {
    const [name] = rules.split("/");
    return this.games.some((game) => game.name === name) ? boxOf(this.games, name) : usual.rules;
  }

  titleOf(rules) {
    return this.games.find(({ name }) => name === rules.split("/")[0])?.title ?? rules;
  }

  async editionOf(rules) {
    const known = this.games.flatMap((game) => game.editions).find((each) => each.id === rules);
    return known ?? get(`/api/rules/${rules.split("/").map(encodeURIComponent).join("/")}`);
  }

  fitting(players) {
    const [least, most] = this.edition.players;
    return Math.min(most, Math.max(least, players));
  }

  /** Another game, edition or number of players; what was entered stays if the game stays. */
  async choose({ rules = this.rules, players = this.players, option = null }) {
    try {
      const edition = await this.editionOf(rules);
      const game = gameOf(rules);
      const same = sameGame(rules, this.rules);
      this.refused = null;
      Object.assign(this, { edition, rules: edition.id ?? rules, game });
      this.players = this.fitting(players);
      if (!same) this.state = game.start(edition, this.players);
      this.resize();
      remember(this.rules, this.players);
      this.changed("setup");
    } catch (error) {
      this.refused = { option, message: error.message };
      this.draw();
    }
  }

  resize() {
    if (this.game.name === "") return;
    const { others } = this.state;
    while (others.length < this.players - 1) others.push(this.game.other());
    others.length = this.players - 1;
  }

  /** A part was tapped: null if only the view has changed. */
  changed(key) {
    if (key === null) {
      this.draw();
      return;
    }
    const push = key !== this.lastKey;
    this.lastKey = key;
    this.notes = [];
    this.address(push);
    this.refresh();
  }

  address(push) {
    write({ rules: this.rules, position: this.text(), players: this.game.name ? this.players : null, games: this.gamesParameter }, push);
  }

  text() {
    return this.game.toText(this.state, this.edition);
  }

  /** Draws the position and asks about it. */
  refresh(pause = PAUSE) {
    this.aborter?.abort();
    clearTimeout(this.timer);
    this.view.example = this.games.find(({ name }) => name === this.rules.split("/")[0])?.example;
    this.error = null;
    this.longer = null;
    this.missing = this.game.missing(this.state, this.edition);
    this.asking = this.oldOdds = !this.missing;
    if (this.missing) {
      this.answer = this.odds = null;
      prepare(this.rules, this.players);
    } else this.timer = setTimeout(() => this.ask(), pause);
    this.draw();
  }

  async ask() {
    const aborter = new AbortController();
    this.aborter = aborter;
    const asked = { rules: this.rules, position: this.text() };
    const query = new URLSearchParams({ ...asked, seed: SEED });
    if (this.longer) query.set("seconds", this.longer);
    else if (this.gamesParameter) query.set("games", this.gamesParameter);
    post("/api/odds", asked, aborter.signal).catch(() => null).then((odds) => {
      if (aborter.signal.aborted) return;
      Object.assign(this, { odds, oldOdds: false });
      if (!this.error) this.drawAnswer();
    });
    try {
      await stream(`/api/advise/stream?${query}`, (event, data) => {
        if (aborter.signal.aborted) return;
        const failedBefore = this.error !== null;
        this.error = null;
        if (failedBefore) this.draw();
        const final = event === "answer" || data.settled === true; // else only reasons are still looked for
        this.answer = { ...data, final };
        this.asking = !final;
        this.drawAnswer();
      }, aborter.signal);
    } catch (error) {
      if (aborter.signal.aborted) return;
      this.failed(error);
      this.draw();
    }
  }

  /** The verdict was tapped: it leads to the details, or asks again where the server was away. */
  tapped() {
    if (this.error?.kind === "away") this.refresh();
    else this.details.scrollIntoView({ block: "start" });
  }

  /** A verdict that would cover much of the view stays in its place; none covers the details. */
  fit() {
    const height = this.verdict.offsetHeight;
    this.root.classList.toggle("tall", height > MOST_COVERED * window.innerHeight);
    this.details.style.scrollMarginTop = `${this.root.classList.contains("tall") ? 0 : height + BESIDE}px`;
  }

  failed(error) {
    this.asking = false;
    this.answer = this.odds = null;
    this.error = error;
    if (error.kind === "away") this.timer = setTimeout(() => this.ask(), AWAY);
    if (error.status === 429) this.timer = setTimeout(() => this.ask(), 1000 * (error.after ?? 2));
  }

  draw() {
    const { game, state, edition } = this;
    const chosen = { rules: this.rules, edition, players: game.name ? this.players : null, refused: this.refused };
    const found = problems(this.error, (field, seat) => partOf(game, state, edition, field, seat), this.text());
    show(this.setupBox, setup(this.games, chosen, this.view, (put) => this.choose(put), () => this.draw()), ...this.notes.map((text) => node("p", { class: "defects", role: "alert", text })), this.first());
    show(this.parts, node("h2", { class: "spoken", text: t.ask.position }), ...builder(game, state, edition, this.view, (key) => this.changed(key), found.parts), foot(this.missing ? "" : this.text(), () => this.fresh()));
    this.parts.hidden = this.verdict.hidden = this.details.hidden = this.view.setup;
    this.drawAnswer(found);
  }

  /** What this is, and an example to tap, until something was entered. */
  first() {
    const { example } = this.view;
    if (this.view.setup || !example || this.text() !== this.game.toText(this.game.start(this.edition, this.players), this.edition)) return null;
    const show = () => {
      this.state = this.game.fromText(example, this.edition, this.players);
      this.players = this.state.others.length + 1;
      this.changed("example");
    };
    return node("div", { class: "head about" }, node("p", { class: "quiet", text: t.ask.about }), button(t.ask.example, show, { class: "quiet-button", "data-key": "example" }));
  }

  /** Only what the server says: a finger may be on a card meanwhile. */
  drawAnswer(found) {
    const told = this.error ? { text: this.error.kind === "away" ? `${found.title} ${t.ask.tapAgain}` : found.title, tone: "bad" } : this.headline();
    this.verdict.className = `verdict ${told.tone}${told.text.length > LONG ? " long" : ""}`;
    show(this.verdict, ...verdictNodes(told));
    const settled = this.error || (this.answer?.final && !this.asking);
    const spoken = [told.text, told.then].filter(Boolean).join(" ");
    if (settled && this.spoken.textContent !== spoken) this.spoken.textContent = spoken;
    const answer = this.answer?.actions.length && answerView(this.answer, this.objective(), this.game, this.view, this.aims());
    const guesses = this.answer && guessesView(this.answer, this.objective(), this.game);
    const odds = this.odds && chancesView(this.odds, this.game);
    guesses?.classList.toggle("old", this.asking);
    if (answer) answer.classList.toggle("old", this.asking && Boolean(this.answer.final));
    odds?.classList.toggle("old", this.oldOdds);
    show(this.details, this.error && found.list, this.thinkLonger(), guesses, answer || null, odds);
  }

  /** A button that lets it think longer, where nothing is known yet. */
  thinkLonger() {
    const next = LONGER.find((seconds) => seconds > (this.longer ?? 0));
    if (!next || !this.answer?.final || this.asking || !isOpen(this.answer)) return null;
    const think = () => {
      this.longer = next;
      this.asking = true;
      this.ask();
      this.drawAnswer();
    };
    return node("div", { class: "choices" }, button(t.ask.longer(next), think, { "data-key": "longer" }));
  }

  headline() {
    if (this.missing) return { text: t.ask.tap[this.missing], tone: "idle" };
    if (!this.answer || (this.asking && this.answer.final)) return { text: t.ask.thinking, tone: "idle" };
    return verdictText(this.answer, this.objective(), this.game, this.asking);
  }

  aims() {
    return this.games.find((game) => game.name === this.rules.split("/")[0]).objectives;
  }

  objective() {
    return this.aims().find((each) => each.name === this.answer.objective) ?? this.aims()[0];
  }

  fresh() {
    Object.assign(this.view, { cell: null, down: {} });
    this.state = this.game.start(this.edition, this.players);
    this.changed("fresh");
  }

  close() {
    this.aborter?.abort();
    clearTimeout(this.timer);
  }
}
