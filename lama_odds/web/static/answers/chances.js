// The chances of the next card or roll, as a picture.

import { node } from "../base/nodes.js";
import { perCent, percent } from "../base/numbers.js";
import { t } from "../base/texts.js";

const DRAWN = /^draw (\S+)$/;
const GIVEN_BY_ACTIONS = /^(draw|discard|match|stop|steal|take|penalty|mean|opponent|next|improves by) ?/;

/** The name of a chance in words. */
export function chanceName(name) {
  const known = t.chances.names[name];
  if (known) return known;
  for (const [pattern, told] of t.chances.patterns) {
    const found = name.match(pattern);
    if (found) return told(found);
  }
  return name;
}

/** Columns for the cards to come, bars for the rest. */
export function chancesView(odds, game) {
  const events = odds.events ?? {};
  const twice = events["new kind"]?.value === events.raises?.value ? "new kind" : null;
  const all = Object.entries(events).filter(([name]) => !name.startsWith("mean ") && name !== twice);
  const cards = all.filter(([name]) => DRAWN.test(name)).map(([name, chance]) => [name.match(DRAWN)[1], chance.value]);
  const main = all.filter(([name, chance]) => !GIVEN_BY_ACTIONS.test(name) || name in t.chances.names ? chance.value > 0 : false);
  const reach = Object.entries(odds.reach ?? {}).map(([name, chance]) => [name, chance.value]).filter(([, value]) => value > 0);
  if (!all.length && !reach.length) return null;
  const rest = all.filter(([name]) => !DRAWN.test(name) && !main.some(([other]) => other === name)).filter(([, chance]) => chance.value > 0);
  const parts = [
    cards.length ? node("h2", { text: t.chances.draw }) : node("h2", { text: t.chances.what }),
    cards.length ? columns(cards, game.face, game.word) : null,
    bars(main.map(([name, chance]) => [chanceName(name), chance.value])),
    reach.length ? node("h3", { text: t.chances.reach }) : null,
    reach.length ? columns(reach, null, (name) => name) : null,
    rest.length ? node("details", {}, node("summary", { text: t.chances.all }), bars(rest.map(([name, chance]) => [told(name, game), chance.value]))) : null,
  ];
  return node("section", { class: "odds" }, ...parts);
}

function told(name, game) {
  const named = chanceName(name);
  return named === name && /^(discard|stop|steal|take|match)/.test(name) ? t.action(name, game.word) : named;
}

/** A column for each card, its height the chance. */
function columns(pairs, face, word) {
  const most = Math.max(...pairs.map(([, value]) => value)) || 1;
  const column = ([name, value]) => {
    const rise = node("span", { class: "rise" });
    rise.style.height = `${(100 * value) / most}%`;
    return node("li", { "aria-label": `${word(name)}: ${percent(value)}` },
      node("span", { class: "per", text: perCent(value) }), node("span", { class: "space" }, rise),
      face ? face(name) : node("span", { class: "per", text: name }));
  };
  const list = node("ol", { class: "columns" }, ...pairs.map(column));
  list.style.setProperty("--columns", pairs.length > 8 ? Math.ceil(pairs.length / 2) : pairs.length);
  return list;
}

function bars(pairs) {
  const line = ([name, value]) => {
    const fill = node("span", { class: "fill" });
    fill.style.width = `${100 * value}%`;
    return [node("dt", { text: name }), node("dd", {}, node("span", { class: "bar", "aria-hidden": "true" }, fill), node("span", { class: "per", text: percent(value) }))];
  };
  return node("dl", { class: "chance-bars" }, ...pairs.flatMap(line));
}
