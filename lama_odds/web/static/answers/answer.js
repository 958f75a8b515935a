// An answer: the verdict in words, a bar for each action, and what lies behind it.

import { node, button } from "../base/nodes.js";
import { brief, digits, percent, rounded, told } from "../base/numbers.js";
import { t } from "../base/texts.js";
import { chanceName } from "./chances.js";
import { ruleOf, ruleText } from "./guesses.js";

const TOO_CLOSE = "too close to call";
const TOSS_UP = "toss-up";
const SHARE = "percentage points"; // the unit of a difference of chances
const MOST = 6; // actions shown at first
const CHANCES = 12; // chances of an action, the greatest

const inWords = (name, game) => t.action(name, game.word, game.who);

/** What follows an action: [{cards, action}]; cards: those drawn, if it depends on them. */
const following = (answer, name) => answer.then?.[name] ?? [];

/** What follows the best action, in a sentence; none if it depends on the card that is drawn. */
function thenText(answer, game) {
  const action = answer.best;
  const uses = following(answer, action);
  if (uses.length !== 1 || uses[0].cards) return "";
  const told = inWords(uses[0].action, game);
  return answer.verdict !== answer.best ? t.ask.thenAfter(t.sentence(inWords(action, game)), told) : t.ask.then(told);
}

/** Whether nothing is known yet that more games could tell. */
export const isOpen = (answer) => answer.verdict === TOO_CLOSE && !answer.caution && answer.method !== "exact" && answer.actions.length > 1;

/** A verdict as nodes: what to do, what then, and how sure that is. */
export function verdictNodes({ text, then, chip }) {
  const said = node("span", { class: "said" }, node("span", { text }), then ? node("span", { class: "then", text: then }) : null);
  return [said, chip ? node("small", { text: chip }) : null];
}

/** What to do, in words: {text, tone, chip, then}. */
export function verdictText(answer, objective, game, asking) {
  return { ...verdictOf(answer, objective, game, asking), then: thenText(answer, game) };
}

function verdictOf(answer, objective, game, asking) {
  const [, second] = answer.actions;
  const best = inWords(answer.best, game);
  const action = t.sentence(best);
  const by = answer.usual ? t.ask.by(inWords(answer.usual.action, game)) : "";
  if (!answer.actions.length) return { text: t.ask.soFar(action), tone: "open", chip: by };
  if (!second) return { text: action, tone: "clear", chip: t.ask.only };
  const other = inWords(second.action, game);
  if (!answer.final && answer.verdict !== answer.best) return { text: t.ask.soFar(action), tone: "open", chip: asking ? t.ask.sharpening(answer.games) : "" };
  const ruled = ruleOf(answer);
  if (ruled) return { text: ruleText(ruled.rule, game), tone: "open", chip: ruled.what };
  if (answer.caution) return { text: t.ask.perhaps(best), tone: "open", chip: answer.caution };
  if (answer.verdict === TOSS_UP) {
    const same = second.regret.value === 0 && second.regret.stderr === 0;
    return { text: t.ask.tossUp(best, other), tone: "open", chip: same ? t.ask.same : "" };
  }
  if (answer.verdict === TOO_CLOSE) return { text: t.ask.notKnown(best, other), tone: "open", chip: by };
  const costs = t.ask.better(action, t.amount(cost(second, objective), unit(objective)), other);
  return { text: costs, tone: answer.final || answer.method === "exact" ? "clear" : "open", chip: sureness(answer) };
}

/** How sure a clear verdict is, and whether other guesses lead to it too. */
function sureness(answer) {
  if (!answer.final && answer.method !== "exact") return t.ask.sharpening(answer.games);
  const how = answer.method === "exact" ? t.ask.exact : t.ask.clear;
  const guessed = (answer.guesses ?? []).filter((each) => !each.assumed);
  return guessed.length ? t.ask.anyway(how) : how;
}

const unit = (objective) => (objective.share ? SHARE : objective.unit);
const scaleOf = (objective) => (objective.share ? 100 : 1);

/** What an action costs against the best. */
function cost(action, objective, shown = brief, like = action.regret) {
  const scale = scaleOf(objective);
  const value = scale * action.regret.value;
  const many = digits(like, scale);
  const seen = value > 0 ? Math.ceil(-Math.log10(value)) : 0;
  const told = action.regret.high > action.regret.low ? shown : brief;
  return told(value, Math.min(3, Math.max(many, seen)));
}

/**
 * The bars, and under them why and how sure. view.all: whether all actions are shown.
 * aims: all objectives of the game, for what another one would choose.
 */
