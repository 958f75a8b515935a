// Numbers as a reader takes them in: as many digits as their error deserves.

const EXACT_DIGITS = 2;
const MOST_DIGITS = 3;
const LEAST = 0.1; // per cent that are shown as a number

/** How many digits an estimate deserves; scale: 100 for chances. */
export function digits(estimate, scale = 1) {
  const half = (scale * (estimate.high - estimate.low)) / 2;
  if (!(half > 0)) return EXACT_DIGITS;
  return Math.min(MOST_DIGITS, Math.max(0, Math.ceil(-Math.log10(half))));
}

export function rounded(value, places) {
  const told = Math.abs(value).toFixed(places);
  return Number(told) !== 0 && value < 0 ? `−${told}` : told;
}

/** Without zeros at the end. */
export function brief(value, places) {
  const told = rounded(value, places);
  return told.includes(".") ? told.replace(/\.?0+$/, "") : told;
}

/** A chance in per cent. */
export function percent(chance) {
  const value = 100 * chance;
  if (value > 0 && value < LEAST) return `< ${LEAST} %`;
  if (value < 100 && value > 100 - LEAST) return `> ${100 - LEAST} %`;
  return `${brief(value, value < 10 || value > 99 ? 1 : 0)} %`;
}

/** An estimate in the unit of an objective, without the unit unless it is a chance. */
export function told(estimate, objective, places) {
  const scale = objective.share ? 100 : 1;
  const many = places ?? digits(estimate, scale);
  const none = Number((scale * estimate.value).toFixed(many)) === 0;
  const shown = estimate.high > estimate.low && !none ? rounded : brief;
  return shown(scale * estimate.value, many) + (objective.share ? " %" : "");
}
