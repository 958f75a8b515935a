// The texts of the page in the language of the reader: chosen by hand, else the browser's, else English.

const NAME = "lama-odds.language";

/** The languages that there are, each by its own name. */
export const languages = { en: "English", de: "Deutsch", pl: "Polski", fr: "Français" };

/** Chooses a language by hand: the page begins again in it, at the same place. */
export function choose(name) {
  try {
    localStorage.setItem(NAME, name);
  } catch {
    return; // a browser that keeps nothing: its own language stays
  }
  location.reload();
}

function chosen() {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

const wanted = [chosen(), ...navigator.languages.map((name) => name.slice(0, 2))];

export const language = wanted.find((name) => name !== null && Object.hasOwn(languages, name)) ?? "en";
export const { texts: t } = await import(`../texts/${language}.js`);
