// A game at a table: the board, the dock to tap, advice at my turns, how it went.

import { get, post, stream } from "../base/api.js";
import { answerView, verdictNodes, verdictText } from "../answers/answer.js";
import { gameOf } from "../games/games.js";
import { node, button, show } from "../base/nodes.js";
import { board } from "./board.js";
import { Dock, advised } from "./dock.js";
import { Mending } from "./mending.js";
import { Review } from "./review.js";
import { keepSetting, settings, stayAwake } from "./settings.js";
import { t } from "../base/texts.js";

const SHOWN_MOVES = 6;
const LONG = 50; // characters of a verdict that is shown in smaller letters
const AWAY = 4000; // milliseconds until a server that does not answer is asked again

export class Table {
  constructor(id, games, leave) {
    this.path = `/api/games/${encodeURIComponent(id)}`;
    this.games = games;
    this.leave = leave;
    this.view = {};
    this.root = node("div", { class: "table" });
    this.advice = node("div", { class: "answer" });
    this.notes = node("div", { role: "alert" });
    this.dock = new Dock({ send: (entry) => (this.mending ? this.mend(entry) : this.send("entry", { entry })), redraw: () => this.draw(), name: (seat) => this.name(seat) });
    this.seen = () => {
      stayAwake(!document.hidden);
      if (!document.hidden) this.load();
    };
    document.addEventListener("visibilitychange", this.seen);
    new ResizeObserver(() => { this.root.style.setProperty("--dock", `${this.dock.root.offsetHeight}px`); }).observe(this.dock.root);
    for (const [event, on] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false], ["pointerleave", false]]) {
      this.root.addEventListener(event, (found) => this.root.classList.toggle("peek", on && Boolean(found.target.closest?.(".mine, .say, .cover"))));
    }
    stayAwake(true);
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
      if (error.kind === "away") this.timer = setTimeout(() => this.load(), AWAY);
      if (this.found) this.tellNote(error.message, () => this.load());
      else show(this.root, button(t.table.back, this.leave), node("p", { role: "alert", text: error.message }), button(t.table.tryAgain, () => this.load(), { class: "main" }));
    }
  }

  /** How the game stands now. */
  take(found, note = "") {
    const moved = this.found && found.version !== this.found.version;
    this.found = found;
    this.mending = null;
    this.tellNote(note || t.table.dropped(found.dropped ?? []));
    const { me, players } = found;
    this.game = { ...gameOf(found.rules), who: (n) => this.told((me + n) % players) };
    this.shown(found, this.path, moved);
    this.advise();
  }

  /** Draws a game: this one, or as it was before an entry that is mended. */
  shown(found, path, moved) {
    this.now = found;
    this.dock.take(found, this.game, this.edition, path);
    if (moved) this.dock.settle(this.root);
    this.lit = [];
    this.draw();
  }

  /** Enters a past entry again. entry: of the game's list; null: leaves all as it is. */
  async again(entry) {
    this.aborter?.abort();
    this.tellNote("");
    if (!entry) {
      this.take(this.found);
      return;
    }
    this.mending = new Mending(this.path, entry);
    await this.mended(() => this.mending.load());
  }

  /** A part of a past entry was tapped; once it is whole, the game is mended. */
  async mend(words) {
    await this.mended(() => this.mending.add(words), () => this.send("mend", { index: this.mending.entry.index, entry: this.mending.begun }));
  }

  async mended(asked, whole = null) {
    this.root.inert = true;
    try {
      const found = await asked();
      if (found) this.shown(found, `${this.path}#${this.mending.entry.index} ${this.mending.begun}`, true);
      else await whole();
    } catch (error) {
      this.dock.back();
      this.tellNote(error.message);
    }
    this.root.inert = false;
    this.root.scrollIntoView();
  }

  async send(path, body) {
    this.root.inert = true;
    this.tellNote("");
    try {
      this.take(await post(`${this.path}/${path}`, { ...body, version: this.found.version }));
    } catch (error) {
      if (error.status === 409) await this.load(t.table.changed);
      else {
        if (error.kind !== "away") this.dock.back();
        this.tellNote(error.message, error.kind === "away" ? () => this.send(path, body) : null);
      }
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
    const { verdict } = this.dock;
    verdict.hidden = true;
    this.unadvised = false;
    this.lit = [];
    this.dock.light(this.root, this.lit);
    show(this.advice);
    if (!this.found.position || this.found.over || settings().silent) return;
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
        if (answer.final && answer.best) this.lit = advised(answer, this.found.me, this.found.players);
        this.dock.light(this.root, this.lit);
        show(this.advice, answer.actions.length ? answerView(answer, objective, this.game, this.view, this.aims()) : null);
      }, aborter.signal);
    } catch (error) {
      this.unadvised = error.kind === "away";
      if (!aborter.signal.aborted) this.tell({ text: error.defects?.[0] ?? error.message, tone: "idle" });
    }
  }

  tell({ text, tone, chip, then }) {
    const { verdict } = this.dock;
    verdict.hidden = false;
    verdict.className = `verdict ${tone}${text.length > LONG ? " long" : ""}`;
    show(verdict, ...verdictNodes({ text, chip, then }));
  }

  aims() {
    return this.games.find((game) => game.name === this.found.rules.split("/")[0]).objectives;
  }

  objective(name) {
    return this.aims().find((each) => each.name === name) ?? this.aims()[0];
  }

  draw() {
    const { dock, now, mending } = this;
    const ends = this.found.over && !mending;
    if (now.lies) this.lies = now.lies;
    else if (now.awaits !== "penalties") this.lies = null;
    const ctx = dock.context(this.lies);
    this.root.dataset.version = this.found.version;
    this.root.classList.toggle("private", Boolean(settings().hidden));
    show(this.root, this.bar(), this.notes,
      mending ? this.banner() : null,
      ends ? this.end() : null,
      board(ctx, dock.play),
      this.advice, this.moves(), ends ? null : this.more(), ends ? null : dock.root);
    dock.draw(ctx, this.turn());
    dock.light(this.root, this.lit);
  }

  bar() {
    const { found, mending } = this;
    const title = this.games.find((game) => game.name === found.rules.split("/")[0])?.title;
    const undo = () => {
      if (this.dock.fresh || this.dock.back()) return;
      if (mending) this.again(mending.begun ? mending.entry : null);
      else this.send("undo", {});
    };
    const redo = () => { if (!this.dock.fresh) this.send("redo", {}); };
    return node("div", { class: "setup-line" },
      button("‹", this.leave, { "aria-label": t.table.back, "data-key": "back" }),
      node("strong", { text: title }), node("span", { text: found.rules.split("/")[1] }),
      button(t.table.undo, undo, { "data-key": "undo", disabled: !found.entries.length && !this.dock.tokens.length && !mending }),
      button(t.table.redo, redo, { "data-key": "redo", disabled: !found.redo || Boolean(mending) }));
  }

  /** Which entry is mended, and a way out. */
  banner() {
    return node("div", { class: "head banner" }, node("span", { class: "who", text: t.table.mending(this.entryText(this.mending.entry)) }), button(t.table.cancel, () => this.again(null), { "data-key": "mend.cancel" }));
  }

  /** Below all that is tapped: what is rarely needed. */
  more() {
    const row = (name, label) => {
      const on = Boolean(settings()[name]);
      const change = () => {
        keepSetting(name, !on);
        this.draw();
        this.advise();
      };
      return node("div", { class: "head" }, node("span", { class: "who", text: label }), button("", change, { class: "toggle-switch", role: "switch", "aria-checked": String(on), "aria-label": label, "data-key": `set.${name}` }));
    };
    return node("section", { class: "house" }, row("hidden", t.table.hide), row("silent", t.table.silent), this.mending ? null : this.typed(!this.found.choices.length));
  }

  /** A player in a sentence. */
  told(seat) {
    return this.found.names?.[seat] || t.table.other(seat);
  }

  name(seat) {
    return this.found.names?.[seat] || t.table.player(seat, this.found.me);
  }

  turn() {
    const { now } = this;
    if (now.over) return t.table.over;
    if (now.awaits === "deal" && now.choices[0]?.hands > 1) return t.table.dealAll;
    if (now.awaits !== "turn") return t.table.awaits[now.awaits] ?? now.prompt ?? "";
    return now.seat === now.me ? t.table.yours : t.table.theirs(this.name(now.seat));
  }

  /** The same as text, as one types it in `play --table`. */
  typed(open) {
    const field = node("input", { type: "text", "aria-label": t.table.text, autocapitalize: "off", autocomplete: "off", spellcheck: "false", "data-key": "typed" });
    const send = () => { if (field.value.trim()) this.send("entry", { entry: field.value.trim() }); };
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") send(); });
    const prompt = this.found.prompt ? node("p", { class: "quiet", text: this.found.prompt }) : null;
    return node("details", { class: "typed", open }, node("summary", { text: t.table.text }), prompt, node("div", { class: "choices" }, field, button(t.table.ok, send)));
  }

  entryText({ seat, text }) {
    return seat === null ? t.table.statement(text) : text;
  }

  /** All entries, the newest first; one that is tapped is entered again. */
  moves() {
    const all = [...this.found.entries].reverse();
    if (!all.length) return null;
    const one = (entry) => node("li", {}, button(this.entryText(entry), () => this.again(entry), { class: "entry", "aria-label": t.table.mend(this.entryText(entry)), "data-key": `entry.${entry.index}` }));
    const list = node("ol", { class: "moves" }, ...all.slice(0, SHOWN_MOVES).map(one));
    const rest = all.slice(SHOWN_MOVES).map(one);
    const more = rest.length ? node("details", { open: this.view.earlier, on: { toggle: (event) => { this.view.earlier = event.target.open; } } }, node("summary", { text: t.table.earlier(rest.length) }), node("ol", { class: "moves" }, ...rest)) : null;
    return node("section", {}, node("h2", { text: t.table.moves }), node("p", { class: "quiet", text: t.table.tapMove }), list, more);
  }

  end() {
    this.review ??= new Review(`${this.path}/review`, this.found, (name) => this.objective(name), this.game, this.edition);
    return this.review.root;
  }

  close() {
    clearTimeout(this.timer);
    this.aborter?.abort();
    this.review?.close();
    stayAwake(false);
    document.removeEventListener("visibilitychange", this.seen);
  }
}
