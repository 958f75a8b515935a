// Cards, dice and tiles, drawn as SVG: simple shapes of our own in the colours of the values.

import { svg } from "./nodes.js";

const COLOURS = {
  1: ["#f7d54a", "#1b1b1b"],
  2: ["#f4a03a", "#1b1b1b"],
  3: ["#cf3f36", "#ffffff"],
  4: ["#84429b", "#ffffff"],
  5: ["#2a66ad", "#ffffff"],
  6: ["#2c7a37", "#ffffff"],
  7: ["#16727c", "#ffffff"],
  8: ["#8a5a26", "#ffffff"],
  9: ["#a0306c", "#ffffff"],
  10: ["#3a3f8f", "#ffffff"],
};
const LLAMA =
  "M11 9l2 4h4l2-4 2 6c0 3-1 5-3 6v4h7c4 0 6 2 6 5v9h-4v-6h-3v6h-4v-6h-1v6h-4V21c-3-1-5-3-4-6z";
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

function drawing(width, height, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "face" }, ...children);
}

function frame(width, height, fill, radius = 5, stroke = "#00000055") {
  const size = { x: 1, y: 1, width: width - 2, height: height - 2, rx: radius };
  return svg("rect", { ...size, fill, stroke, "stroke-width": 1.5 });
}

function letters(text, x, y, size, fill) {
  const place = { x, y, "font-size": size, "font-weight": 700, "text-anchor": "middle" };
  return svg("text", { ...place, fill, "font-family": "system-ui, sans-serif", text });
}

function llama(fill, dx = 0, dy = 0) {
  return svg("path", { d: LLAMA, fill, transform: `translate(${dx} ${dy})` });
}

/** A card of L.A.M.A.: 1 to 6, 1+ to 6+, L, P; ? and - too. */
export function card(value) {
  if (value === "L") return drawing(40, 52, frame(40, 52, "#fffdf5", 5, "#7a7466"), llama("#6b4a2f"));
  if (value === "P") return drawing(40, 52, frame(40, 52, "#ffd9ec", 5, "#a3246f"), llama("#a3246f"));
  if (!COLOURS[value[0]]) return blank(value);
  const [fill, ink] = COLOURS[value[0]];
  const parts = [frame(40, 52, fill), letters(value[0], 20, 36, 28, ink)];
  if (value.endsWith("+")) parts.push(letters("+", 32, 17, 17, ink));
  return drawing(40, 52, ...parts);
}

/** A die of Lama Dice. */
export function lamaDie(value) {
  if (value === "L") return drawing(44, 44, frame(44, 44, "#fffdf5", 9, "#7a7466"), llama("#6b4a2f", 1, -3));
  const [fill, ink] = COLOURS[value];
  return drawing(44, 44, frame(44, 44, fill, 9), letters(value, 22, 31, 26, ink));
}

/** A die of Pikomino: pips, or a worm. */
export function wormDie(value) {
  const parts = [frame(44, 44, "#fffdf5", 9, "#7a7466")];
  if (value === "W") parts.push(worm(22, 23, 1));
  for (const at of PIPS[value] ?? []) {
    parts.push(svg("circle", { cx: 11 + 11 * (at % 3), cy: 11 + 11 * Math.floor(at / 3), r: 3.6, fill: "#1b1b1b" }));
  }
  return drawing(44, 44, ...parts);
}

function worm(x, y, scale) {
  const d = "M-12 7c0-7 5-7 7 0s7 7 9 0 0-13 6-13";
  const line = { d, fill: "none", stroke: "#b3372f", "stroke-width": 5.5, "stroke-linecap": "round" };
  return svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, svg("path", line));
}

/** A tile of Pikomino, with its worms. */
export function tile(value, worms) {
  if (value === "-") return blank("-");
  const parts = [frame(40, 52, "#f6e9c9", 4, "#7a6a3a"), letters(value, 20, 25, 20, "#1b1b1b")];
  for (let i = 0; i < worms; i += 1) {
    const column = worms === 1 ? 0.5 : i % 2;
    parts.push(worm(11 + 18 * column, worms > 2 ? 34 + 10 * Math.floor(i / 2) : 39, 0.5));
  }
  return drawing(40, 52, ...parts);
}

/** A card of No Prob-Lama: 3 to 10, negative ones, J, D, K, ? and -. */
export function noprobCard(value) {
  if (value === "J") return drawing(40, 52, frame(40, 52, "#fff3b0", 5, "#8a6d00"), letters("★", 20, 28, 22, "#7a5c00"), letters("JOKER", 20, 43, 9, "#1b1b1b"));
  if (value === "D") return drawing(40, 52, frame(40, 52, "#4a1014"), letters("+3", 20, 30, 20, "#fff"), letters("DRAMA", 20, 43, 9, "#fff"));
  if (value === "K") return drawing(40, 52, frame(40, 52, "#0f3d2a"), letters("−3", 20, 30, 20, "#fff"), letters("KARMA", 20, 43, 9, "#fff"));
  if (value.startsWith("-") && value.length > 1) {
    return drawing(40, 52, frame(40, 52, "#e8f1ff", 5, "#2a66ad"), letters(`−${value.slice(1)}`, 20, 35, 22, "#1d4d87"));
  }
  if (!COLOURS[value]) return blank(value);
  const [fill, ink] = COLOURS[value];
  return drawing(40, 52, frame(40, 52, fill), letters(value, 20, 36, value.length > 1 ? 22 : 28, ink));
}

/** The back of a card, or the place for one. */
export function blank(text) {
  const parts = [frame(40, 52, "#5b5566", 5, "#8d86a0")];
  if (text === "-") return drawing(40, 52, svg("rect", { x: 2, y: 2, width: 36, height: 48, rx: 5, fill: "none", stroke: "currentColor", "stroke-dasharray": "4 4" }), letters("–", 20, 34, 22, "currentColor"));
  return drawing(40, 52, ...parts, letters(text, 20, 34, 22, "#fff"));
}
