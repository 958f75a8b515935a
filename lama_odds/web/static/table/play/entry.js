// What taps mean: the tokens tapped so far, those that may follow, and the entry once it is whole.
//
// A token is what a button says of the game, as `play 5`, `die 4`, `card L` or `at 1,2`. The server
// says what can be entered; here it is only taken apart, so that buttons can stay where they are.

const count = (list, face) => list.filter((each) => each === face).length;
export const last = (token) => token.slice(token.indexOf(" ") + 1);

/** The token of a verb that waits for what belongs to it. */
export const begun = (verb) => `${verb} …`;

/**
 * choices: as the server sends them. draft: the tokens so far.
 * Gives {next: tokens, entry: text or null, slots: {taken, many, seat} or null, ask: what is missing}.
 */
export function walk(choices, draft, me) {
  const [choice] = choices;
  if (!choice) return found([]);
  if (choice.places) return placing(choice, draft);
  if (choice.hands || (choice.verb === "deal" && choice.count)) return dealing(choice, draft, me);
  if (choice.verb === "top") return draft.length ? found([], `top ${last(draft[0])}`) : found(choice.options.map((option) => `card ${option}`));
  return turn(choices, draft);
}

const found = (next, entry = null, more = {}) => ({ next: new Set(next), entry, slots: null, ask: null, ...more });

/** A turn, or a part of one. */
function turn(choices, draft) {
  const [first, second] = draft;
  if (first === undefined) return found(choices.flatMap(openings));
  if (first.startsWith("die ")) return rolling(choices.find(({ count: dice }) => dice), draft);
  const [verb, ...rest] = first.split(" ");
  const same = choices.filter((choice) => choice.verb === verb);
  const single = same.find((choice) => !choice.takes);
  if (!rest.length && single) return found([], verb);
  if (first === begun(verb)) {
    if (second !== undefined) return turn(choices, draft.slice(1));
    return found(same.flatMap(options), null, { ask: verb });
  }
  const option = rest.join(" ");
  const choice = same.find((each) => each.options.includes(option));
  if (!choice?.then) return found([], first);
  if (second !== undefined) return found([], `${first} ${last(second)}`);
  return found(choice.then.options.map((each) => `then ${each}`), null, { ask: "then" });
}

const options = (choice) => (choice.options ?? []).map((option) => `${choice.verb} ${option}`);

function openings(choice) {
  if (!choice.takes) return [choice.verb];
  if (choice.count) return choice.options.filter((face) => fits([face], choice.rolls)).map((face) => `die ${face}`);
  return [begun(choice.verb), ...options(choice)];
}

/** Whether the faces can be part of one of these (all: no list): dice may show some combinations only. */
export function fits(taken, rolls) {
  return !rolls || rolls.some((roll) => [...new Set(taken)].every((face) => count([...roll], face) >= count(taken, face)));
}

/** So many dice. */
function rolling(choice, draft) {
  const taken = draft.map(last);
  const slots = { taken, many: choice.count, seat: null };
  if (taken.length === choice.count) return found([], `${choice.verb} ${taken.join("")}`, { slots });
  return found(choice.options.filter((face) => fits([...taken, face], choice.rolls)).map((face) => `die ${face}`), null, { slots, ask: "dice" });
}

/** The hands of a deal, one after the other. */
function dealing(choice, draft, me) {
  const hands = choice.hands || 1;
  const all = draft.map(last);
  const free = (face) => !choice.copies || count(all, face) < choice.copies[face];
  const at = Math.min(hands - 1, Math.floor(all.length / choice.count));
  const hand = (n) => all.slice(n * choice.count, (n + 1) * choice.count);
  const slots = { taken: hand(at), many: choice.count, seat: hands === 1 ? me : at };
  if (all.length === hands * choice.count) {
    const words = Array.from({ length: hands }, (_, n) => hand(n).join(""));
    return found([], [choice.verb, ...words].join(" "), { slots });
  }
  return found(choice.options.filter(free).map((face) => `card ${face}`), null, { slots, ask: "deal" });
}

/** Cards that I looked at: a place, then its card. */
function placing(choice, draft) {
  const pairs = [];
  for (const token of draft) {
    if (token.startsWith("at ")) pairs.push({ place: last(token) });
    else pairs.at(-1).card = last(token);
  }
  const looked = { looked: pairs };
  const open = pairs.at(-1);
  if (open && !open.card) return found(choice.options.map((face) => `card ${face}`), null, { ...looked, ask: "looked" });
  if (pairs.length === choice.count) return found([], [choice.verb, ...pairs.map(({ place, card }) => `${place.replace(",", "")}=${card}`)].join(" "), looked);
  const places = [1, 2, 3].flatMap((row) => [1, 2, 3].map((column) => `${row},${column}`));
  const free = places.filter((place) => choice.places.includes(place.replace(",", "")) && !pairs.some((each) => each.place === place));
  return found(free.map((place) => `at ${place}`), null, { ...looked, ask: "where" });
}
