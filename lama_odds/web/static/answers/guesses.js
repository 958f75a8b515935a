// What an answer says of guesses: the rule by a number that is one, and what is best with each value.

import { node } from "../base/nodes.js";
import { brief, digits } from "../base/numbers.js";
import { t } from "../base/texts.js";

const FEW = 3; // values of a guess that are not shown if all lead to the same

/** The guess that the verdict goes by, if there is one. */
export const ruleOf = (answer) => (answer.guesses ?? []).find((each) => each.rule.length) ?? null;

const inWords = (name, game) => t.action(name, game.word, game.who);

/** A rule in a sentence. */
export function ruleText(rule, game) {
  const cases = rule.slice(0, -1).map((step) => t.ask.inCase(inWords(step.action, game), step.when));
  return t.ask.rule(t.sentence(cases.join(", ")), inWords(rule.at(-1).action, game));
}

/** A strip for each number that is a guess: what is best with which value, and by how much. */
export function guessesView(answer, objective, game) {
  const open = ({ assumed, tried }) => !assumed && (tried.length > FEW || tried.some(({ verdict }) => verdict !== answer.best));
  const found = (answer.guesses ?? []).filter((each) => each.counted && (each.rule.length || open(each)));
  return found.length ? node("section", { class: "guesses" }, ...found.flatMap((each) => strip(each, answer, objective, game))) : null;
}

function strip({ counted, tried, rule }, answer, objective, game) {
  const list = node("ol", { class: "strip" }, ...tried.map((each) => point(each, each.best === answer.best, objective, game)));
  const told = rule.length ? `${ruleText(rule, game)}. ` : "";
  const unit = t.unit(objective.share ? "percentage points" : objective.unit);
  return [node("h2", { text: t.sentence(counted) }), node("p", { class: "quiet", text: told + t.answer.strip(unit) }), list];
}

/** A value: what is best there, and what the next best costs. usual: whether that is the advice. */
function point({ label, given, best, verdict, ahead }, usual, objective, game) {
  const scale = objective.share ? 100 : 1;
  const sure = verdict === best;
  const cost = brief(scale * ahead.value, digits(ahead, scale));
  const word = inWords(best, game);
  const told = sure ? t.answer.atGuess(label, word, cost) : t.answer.openAtGuess(label, word);
  return node("li", { class: `${usual ? "usual" : "other"}${sure ? "" : " unsure"}${given ? " given" : ""}`, "aria-label": told },
    node("b", { text: given ? `${label}?` : label }), node("span", { class: "what", text: sure ? word : `≈ ${word}` }), node("span", { class: "per", text: cost }));
}
