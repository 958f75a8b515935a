// The games that the page knows by name; any other is entered as text.

import { game as dice } from "./games/dice.js";
import { game as lama } from "./games/lama.js";
import { game as noprob } from "./games/noprob.js";
import { game as pikomino } from "./games/pikomino.js";
import { game as text } from "./games/text.js";

const known = { lama, dice, pikomino, noprob };

/** The module of a rule set such as `dice/amigo+twenty`. */
export function gameOf(rules) {
  return known[rules.split("/")[0]] ?? text;
}
