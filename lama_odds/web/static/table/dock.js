// What a thumb reaches: who acts and what is best, then buttons whose places do not move.

import { node, button, show } from "../base/nodes.js";
import { context } from "./play/context.js";
import { draftOf, keepDraft } from "./play/drafts.js";
import { begun, walk } from "./play/entry.js";
import { numberPad } from "./play/numberpad.js";
import * as dice from "./play/dice.js";
import * as lama from "./play/lama.js";
import * as noprob from "./play/noprob.js";
import * as pikomino from "./play/pikomino.js";
import * as plain from "./play/plain.js";
import { t } from "../base/texts.js";

const plays = { dice, lama, noprob, pikomino };
const PAUSE = 350; // milliseconds after a change in which a tap is the second of a double tap

export class Dock {
  /** how: {send(entry), redraw(), name(seat)}. */
  constructor(how) {
    Object.assign(this, how);
    this.title = node("h1", {});
    this.news = node("span", { class: "quiet news" });
    this.verdict = node("p", { class: "verdict idle", role: "status", "aria-live": "polite", hidden: true });
    this.asked = node("p", { class: "asked" });
    this.say = node("div", { class: "say" }, node("div", { class: "say-head" }, this.title, this.news), this.verdict, this.asked);
    this.pad = node("div", { class: "pad" });
    this.root = node("div", { class: "dock" }, this.say, this.pad);
    this.changedAt = 0;
  }

  /** A game as it stands now. */
  take(found, game, edition, path) {
    const moved = this.found && this.path === path && this.found.version !== found.version;
    if (moved && this.sent?.version === found.version) keepDraft(path, found.version, this.sent.tokens.slice(0, -1)); // undone: one tap less
    else if (moved) keepDraft(path, found.version, []);
    Object.assign(this, { found, game, edition, path });
    this.tokens = draftOf(this.path, found.version);
    this.play = plays[game.name] ?? plain;
  }

  /** Ignores taps for a moment: what lies under the finger has just changed. */
  settle(root) {
    this.changedAt = Date.now();
    root.classList.add("fresh");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => root.classList.remove("fresh"), PAUSE);
  }

  get fresh() {
    return Date.now() - this.changedAt < PAUSE;
  }

  /** The board and the pad draw with this. */
  context(lies) {
    const { found, game, edition } = this;
    const how = { found, game, edition, lies, draft: this.tokens, name: this.name, tap: (token) => this.tap(token), removed: (at) => this.removed(at), state: { next: new Set() } };
    const first = context(how);
    const more = this.play.seen && { found, ...this.play.seen(first) }; // what `walked` needs
    how.state = found.over || !found.choices.length || this.numbers ? how.state : this.play.walked ? this.play.walked(found.choices, this.tokens, more) : walk(found.choices, this.tokens, found.me);
    this.state = how.state;
    return context(how);
  }

  get numbers() {
    return this.found.choices[0]?.takes === "numbers";
  }

  tap(token) {
    if (this.fresh) return;
    this.put([...this.tokens, token]);
    if (!this.state.entry) return;
    this.sent = { version: this.found.version, tokens: this.tokens };
    this.send(this.state.entry);
  }

  put(tokens) {
    this.tokens = tokens;
    keepDraft(this.path, this.found.version, tokens);
    this.redraw();
  }

  /** Takes the last tap back; false if there is none. */
  back() {
    if (!this.tokens.length) return false;
    this.put(this.tokens.slice(0, -1));
    return true;
  }

  /** One of the faces in the slots is taken back. */
  removed(at) {
    const { taken } = this.state.slots;
    const from = this.tokens.length - taken.length;
    this.put(this.tokens.filter((_, i) => i !== from + at));
  }

  draw(ctx, title) {
    const { found } = this;
    this.title.textContent = title;
    this.news.textContent = found.news.at(-1) ?? found.moves.at(-1) ?? "";
    const ask = this.state?.ask;
    this.asked.textContent = (ask && t.table.asks[ask]) ?? "";
    this.asked.hidden = !this.asked.textContent;
    this.say.classList.toggle("advising", Boolean(found.position));
    this.say.classList.toggle("asking", !this.asked.hidden);
    if (found.over || !found.choices.length) {
      show(this.pad);
      return;
    }
    if (this.numbers) {
      const [choice] = found.choices;
      const how = { name: this.name, tap: (token) => this.put([...this.tokens, token]), back: () => this.back(), send: (values) => { if (!this.fresh) this.send([choice.verb, ...values].join(" ")); } };
      show(this.pad, ...numberPad(choice, this.tokens, how));
      return;
    }
    const whole = this.play === plain || ctx.lies || found.awaits !== "turn" ? this.play : plain;
    show(this.pad, ...whole.pad(ctx));
  }

  /** Lights up what an answer speaks of. */
  light(root, tokens) {
    for (const each of root.querySelectorAll("[data-tokens]")) {
      each.classList.toggle("lit", !each.disabled && each.dataset.tokens.split("|").some((token) => tokens.includes(token)));
    }
  }
}

/** The tokens of the action that an answer advises, and of what follows it. */
export function advised(answer, me, players) {
  const uses = answer.then?.[answer.best] ?? [];
  const actions = [answer.best, ...(uses.length === 1 && !uses[0].cards ? [uses[0].action] : [])];
  return actions.flatMap((action) => {
    const [verb, what, , whom] = action.split(" ");
    if (what === undefined) return [verb, begun(verb)];
    if (verb === "replace") return [`replace ${what}`, `at ${what}`];
    if (verb === "give") return [`give #${((me + Number(whom)) % players) + 1}`];
    return [`${verb} ${what}`];
  });
}
