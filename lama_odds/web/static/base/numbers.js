// Numbers as a reader takes them in: as many digits as their error deserves, as the language writes them.

import { language, t } from "./texts.js";

const EXACT_DIGITS = 2;
const MOST_DIGITS = 3;
const LEAST = 0.1; // per cent that are shown as a number

const formats = new Map();

/** A number without a sign, with `least` to `most` decimals. */
function written(value, least, most) {
  const key = `${least} ${most}`;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping: false }));
  return formats.get(key).format(Number(Math.abs(value).toFixed(most)));
}

const signed = (value, places, text) => (value < 0 && Number(value.toFixed(places)) !== 0 ? `−${text}` : text);

/** How many digits an estimate deserves; scale: 100 for chances. */
export function digits(estimate, scale = 1) {
  const half = (scale * (estimate.high - estimate.low)) / 2;
  if (!(half > 0)) return EXACT_DIGITS;
  return Math.min(MOST_DIGITS, Math.max(0, Math.ceil(-Math.log10(half))));
}

export const rounded = (value, places) => signed(value, places, written(value, places, places));

/** Without zeros at the end. */
export const brief = (value, places) => signed(value, places, written(value, 0, places));

/** With all its decimals, or with none if they are zeros. */
export const even = (value, places) => (Number.isInteger(Number(value.toFixed(places))) ? rounded(value, 0) : rounded(value, places));

/** A chance as a number of per cent. */
export function perCent(chance) {
  const value = 100 * chance;
  if (value > 0 && value < LEAST) return `< ${brief(LEAST, 1)}`;
  if (value < 100 && value > 100 - LEAST) return `> ${brief(100 - LEAST, 1)}`;
  return brief(value, value < 10 || value > 99 ? 1 : 0);
}

/** A chance in per cent. */
export const percent = (chance) => t.percent(perCent(chance));

/** An estimate in the unit of an objective, without the unit unless it is a chance. */
export function told(estimate, objective, places) {
  const scale = objective.share ? 100 : 1;
  const many = places ?? digits(estimate, scale);
  const none = Number((scale * estimate.value).toFixed(many)) === 0;
  const shown = estimate.high > estimate.low && !none ? rounded : brief;
  const text = shown(scale * estimate.value, many);
  return objective.share ? t.percent(text) : text;
}
