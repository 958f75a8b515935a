// The mistakes of a reviewed game, one by one: the position, what you would do now, then the answer.

import { linkOf, write } from "../base/address.js";
import { node, button, show } from "../base/nodes.js";
import { positionView } from "./position.js";
import { t } from "../base/texts.js";

const NEXT = ["ArrowRight", "n", "j"];
const BEFORE = ["ArrowLeft", "p", "k"];
const FINE = "fine";

/** Whether a decision is a mistake: its cost is shown, and not small. */
export const isMistake = (decision) => decision.shown && decision.grade !== FINE;

export class Walk {
  /** how: {rules, game, edition, word, points}; word: an action in words, points: a cost with its unit. */
  constructor(decisions, how) {
    Object.assign(this, { decisions, how });
    this.at = 0;
    this.root = node("section", { class: "walk" });
    this.keys = (event) => this.pressed(event);
    document.addEventListener("keydown", this.keys);
    this.begin(0);
  }

  begin(at) {
    this.at = Math.min(Math.max(at, 0), this.decisions.length - 1);
    this.tried = null;
    this.open = false;
    this.draw();
  }

  pressed(event) {
    const writing = event.target.closest?.("input, textarea, select");
    if (writing || event.ctrlKey || event.metaKey || event.altKey || !this.root.isConnected) return;
    const by = NEXT.includes(event.key) ? 1 : BEFORE.includes(event.key) ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    this.begin(this.at + by);
    this.root.scrollIntoView({ block: "nearest" });
  }

  draw() {
    if (!this.decisions.length) {
      show(this.root, node("h3", { text: t.review.mistakes }), node("p", { text: t.review.none }));
      return;
    }
    const decision = this.decisions[this.at];
    const go = (by, text, key) => button(text, () => this.begin(this.at + by), { "data-key": key, disabled: !this.decisions[this.at + by] });
    show(this.root,
      node("h3", { text: t.review.mistakes }),
      node("div", { class: "choices" }, go(-1, t.review.before, "walk.before"), node("span", { text: t.review.place(this.at + 1, this.decisions.length) }), go(1, t.review.next, "walk.next")),
      node("p", {}, node("strong", { text: t.sentence(decision.where.text) })),
      positionView(decision.position, this.how.game, this.how.edition, true),
      this.open ? this.answer(decision) : this.question(decision));
  }

  /** The actions, in an order that does not say which is best. */
  question(decision) {
    const choose = (action) => { this.tried = action; this.open = true; this.draw(); };
    const one = (action) => button(t.sentence(this.how.word(action, decision)), () => choose(action), { "data-key": `walk.${action}` });
    return node("div", {},
      node("p", { text: t.review.tryIt }),
      node("div", { class: "choices" }, ...Object.keys(decision.values).sort().map(one)),
      button(t.review.answer, () => choose(null), { class: "quiet-button", "data-key": "walk.answer" }));
  }

  answer(decision) {
    const { best, played, values } = decision;
    const word = (action) => this.how.word(action, decision);
    const cost = (action) => this.how.points(action === played ? decision.error.value : Math.abs(values[action].value - values[best].value));
    const now = this.tried === null ? null : this.tried === best ? t.review.right(word(best)) : t.review.wrong(word(this.tried), cost(this.tried));
    const row = (action) => node("li", { class: action === best ? "best" : null, text: action === best ? t.review.isBest(t.sentence(word(action))) : t.review.cost(t.sentence(word(action)), cost(action)) });
    return node("div", { role: "status" },
      now ? node("p", {}, node("strong", { text: now })) : null,
      node("p", { text: t.sentence(t.review.then(word(played), cost(played), word(best))) }),
      decision.why ? node("p", { class: "reason", text: decision.why }) : null,
      node("ul", { class: "worst" }, ...Object.keys(values).map(row)),
      node("div", { class: "choices" },
        button(t.table.tryAgain, () => this.begin(this.at), { "data-key": "walk.again" }),
        node("a", { href: linkOf(new URLSearchParams({ rules: this.how.rules, position: decision.position })), text: t.review.ask, on: { click: inside } })));
  }

  close() {
    document.removeEventListener("keydown", this.keys);
  }
}

/** Follows a link without loading the page again, so that the review is still there afterwards. */
function inside(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  write(Object.fromEntries(new URL(event.currentTarget.href).searchParams), true);
  window.dispatchEvent(new PopStateEvent("popstate"));
  window.scrollTo(0, 0);
}
