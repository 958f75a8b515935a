// The review of a game: what is shown to have cost something, luck and skill, and the mistakes one by one.

import { stream } from "../base/api.js";
import { node, button, show } from "../base/nodes.js";
import { even, rounded } from "../base/numbers.js";
import { courseChart, fallChart } from "./charts.js";
import { Walk, isMistake } from "./walk.js";
import { t } from "../base/texts.js";

const WIN = "win";
const DIGITS = 2; // as in the terminal
const isNone = (value) => Number(value.toFixed(DIGITS)) === 0;
const places = (value) => (Math.abs(value) >= 10 ? 0 : Math.abs(value) >= 1 ? 1 : DIGITS); // a hundredth of 12 means nothing
const last = {}; // the review shown last: {path, version, review, seat}, for when one comes back

export class Review {
  constructor(path, found, objective, game, edition) {
    Object.assign(this, { path, found, objective, game, edition });
    this.seat = found.me;
    this.root = node("div", { class: "review" }, button(t.table.review, () => this.load(), { class: "main" }));
    if (last.path !== path || last.version !== found.version) return;
    this.seat = last.seat;
    this.draw(last.review);
  }

  async load() {
    this.aborter = new AbortController();
    const bar = node("progress", { max: 1, value: 0, "aria-label": t.table.review });
    const told = node("p", { text: t.table.reviewing(0, null) });
    let first = null; // when something was done, for the time that is left
    show(this.root, told, bar);
    try {
      await stream(this.path, (event, data) => {
        if (event === "answer") this.draw(data);
        else {
          first ??= { at: Date.now(), done: data.done };
          bar.value = data.done;
          told.textContent = t.table.reviewing(data.done, timeLeft(first, data.done));
        }
      }, this.aborter.signal);
    } catch (error) {
      if (!this.aborter.signal.aborted) show(this.root, node("p", { role: "alert", text: error.message }), button(t.table.resume, () => this.load(), { class: "main" }));
    }
  }

  draw(review) {
    const objective = this.objective(review.objective);
    const chance = objective.share && (objective.name === WIN || new Set(review.decisions.map((each) => each.round)).size === 1);
    const scaled = (value, scale) => (isNone(scale * value) ? "0" : rounded(scale * value, places(scale * value)));
    const points = (value) => t.amount(scaled(value, objective.share ? 100 : 1), objective.share ? "percentage points" : objective.unit);
    // Parts of a result: percentage points of one chance, or what several rounds add up to.
    const part = (value) => (objective.share && !chance ? t.amount(scaled(value, 1), "rounds won") : points(value));
    const amount = (value) => (chance ? t.percent(even(100 * value, DIGITS)) : objective.share ? part(value) : even(value, DIGITS));
    const level = objective.share ? (value) => t.percent(even(100 * value, DIGITS)) : amount;
    const change = (value) => `${value > 0 && !part(value).startsWith("0 ") ? "+" : ""}${part(value)}`;
    const seat = review.seats.find((each) => each.seat === this.seat) ?? review.seats[0];
    const pick = ({ seat: n }) => button(t.table.player(n, this.found.me), () => { this.seat = n; this.draw(review); }, { class: "flag", "aria-pressed": String(n === seat.seat), "data-key": `review.${n}` });
    Object.assign(last, { path: this.path, version: this.found.version, review, seat: seat.seat });
    const seats = review.seats.length > 1 ? node("div", { class: "choices" }, ...review.seats.map(pick)) : null;
    const chart = objective.share ? t.review.chart : t.review.chartValue;
    this.walk?.close();
    const word = (name, { seat: n }) => t.action(name, this.game.word, (by) => t.table.other((n + by) % this.found.players));
    const mistakes = review.decisions.filter((each) => each.seat === seat.seat && isMistake(each));
    this.walk = new Walk(mistakes, { rules: review.rules, game: this.game, edition: this.edition, word, points });
    const open = seat.uncertain.map((at) => review.decisions[at].where.text);
    show(this.root, node("h2", { text: t.review.title }), seats,
      node("p", { text: t.review.decisions(seat.decisions, seat.shown, points(seat.shown_error)) }),
      seat.shown ? node("p", { class: "quiet", text: t.sentence(t.review.grades(seat.grades)) }) : null,
      open.length ? node("p", { class: "quiet", text: t.review.uncertain(open) }) : null,
      seat.luck_adjusted === null ? null : node("p", { text: luckText(seat, objective, amount, part) }),
      this.walk.root,
      fallChart(steps(seat), amount, change), node("p", { class: "quiet", text: t.review.apart }),
      node("h3", { text: chart }), courseChart(review.course, review.decisions, seat.seat, level));
  }

  close() {
    this.aborter?.abort();
    this.walk?.close();
  }
}

/** The seconds that are left, once a part is done. first: {at, done} of the first report. */
function timeLeft(first, done) {
  const part = done - first.done;
  return part > 0 ? ((Date.now() - first.at) / 1000 / part) * (1 - done) : null;
}

/** What luck gave or took, and what the result is without it. */
function luckText({ luck, result, luck_adjusted: adjusted }, objective, amount, points) {
  const sum = (luck.own_rolls ?? 0) + (luck.between ?? 0);
  const told = points(Math.abs(sum)).startsWith("0 ") ? t.review.noLuck : t.review.luck(sum > 0 === objective.higher, points(Math.abs(sum)));
  return `${told} ${t.review.adjusted(result === null ? null : amount(result), points(adjusted))}`;
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
