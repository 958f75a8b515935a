// A game at a table: who acts, what can be entered, advice at my turns, how it stands.

import { get, post, stream } from "../base/api.js";
import { answerView, verdictNodes, verdictText } from "../answers/answer.js";
import { gameOf } from "../games/games.js";
import { node, button, show } from "../base/nodes.js";
import { words } from "../base/notation.js";
import { positionView } from "./position.js";
import { Review } from "./review.js";
import { tapping } from "./tapping.js";
import { t } from "../base/texts.js";

const SHOWN_MOVES = 6;
const NEWS = 2; // lines of what has just happened

export class Table {
  constructor(id, games, leave) {
    this.path = `/api/games/${encodeURIComponent(id)}`;
    this.games = games;
    this.leave = leave;
    this.view = {};
    this.root = node("div", { class: "table" });
    this.advice = node("div", { class: "answer" });
    this.notes = node("div", { role: "alert" });
    this.verdict = node("p", { class: "verdict idle", role: "status", "aria-live": "polite", hidden: true });
    this.seen = () => { if (!document.hidden) this.load(); };
    document.addEventListener("visibilitychange", this.seen);
    this.load();
  }

  async load(note = "") {
    try {
      const found = await get(this.path);
      if (!note && this.found && found.version === this.found.version) {
        this.tellNote("");
        if (this.unadvised) this.advise();
        return;
      }
      this.edition ??= await get(`/api/rules/${found.rules}`);
      this.take(found, note);
    } catch (error) {
      if (this.found) this.tellNote(error.message, () => this.load());
      else show(this.root, button(t.table.back, this.leave), node("p", { role: "alert", text: error.message }), button(t.table.tryAgain, () => this.load(), { class: "main" }));
    }
  }

  /** How the game stands now. */
  take(found, note = "") {
    this.found = found;
    this.tellNote(note);
    const { me, players } = found;
    this.game = { ...gameOf(found.rules), who: (n) => t.table.other((me + n) % players) };
    this.draw();
    this.advise();
  }

  async send(path, body) {
    this.root.inert = true;
    this.tellNote("");
    try {
      this.take(await post(`${this.path}/${path}`, { ...body, version: this.found.version }));
    } catch (error) {
      if (error.status === 409) await this.load(t.table.changed);
      else this.tellNote(error.message, error.kind === "away" ? () => this.send(path, body) : null);
    } finally {
      this.root.inert = false;
    }
  }

  /** Says something above the game; what was tapped stays. again: tries it again. */
  tellNote(text, again = null) {
    show(this.notes, text ? node("p", { class: "defects", text }) : null, again && button(t.table.tryAgain, again, { class: "main", "data-key": "again.send" }));
  }

  /** Asks for advice if I decide now. */
  async advise() {
    this.aborter?.abort();
    this.verdict.hidden = true;
    this.unadvised = false;
    show(this.advice);
    if (!this.found.position || this.found.over) return;
    const aborter = new AbortController();
    this.aborter = aborter;
    this.tell({ text: t.ask.thinking, tone: "idle" });
    try {
      await stream(`${this.path}/advice`, (event, data) => {
        if (aborter.signal.aborted) return;
        const answer = { ...data, final: event === "answer" };
        const objective = this.objective(answer.objective);
        const told = verdictText(answer, objective, this.game, event !== "answer");
        this.tell(told);
        show(this.advice, answer.actions.length ? answerView(answer, objective, this.game, this.view, this.aims()) : null);
      }, aborter.signal);
    } catch (error) {
      this.unadvised = error.kind === "away";
      if (!aborter.signal.aborted) this.tell({ text: error.defects?.[0] ?? error.message, tone: "idle" });
    }
  }

  tell({ text, tone, chip, then }) {
    this.verdict.hidden = false;
    this.verdict.className = `verdict ${tone}`;
    show(this.verdict, ...verdictNodes({ text, chip, then }));
  }

  aims() {
    return this.games.find((game) => game.name === this.found.rules.split("/")[0]).objectives;
  }