export function answerView(answer, objective, game, view, aims = []) {
  const shown = view.all ? answer.actions : answer.actions.slice(0, MOST);
  const left = answer.actions.length - shown.length;
  const range = ends(answer.actions);
  const sampled = answer.actions.find(({ value }) => value.high > value.low);
  const places = sampled && digits(sampled.value, scaleOf(objective));
  const second = answer.actions[1]?.regret;
  const rows = shown.map((action) => row(action, objective, game, { ...range, places, second, following: (name) => following(answer, name) }, view, action === answer.actions[0]));
  const list = node("div", { class: "bars" }, ...rows);
  const more = left ? button(t.answer.showAll(left), () => { view.all = true; list.closest("section").replaceWith(answerView(answer, objective, game, view, aims)); }, { "data-key": "all-actions" }) : null;
  const better = objective.higher ? t.answer.more : t.answer.fewer;
  const unknown = (answer.assumed ?? []).some(({ id }) => id === "scores unknown");
  return node("section", { class: "values" },
    node("h2", { text: t.answer.title }),
    node("p", { class: "quiet", text: t.answer.counts(t.sentence(objective.brief ?? objective.head), better, objective.share) }),
    unknown ? node("p", { class: "quiet", text: t.answer.scoresUnknown }) : null,
    ...(answer.reasons ?? []).map(({ text }) => node("p", { class: "reason", text })),
    list, more, why(answer, game, view, aims));
}

/** How long the longest bar is: bars are costs, so that the best has none. */
function ends(actions) {
  return { span: Math.max(...actions.slice(1).map((action) => action.regret.high), 0) || 1 };
}

function row(action, objective, game, range, view, isBest) {
  const { value } = action;
  const scale = scaleOf(objective);
  const many = range.places ?? digits(value, scale);
  const number = told(value, objective, many);
  const lost = isBest ? t.answer.best : t.answer.cost(cost(action, objective, rounded, range.second));
  const name = t.sentence(inWords(action.action, game));
  const end = (x) => (objective.share ? t.percent(rounded(scale * x, many)) : rounded(scale * x, many));
  const [low, high] = [end(value.low), end(value.high)];
  const summary = node("summary", { "aria-label": t.answer.bar(name, number, low, high, lost), "data-key": `action.${action.action}` },
    node("span", { class: "what", text: name }), node("span", { class: "number", text: number }),
    isBest ? node("span", {}) : bar(action.regret, range), node("span", { class: "cost", text: lost }));
  const open = view.unfolded === action.action;
  const details = node("details", { class: `bar-row${isBest ? " best" : ""}`, open }, summary, behind(action, objective, low, high, thenLines(range.following(action.action), game)));
  details.addEventListener("toggle", () => {
    if (details.open) view.unfolded = action.action;
    else if (view.unfolded === action.action) view.unfolded = null;
  });
  return details;
}

/** A bar as long as a cost, with its interval as a line. */
function bar({ value, low, high }, range) {
  const at = (x) => Math.min(100, Math.max(0, (100 * x) / range.span));
  const piece = (from, to, kind) => {
    const made = node("span", { class: kind });
    made.style.left = `${Math.min(at(from), at(to))}%`;
    made.style.width = `${Math.max(0.5, Math.abs(at(to) - at(from)))}%`;
    return made;
  };
  const line = high > low ? piece(low, high, "interval") : null;
  return node("span", { class: "bar", "aria-hidden": "true" }, piece(0, value, "fill"), line);
}

/** What follows an action, for each card that may be drawn. */
function thenLines(uses, game) {
  const told = ({ cards, action }) => (cards ? t.answer.ifDrawn(cards.map(game.word), inWords(action, game)) : t.ask.then(inWords(action, game)));
  return uses.length ? [node("ul", { class: "uses" }, ...uses.map((use) => node("li", { text: told(use) })))] : [];
}

/** Interval, other objectives and the chances that an action's value is made of. */
function behind(action, objective, low, high, lines) {
  if (action.value.high > action.value.low) lines.push(node("p", { text: t.answer.interval(low, high) }));
  const chances = Object.entries(action.chances ?? {}).filter(([, chance]) => chance.value > 0);
  const greatest = chances.sort((a, b) => b[1].value - a[1].value).slice(0, CHANCES);
  if (greatest.length) {
    lines.push(node("h3", { text: t.answer.made }), node("dl", { class: "chances" }, ...greatest.flatMap(([name, chance]) => [node("dt", { text: chanceName(name) }), node("dd", { text: percent(chance.value) })])));
  }
  return node("div", { class: "behind" }, ...lines);
}

/** Why, the assumptions, and how many games. */
function why(answer, game, view, aims) {
  const { assumptions = [], otherwise = [] } = answer;
  const repeats = (answer.assumed ?? []).find(({ id }) => id === "repeats")?.text; // said with its number of games
  const aim = (name) => aims.find((each) => each.name === name)?.brief ?? name;
  const exact = answer.method === "exact";
  const seconds = brief(answer.seconds ?? 0, 1);
  const sure = exact ? t.answer.exactLine : t.answer.games(answer.games, seconds);
  const lines = [
    answer.why && !answer.reasons ? node("p", { text: t.sentence(answer.why) }) : null,
    ...otherwise.map(({ objective, action }) => node("p", { text: t.answer.otherwise(aim(objective), inWords(action, game)) })),
    node("p", { text: sure }),
    exact ? null : node("p", { text: t.answer.repeat(answer.games) }),
    assumptions.length ? node("h3", { text: t.answer.assumptions }) : null,
    node("ul", {}, ...assumptions.filter((line) => line !== repeats).map((line) => node("li", { text: t.sentence(line) }))),
  ];
  const details = node("details", { class: "why", open: view.why }, node("summary", { text: t.answer.why, "data-key": "why" }), ...lines);
  details.addEventListener("toggle", () => { view.why = details.open; });
  return details;
}
