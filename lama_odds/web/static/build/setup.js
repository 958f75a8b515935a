// Which game, which edition, how many players: one line, unfolded to change it.

import { node, button } from "../base/nodes.js";
import { boxOf } from "../base/remembered.js";
import { card, lamaDie, noprobCard, tile, wormDie } from "../base/faces.js";
import { gameOf } from "../games/games.js";
import { t } from "../base/texts.js";

/** What shows a game at a glance. */
const pictures = {
  lama: () => ["3", "4", "L"].map(card),
  dice: () => ["2", "5", "L"].map(lamaDie),
  pikomino: () => [tile("26", 2), wormDie("W")],
  noprob: () => ["7", "-2", "J"].map(noprobCard),
};

/** What is chosen. chosen: {rules, edition, players, refused}; put({rules?, players?}) changes it. */
export function setup(games, chosen, view, put, redraw) {
  const [name] = chosen.rules.split("/");
  const game = games.find((each) => each.name === name);
  const line = node("div", { class: "setup-line" },
    node("h1", { text: game.title }),
    node("span", { text: [chosen.rules.split("/")[1], ...(chosen.players ? [t.setup.playing(chosen.players)] : [])].join(" · ") }),
    button(view.setup ? t.setup.done : t.setup.change, () => { view.setup = !view.setup; redraw(); }, { "aria-expanded": String(Boolean(view.setup)), "data-key": "setup" }));
  if (!view.setup) return line;
  const done = button(t.setup.done, () => { view.setup = false; redraw(); }, { class: "main", "data-key": "done" });
  return node("section", { class: "setup" }, line, ...chooser(games, chosen, put), done);
}

/** All there is to choose: game, edition, players, house rules. */
export function chooser(games, chosen, put) {
  const [name] = chosen.rules.split("/");
  const game = games.find((each) => each.name === name);
  const general = chosen.refused && !chosen.refused.option ? node("p", { class: "defects", role: "alert", text: t.sentence(chosen.refused.message) }) : null;
  return [general, gamesList(games, name, put), editions(game, chosen, put), chosen.players && players(chosen, put), house(game, chosen, put)];
}

function gamesList(games, name, put) {
  const pick = (game) => {
    const made = button(null, () => put({ rules: boxOf(games, game.name) }), { class: "flag picture", "aria-label": game.title, "aria-pressed": String(game.name === name), "data-key": `game.${game.name}` });
    made.append(node("span", { class: "row-of-faces", "aria-hidden": "true" }, ...(pictures[game.name] ?? (() => []))()), node("span", { text: game.title }));
    return made;
  };
  return node("fieldset", {}, node("legend", { text: t.setup.game }), node("div", { class: "choices" }, ...games.map(pick)));
}

const base = (rules) => rules.split("+")[0];

function editions(game, chosen, put) {
  const pick = ({ id, says }) => {
    const made = button(null, () => put({ rules: id }), { class: "edition", "aria-pressed": String(base(chosen.rules) === id), "data-key": `edition.${id}` });
    made.append(node("strong", { text: t.boxes[id] ?? t.sentence(id.split("/")[1]) }), node("span", { text: says }));
    return made;
  };
  return node("fieldset", {}, node("legend", { text: t.setup.edition }), ...game.editions.map(pick));
}

function players(chosen, put) {
  const [least, most] = chosen.edition.players;
  const counts = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  const pick = (n) => button(String(n), () => put({ players: n }), { class: "flag", "aria-pressed": String(chosen.players === n), "aria-label": t.setup.playing(n), "data-key": `players.${n}` });
  return node("fieldset", {}, node("legend", { text: t.setup.players }), node("div", { class: "choices" }, ...counts.map(pick)));
}

/** Options that are on or off. */
function house(game, chosen, put) {
  const usual = game.editions.find((each) => each.id === base(chosen.rules))?.values ?? {};
  const names = Object.keys(usual).filter((option) => typeof usual[option] === "boolean");
  if (!names.length) return null;
  const offered = names.filter((option) => gameOf(chosen.rules).offers?.(option, chosen.edition.values) ?? true);
  const row = (option) => {
    const on = chosen.edition.values[option];
    const label = t.sentence(game.options[option] ?? option);
    const props = { class: "toggle-switch", role: "switch", "aria-checked": String(on), "aria-label": label, "data-key": `option.${option}` };
    const refused = chosen.refused?.option === option ? node("p", { class: "defects", role: "alert", text: t.sentence(chosen.refused.message) }) : null;
    return node("div", {}, node("div", { class: "head" }, node("span", { class: "who", text: label }), button("", () => put({ rules: toggled(chosen.rules, option, usual[option], !on), option }), props)), refused);
  };
  const details = node("details", { class: "house", open: chosen.rules.includes("+") || Boolean(chosen.refused?.option) }, node("summary", { text: t.setup.house }), ...offered.map(row));
  return details;
}

/** A rule set with an option on or off; `usual` is what its edition has. */
function toggled(rules, option, usual, on) {
  const [id, ...options] = rules.split("+");
  const rest = options.filter((each) => each.split("=")[0] !== option);
  if (on !== usual) rest.push(on ? option : `${option}=off`);
  return [id, ...rest.sort()].join("+");
}