  objective(name) {
    return this.aims().find((each) => each.name === name) ?? this.aims()[0];
  }

  draw() {
    const { found } = this;
    const title = this.games.find((game) => game.name === found.rules.split("/")[0])?.title;
    const bar = node("div", { class: "setup-line" },
      button("‹", this.leave, { "aria-label": t.table.back, "data-key": "back" }),
      node("strong", { text: title }), node("span", { text: found.rules.split("/")[1] }),
      found.moves.length ? button(t.table.undo, () => this.send("undo", {}), { "data-key": "undo" }) : null);
    show(this.root, bar,
      this.notes,
      node("h1", { text: this.turn() }),
      found.news.length ? node("p", { class: "quiet", text: found.news.slice(-NEWS).join(" ") }) : null,
      this.cards(), this.verdict,
      found.over ? this.end() : this.taps(),
      found.table.length ? node("section", { class: "lies" }, node("h2", { text: t.table.lies }), ...found.table.map((text) => node("p", { text }))) : null,
      this.scores(), this.advice, this.moves());
  }

  turn() {
    const { found } = this;
    if (found.over) return t.table.over;
    if (found.awaits === "deal" && found.choices[0]?.hands > 1) return t.table.dealAll;
    if (found.awaits !== "turn") return t.table.awaits[found.awaits] ?? found.prompt ?? "";
    return found.seat === found.me ? t.table.yours : t.table.theirs(found.seat);
  }

  /** What I hold and see when I decide, as faces. */
  cards() {
    const { found, game } = this;
    return found.position && game.face ? positionView(found.position, game, this.edition) : null;
  }

  taps() {
    const { found, game } = this;
    const grid = found.position && words(found.position).grid;
    const seat = found.awaits === "turn" ? found.seat : found.me;
    const how = { game, edition: this.edition, me: found.me, seat, players: found.players, cells: grid ? grid.split(/[/,]/) : null, send: (entry) => this.send("entry", { entry }) };
    const list = found.choices.length ? tapping(found.choices, how) : null;
    return node("div", {}, list, this.typed(!list));
  }

  /** The same as text, as one types it in `play --table`. */
  typed(open) {
    const field = node("input", { type: "text", "aria-label": t.table.text, autocapitalize: "off", autocomplete: "off", spellcheck: "false", "data-key": "typed" });
    const send = () => { if (field.value.trim()) this.send("entry", { entry: field.value.trim() }); };
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") send(); });
    const prompt = this.found.prompt ? node("p", { class: "quiet", text: this.found.prompt }) : null;
    return node("details", { class: "typed", open }, node("summary", { text: t.table.text }), prompt, node("div", { class: "choices" }, field, button(t.table.ok, send)));
  }

  scores() {
    const list = this.found.final ?? this.found.scores;
    if (!list) return null;
    const each = (score, seat) => [node("dt", { text: t.table.player(seat, this.found.me) }), node("dd", { text: String(score) })];
    return node("section", {}, node("h2", { text: t.table.scores }), node("dl", { class: "scores" }, ...list.flatMap(each)));
  }

  moves() {
    const all = [...this.found.moves].reverse();
    if (!all.length) return null;
    const list = node("ol", { class: "moves" }, ...all.slice(0, SHOWN_MOVES).map((text) => node("li", { text })));
    const rest = all.slice(SHOWN_MOVES).map((text) => node("li", { text }));
    const more = rest.length ? node("details", {}, node("summary", { text: t.table.earlier(rest.length) }), node("ol", { class: "moves" }, ...rest)) : null;
    return node("section", {}, node("h2", { text: t.table.moves }), list, more);
  }

  end() {
    this.review ??= new Review(`${this.path}/review`, this.found, (name) => this.objective(name), this.game, this.edition);
    return this.review.root;
  }

  close() {
    this.aborter?.abort();
    this.review?.close();
    document.removeEventListener("visibilitychange", this.seen);
  }
}
