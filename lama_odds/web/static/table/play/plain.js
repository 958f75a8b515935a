// A game without a board of its own: what can follow, one after the other.

import { grid, named, slotsRow } from "./context.js";
import { node } from "../../base/nodes.js";

export function pad(ctx) {
  const one = (token) => {
    const [verb, ...rest] = token.split(" ");
    const text = ["die", "card"].includes(verb) ? rest.join(" ") : [named(verb, ctx), ...rest].join(" ");
    return ctx.on(`token.${token}`, [token], node("span", { text }));
  };
  const text = (value) => node("b", { text: value });
  return [ctx.state.slots && slotsRow(ctx, text), grid(3, [...ctx.state.next].map(one), "verbs")];
}
