// How one likes the table to be, kept in this browser: a hidden hand, no advice while one plays.

const NAME = "lama-odds.table";

/** {hidden, silent}: whether the hand is covered, whether there is no advice before the review. */
export function settings() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? {};
  } catch {
    return {};
  }
}

export function keepSetting(name, on) {
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...settings(), [name]: on }));
  } catch {
    // a browser that keeps nothing
  }
}

let lock = null;

/** Keeps the screen on while a game is open; only browsers in a secure context can. */
export async function stayAwake(on) {
  try {
    if (on) lock ??= await navigator.wakeLock?.request("screen");
    else await lock?.release();
    if (!on || lock?.released) lock = null;
  } catch {
    lock = null;
  }
}
