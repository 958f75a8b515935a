// The table as it lies: the middle, and for every player name, score and what they hold.

import { node } from "../base/nodes.js";
import { t } from "../base/texts.js";

/** ctx: as `context` gives it. Players stand in turn order, you last; in two columns you are first. */
export function board(ctx, play) {
  const { found, name } = ctx;
  const drawn = play.holds && (ctx.lies || play.wide);
  const order = Array.from({ length: found.players }, (_, i) => (found.me + (play.wide ? 0 : 1) + i) % found.players);
  const scores = found.final ?? found.scores;
  const place = (seat) => {
    const classes = ["seat", seat === found.seat ? "acting" : "", seat === found.me ? "mine" : ""].filter(Boolean);
    return node("section", { class: classes.join(" "), "data-seat": seat, "aria-label": name(seat) },
      node("div", { class: "seat-head" }, node("strong", { text: name(seat) }), scores ? node("span", { class: "score", text: t.table.score(scores[seat], found.unit) }) : null),
      drawn ? play.holds(ctx, seat) : null);
  };
  return node("div", { class: `board${play.wide ? " wide" : ""}` },
    ctx.lies && play.middle ? play.middle(ctx) : null, node("div", { class: "seats" }, ...order.map(place)));
}
