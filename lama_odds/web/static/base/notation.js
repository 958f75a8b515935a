// Position notation: words `name=value` with blanks between them.

/** The words of a text by name. */
export function words(text) {
  const found = {};
  for (const word of text.trim().split(/\s+/)) {
    const at = word.indexOf("=");
    if (at > 0) found[word.slice(0, at)] = word.slice(at + 1);
  }
  return found;
}

/** The text of words; those without a value (null, undefined) are left out. */
export function joined(found) {
  return Object.entries(found)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** Words that are not among those known: they are carried along as they are. */
export function others(found, known) {
  return Object.fromEntries(Object.entries(found).filter(([name]) => !known.includes(name)));
}

/** `33+5L` as a list of faces. */
export function faces(text) {
  return (text ?? "").match(/\d\+|[0-9A-Z]/g) ?? [];
}

/** A list of faces, sorted as in `order`, as text. */
export function text(list, order) {
  return [...list].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join("");
}

/** `21-23,25` as numbers. */
export function ranges(text) {
  if (!text || text === "-") return [];
  return text.split(",").flatMap((part) => {
    const [first, last] = part.split("-").map(Number);
    return Array.from({ length: (last || first) - first + 1 }, (_, i) => first + i);
  });
}

/** Numbers as `21-23,25`. */
export function ranged(numbers) {
  const sorted = [...numbers].map(Number).sort((a, b) => a - b);
  const runs = [];
  for (const n of sorted) {
    const run = runs.at(-1);
    if (run && run[1] === n - 1) run[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join(",") || "-";
}

/** `12,3,20` as numbers for so many players, null if there are none. */
export function numbers(text, players) {
  if (!text) return null;
  const found = text.split(",").map(Number);
  return Array.from({ length: players }, (_, i) => found[i] || 0);
}

const LEFT_OUT = ["centre", "row", "own", "tops"]; // words that are not written where they say what is usual

/** What of a text is not in the text that is shown: {read: the characters left out, word}. */
export function dropped(given, shown) {
  const there = words(shown);
  return given.trim().split(/\s+/).filter(Boolean).flatMap((word) => {
    const at = word.indexOf("=");
    const [name, value] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : ["", word];
    if (value === "-" || (there[name] === undefined && LEFT_OUT.includes(name)) || name === "centre") return [];
    const rest = [...(there[name] ?? "")];
    const lost = [...value].filter((sign) => {
      const found = rest.indexOf(sign);
      if (found >= 0) rest.splice(found, 1);
      return found < 0;
    });
    // Signs between values may be written in more than one way, as `:-` for no specials.
    return lost.some((sign) => /[\p{L}\p{N}]/u.test(sign)) ? [{ lost: lost.join(""), word }] : [];
  });
}
