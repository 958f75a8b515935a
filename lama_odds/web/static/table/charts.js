// Charts of a review, drawn as SVG.

import { node, svg } from "../base/nodes.js";

const WIDTH = 340;
const ROW = 34;
const HEIGHT = 130;
const EDGE = 8;
const LETTER = 6.2; // the width of a letter of the axis

/** told: a value in words; changed: a change. Bars from the start to the result, each beginning where the one before ended. */
export function fallChart(steps, told, changed) {
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const x = (value) => EDGE + ((WIDTH - 2 * EDGE) * (value - low)) / (high - low || 1);
  const rows = steps.flatMap(({ name, from, to, total }, i) => {
    const kind = total ? "total" : to >= from ? "up" : "down";
    const change = total ? told(to) : changed(to - from);
    return [
      svg("text", { x: EDGE, y: i * ROW + 13, class: "label", text: name }),
      svg("text", { x: WIDTH - EDGE, y: i * ROW + 13, class: "label amount", "text-anchor": "end", text: change }),
      svg("rect", { x: Math.min(x(from), x(to)), y: i * ROW + 18, width: Math.max(1.5, Math.abs(x(to) - x(from))), height: 11, class: kind }),
    ];
  });
  const label = steps.map(({ name, from, to, total }) => `${name}: ${total ? told(to) : changed(to - from)}`).join("; ");
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${ROW * steps.length}`, class: "chart", role: "img", "aria-label": label }, ...rows);
}

/** The value of a seat at each of its decisions; costly decisions are marked. */
export function courseChart(course, decisions, seat, told) {
  const points = course.filter((each) => each.seat === seat && each.before !== null);
  if (points.length < 2) return node("p", { class: "quiet", text: "–" });
  const values = points.flatMap(({ before, after }) => [before, after]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const left = EDGE + LETTER * Math.max(...[low, high].map((value) => told(value).length)); // for the numbers of the axis
  const x = (i) => left + ((WIDTH - left - EDGE) * i) / (points.length - 1);
  const y = (value) => 12 + ((HEIGHT - 24) * (high - value)) / (high - low || 1);
  const line = points.map(({ before, after }, i) => `${i ? "L" : "M"}${x(i)} ${y(before)}L${x(i)} ${y(after)}`).join("");
  const marks = points.flatMap(({ decision, after }, i) => {
    const { grade } = decisions[decision];
    return grade === "fine" ? [] : [svg("circle", { cx: x(i), cy: y(after), r: 4, class: `mark ${grade}` })];
  });
  const axis = [low, high].map((value) => svg("text", { x: left - 5, y: y(value) + 4, "text-anchor": "end", class: "label", text: told(value) }));
  const label = `${told(points[0].before)} – ${told(points.at(-1).after)}`;
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label }, ...axis, svg("path", { d: line, class: "course" }), ...marks);
}
