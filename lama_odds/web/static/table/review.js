// The review of a game: luck and skill, and the decisions that cost most.

import { write } from "../base/address.js";
import { stream } from "../base/api.js";
import { node, button, show } from "../base/nodes.js";
import { rounded } from "../base/numbers.js";
import { courseChart, fallChart } from "./charts.js";
import { t } from "../base/texts.js";

const WORST = 5;
const DIGITS = 2; // as in the terminal
const NONE = (0).toFixed(DIGITS);
const last = {}; // the review shown last: {path, version, review, seat}, for when one comes back

export class Review {
  constructor(path, found, objective, game) {
    Object.assign(this, { path, found, objective, game });
    this.seat = found.me;
    this.root = node("div", { class: "review" }, button(t.table.review, () => this.load(), { class: "main" }));
    if (last.path !== path || last.version !== found.version) return;
    this.seat = last.seat;
    this.draw(last.review);
  }

  async load() {
    this.aborter = new AbortController();
    const bar = node("progress", { max: 1, value: 0, "aria-label": t.table.review });
    const told = node("p", { text: t.table.reviewing(0) });
    show(this.root, told, bar);
    try {
      await stream(this.path, (event, data) => {
        if (event === "answer") this.draw(data);
        else {
          bar.value = data.done;
          told.textContent = t.table.reviewing(data.done);
        }
      }, this.aborter.signal);
    } catch (error) {
      if (!this.aborter.signal.aborted) show(this.root, node("p", { role: "alert", text: error.message }), button(t.table.review, () => this.load()));
    }
  }

  draw(review) {
    const objective = this.objective(review.objective);
    const scale = objective.share ? 100 : 1;
    const amount = (value) => `${rounded(scale * value, DIGITS).replace(".00", "")}${objective.share ? " %" : ""}`;
    const number = (value) => (rounded(scale * value, DIGITS) === NONE ? "0" : rounded(scale * value, DIGITS));
    const points = (value) => t.amount(number(value), objective.share ? t.answer.percentagePoints : objective.unit);
    const change = (value) => `${value > 0 && number(value) !== "0" ? "+" : ""}${points(value)}`;
    const seat = review.seats.find((each) => each.seat === this.seat) ?? review.seats[0];
    const pick = ({ seat: n }) => button(t.table.player(n, this.found.me), () => { this.seat = n; this.draw(review); }, { class: "flag", "aria-pressed": String(n === seat.seat), "data-key": `review.${n}` });
    Object.assign(last, { path: this.path, version: this.found.version, review, seat: seat.seat });
    const seats = review.seats.length > 1 ? node("div", { class: "choices" }, ...review.seats.map(pick)) : null;
    const chart = objective.share ? t.review.chart : t.review.chartValue;
    show(this.root, node("h2", { text: t.review.title }), seats,
      node("p", { text: t.review.decisions(seat.decisions, points(seat.error)) }),
      node("p", { class: "quiet", text: t.sentence(t.review.grades(seat.grades)) }),
      seat.luck_adjusted === null ? null : node("p", { text: luckText(seat, objective, amount, points) }),
      fallChart(steps(seat), amount, change), node("p", { class: "quiet", text: t.review.apart }),
      node("h3", { text: chart }), courseChart(review.course, review.decisions, seat.seat, amount),
      this.worst(review, seat, points));
  }

  /** The decisions that cost most, each with a link to it. */
  worst(review, seat, points) {
    const costly = seat.worst.map((at) => review.decisions[at]).filter((each) => each.error.value > 0).slice(0, WORST);
    if (!costly.length) return node("p", { text: t.review.none });
    const word = (name) => t.action(name, this.game.word, (n) => t.table.other((seat.seat + n) % this.found.players));
    const item = (each) => node("li", {},
      node("strong", { text: `${t.sentence(t.review.played(word(each.played), word(each.best)))} ` }),
      node("span", { text: `(${points(each.error.value)}) ` }),
      node("a", { href: `/?${new URLSearchParams({ rules: review.rules, position: each.position })}`, text: t.review.ask, on: { click: inside } }));
    return node("section", {}, node("h3", { text: t.review.worst }), node("ol", { class: "worst" }, ...costly.map(item)));
  }

  close() {
    this.aborter?.abort();
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

/** What luck gave or took, and what the result is without it. */
function luckText({ luck, result, luck_adjusted: adjusted }, objective, amount, points) {
  const sum = (luck.own_rolls ?? 0) + (luck.between ?? 0);
  const told = points(Math.abs(sum)).startsWith("0 ") ? t.review.noLuck : t.review.luck(sum > 0 === objective.higher, points(Math.abs(sum)));
  return `${told} ${t.review.adjusted(result === null ? null : amount(result), amount(adjusted))}`;
}

/** From the start to the result: what random numbers and decisions brought. */
function steps({ start, luck, skill, result }) {
  const found = [{ name: t.review.start, from: 0, to: start, total: true }];
  let at = start;
  for (const [name, amount] of [[t.review.rolls, luck.own_rolls], [t.review.between, luck.between], [t.review.skill, skill]]) {
    if (!amount && name !== t.review.skill) continue; // the game has no luck of this kind
    found.push({ name, from: at, to: at + (amount ?? 0) });
    at += amount ?? 0;
  }
  return [...found, { name: t.review.result, from: 0, to: result ?? at, total: true }];
}
