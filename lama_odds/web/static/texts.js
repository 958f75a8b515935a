// The texts of the page in the language of the reader; English where there is no other.

import { texts as en } from "./texts/en.js";

const catalogues = { en };
const wanted = navigator.languages.map((name) => name.slice(0, 2)).find((name) => name in catalogues);

export const language = wanted ?? "en";
export const t = catalogues[language];
