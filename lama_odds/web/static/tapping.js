// What can be entered now at a table, as things to tap; the server says what there is.

import { node, button, show } from "./nodes.js";
import { faces } from "./notation.js";
import { dealing, numbering, several } from "./tapping_many.js";
import { t } from "./texts.js";

const FEW = 4; // options that are buttons of their own

/**
 * Draws choices and sends the entry that was tapped.
 * how: {game, edition, me, seat, players, cells, send}; cells: my nine cards, if there are any.
 */
export function tapping(choices, how) {
  const root = node("div", { class: "tapping" });
  const verbs = [...new Set(choices.map((choice) => choice.verb))].sort((a, b) => rank(a) - rank(b));
  const only = verbs.length === 1 && choices[0].takes ? verbs[0] : null;
  const start = () => show(root, ...menu(verbs, choices, how, unfold));
  const unfold = (verb) => step(root, choices.filter((choice) => choice.verb === verb), [verb], how, only ? null : start);
  if (only) unfold(only);
  else start();
  return root;
}

const ORDER = ["roll", "play", "draw", "take", "keep", "stop", "steal", "discard", "replace", "give", "pass", "quit"];
const rank = (verb) => (ORDER.includes(verb) ? ORDER.indexOf(verb) : ORDER.length);
const named = (verb, how) => (how.seat === how.me && t.table.mine[verb]) || t.table.verbs[verb] || verb;

/** A button for each verb, or for each of a few options. */
function menu(verbs, choices, how, unfold) {
  return [node("div", { class: "choices big" }, ...verbs.flatMap((verb) => {
    const same = choices.filter((choice) => choice.verb === verb);
    const [choice] = same;
    if (!choice.takes) return [button(named(verb, how), () => how.send(verb), { class: verbs.length > 1 ? null : "main", "data-key": `verb.${verb}` })];
    const single = same.length === 1 && !choice.count && !choice.then;
    if (single && choice.options.length <= FEW) return choice.options.map((option) => optionButton(choice, option, how, () => how.send(`${verb} ${option}`), verb));
    return [button(`${named(verb, how)} …`, () => unfold(verb), { "data-key": `verb.${verb}` })];
  }))];
}

/** The next thing to tap after some words. again: leads back to the verbs. */
function step(root, choices, words, how, again) {
  const [choice] = choices;
  const done = (more) => how.send([...words, ...more].join(" ").trim());
  const back = again && button(t.table.again, again, { class: "quiet-button", "data-key": "again" });
  const head = node("h3", { text: named(words[0], how) });
  let body;
  if (choice.takes === "numbers") body = numbering(choice, how, done);
  else if (choice.hands || choice.places) body = dealing(choice, how, done);
  else if (choice.count) body = several(choice, how, done);
  else body = single(root, choices, words, how, again);
  show(root, again || choice.takes !== "cards" ? node("div", { class: "head" }, head, back) : null, body);
}

/** One of the options, and what has to follow it. */
function single(root, choices, words, how, again) {
  const tap = (choice, option) => {
    if (choice.then) step(root, [choice.then], [...words, option], how, again);
    else how.send([...words, option].join(" "));
  };
  const all = choices.flatMap((choice) => choice.options.map((option) => ({ choice, option })));
  const made = ({ choice, option }) => optionButton(choice, option, how, () => tap(choice, option), words[0]);
  if (choices[0].takes !== "place" && all.length > FEW) return faceGrid(choices[0], all.map(made));
  if (choices[0].takes !== "place") return node("div", { class: "choices big" }, ...all.map(made));
  const places = [1, 2, 3].flatMap((row) => [1, 2, 3].map((column) => `${row},${column}`));
  const cell = (place) => {
    const found = all.find(({ option }) => option === place);
    return placeButton(place, how, () => tap(found.choice, place), !found);
  };
  return node("div", { class: "cells" }, ...places.map(cell));
}

/** Many options as faces alone: their verb stands above them. */
function faceGrid(choice, buttons) {
  const box = node("div", { class: choice.takes === "cards" ? "choices big" : "palette bare" }, ...buttons);
  box.style.setProperty("--columns", Math.min(7, buttons.length));
  return box;
}

/** A place in a grid of nine, with my card if it is mine and known. */
export function placeButton(place, how, click, disabled) {
  const at = 3 * (Number(place[0]) - 1) + Number(place.at(-1)) - 1;
  const card = how.seat === how.me && how.cells ? how.cells[at].replace(/[()]/g, "") : "?";
  const made = button(null, click, { class: "pick", disabled, "aria-label": `${t.table.place(place)}: ${how.game.word(card)}`, "data-key": `place.${place}` });
  made.append(how.game.face(card));
  return made;
}

/** An option as cards, dice or tiles; a player by name. */
export function optionButton(choice, option, how, click, verb) {
  const { game, edition, me } = how;
  const told = { class: "option", "data-key": `option.${verb}.${option}` };
  if (choice.takes === "player") return button(t.table.player(Number(option.slice(1)) - 1, me), click, told);
  const draw = game.shape(choice.takes, edition);
  if (!draw) return button(`${named(verb, how)} ${option}`, click, told);
  const list = choice.takes === "cards" ? faces(option) : [option];
  const name = `${named(verb, how)} ${list.map(game.word).join(", ")}`;
  const made = button(null, click, { ...told, "aria-label": name });
  made.append(node("span", { text: named(verb, how) }), ...list.map(draw));
  return made;
}
