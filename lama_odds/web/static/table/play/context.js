// What boards and pads draw with: buttons of tokens, and what lies there as the server says it.

import { node, button } from "../../base/nodes.js";
import { words } from "../../base/notation.js";
import { begun } from "./entry.js";
import { t } from "../../base/texts.js";

const FACED = ["card", "die"];

/**
 * how: {found, game, edition, draft, state, tap(token), name(seat)}; state: as `walk` gives it.
 * A button has all tokens that its place can ever mean; it is disabled while none of them may follow.
 */
export function context(how) {
  const { found, game } = how;
  const lies = how.lies ? { seat: how.lies.seat, words: words(how.lies.position) } : null;
  const at = (seat) => (seat - lies.seat + found.players) % found.players;
  const on = (key, tokens, content, props = {}) => {
    const token = tokens.find((each) => how.state.next.has(each)) ?? null;
    const made = button(null, () => token && how.tap(token), { "aria-label": tokens.length ? tokenName(token ?? tokens[0], how) : null, ...props, "data-key": key, "data-tokens": tokens.join("|"), disabled: !token });
    made.append(...[content].flat().filter(Boolean));
    return made;
  };
  const verb = (name, tokens, more = null, props = {}) => on(`verb.${name}`, tokens ?? [name, begun(name)], [node("span", { text: named(name, how) }), more], props);
  return { ...how, lies, at, on, verb, shape: (takes) => game.shape(takes, how.edition) };
}

/** A verb as one says it of whoever acts. */
export const named = (verb, { found }) => (found.seat === found.me && t.table.mine[verb]) || t.table.verbs[verb] || verb;

/** What tapping a token says. */
export function tokenName(token, how) {
  const [verb, ...rest] = token.split(" ");
  const what = rest.join(" ");
  if (what === "…" || !what) return named(verb, how);
  if (verb === "gone") return t.table.gone(how.game.word(what));
  if (verb === "done") return t.table.done;
  if (verb === "then") return t.table.turned(how.game.word(what));
  if (verb === "at" || verb === "replace") return t.table.place(what);
  if (what.startsWith("#")) return t.table.does(named(verb, how), [how.name(Number(what.slice(1)) - 1)]);
  const list = (what.match(/\d+\+|-?\d+|[A-Z]/g) ?? [what]);
  const faces = list.length === 1 && /^\d{2,}$/.test(what) && how.game.name === "dice" ? [...what] : list;
  return t.table.does(FACED.includes(verb) ? t.table.adds : named(verb, how), faces.map(how.game.word));
}

/** The faces of a deal or a roll so far, with places for the rest; tapping one takes it back. */
export function slotsRow({ state, game, removed, name }, draw) {
  const { taken, many, seat } = state.slots;
  const one = (face, at) => {
    const made = button(null, () => removed(at), { class: "pick", "aria-label": t.build.remove(game.word(face)), "data-key": `taken.${at}` });
    made.append(draw(face));
    return made;
  };
  const empty = Array.from({ length: many - taken.length }, () => node("span", { class: "slot" }));
  const who = seat === null ? null : node("span", { class: "who", text: t.table.handOf(name(seat)) });
  return node("div", { class: "slots" }, who, node("div", { class: "chosen" }, ...taken.map(one), ...empty));
}

/** A row of buttons that share the width. */
export const grid = (columns, buttons, kind = "") => {
  const box = node("div", { class: `pad-grid ${kind}` }, ...buttons);
  box.style.setProperty("--columns", columns);
  return box;
};

/** All that can follow, as it comes, where a game has no place for it. */
export function optionsRow(ctx, verbs) {
  const tokens = [...ctx.state.next].filter((token) => verbs.includes(token.split(" ")[0]) && !token.endsWith("…") && token.includes(" "));
  const one = (token) => {
    const [verb, ...rest] = token.split(" ");
    const what = rest.join(" ");
    const list = what.match(/\d\+|[0-9A-Z]/g) ?? [];
    return ctx.on(`option.${verb}.${what}`, [token], [node("span", { text: named(verb, ctx) }), ...list.map((face) => ctx.shape("card")(face))], { class: "option" });
  };
  return node("div", { class: "options" }, ...tokens.map(one));
}
