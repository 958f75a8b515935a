// What an answer says of guesses: the rule by a number that is one, and what is best with each value.

import { node } from "../base/nodes.js";
import { brief, digits } from "../base/numbers.js";
import { t } from "../base/texts.js";

/** The guess that the verdict goes by, if there is one. */
export const ruleOf = (answer) => (answer.guesses ?? []).find((each) => each.rule.length) ?? null;

const inWords = (name, game) => t.action(name, game.word, game.who);

/** A rule in a sentence. */
export function ruleText(rule, game) {
  const cases = rule.slice(0, -1).map((step) => t.ask.inCase(inWords(step.action, game), step.if));
  return t.ask.rule(t.sentence(cases.join(", ")), inWords(rule.at(-1).action, game));
}

/** A strip for each number that is a guess: what is best with which value, and by how much. */
export function guessesView(answer, objective, game) {
  const found = (answer.guesses ?? []).filter((each) => each.counted && (each.rule.length || !each.assumed));
  return found.length ? node("section", { class: "guesses" }, ...found.flatMap((each) => strip(each, objective, game))) : null;
}

function strip({ counted, tried, rule }, objective, game) {
  const actions = [...new Set(tried.map((each) => each.best))];
  const list = node("ol", { class: "strip" }, ...tried.map((each) => point(each, actions.indexOf(each.best), objective, game)));
  const told = rule.length ? node("p", { class: "quiet", text: `${ruleText(rule, game)}.` }) : null;
  return [node("h2", { text: t.sentence(counted) }), told, list];
}

/** A value: what is best there, and what the next best costs. */
function point({ label, given, best, verdict, ahead }, kind, objective, game) {
  const scale = objective.share ? 100 : 1;
  const sure = verdict === best;
  const cost = brief(scale * ahead.value, digits(ahead, scale));
  const word = inWords(best, game);
  const told = sure ? t.answer.atGuess(label, word, cost) : t.answer.openAtGuess(label, word);
  return node("li", { class: `kind${kind}${sure ? "" : " unsure"}${given ? " given" : ""}`, "aria-label": told },
    node("b", { text: given ? `${label}?` : label }), node("span", { class: "what", text: sure ? word : `≈ ${word}` }), node("span", { class: "per", text: cost }));
}
