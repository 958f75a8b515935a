// Numbers in a language, and the words that go with them.

/** Gives {number, words} of a language. */
export function counting(language) {
  const format = new Intl.NumberFormat(language);
  const decimal = format.formatToParts(0.5).find(({ type }) => type === "decimal").value;
  const kinds = new Map();

  /** A number as the page has written it, and how many decimals it shows. */
  function read(text) {
    const [whole, rest = ""] = text.split(decimal);
    return { value: Number(`${whole.replace("−", "-").replace(/[^\d-]/g, "")}.${rest || "0"}`), decimals: rest.length };
  }

  function kindOf(value, decimals) {
    if (!kinds.has(decimals)) kinds.set(decimals, new Intl.PluralRules(language, { minimumFractionDigits: decimals }));
    return kinds.get(decimals).select(Math.abs(value));
  }

  return {
    /** A whole number, in groups of thousands. */
    number: (value) => format.format(value),

    /** The form for a number: forms has some of one, few, many, other. count: a number, or one as it is shown. */
    form(count, forms) {
      const { value, decimals } = typeof count === "number" ? { value: count, decimals: 0 } : read(count);
      return forms[kindOf(value, decimals)] ?? forms.other;
    },
  };
}
