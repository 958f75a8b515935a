// Prints the kind of every text by its key, for each language in this folder: "string", "function of 2".

import { readdirSync } from "node:fs";

const LANGUAGE = /^[a-z]{2}\.js$/;
const found = {};

function kind(value) {
  if (typeof value === "function") return `function of ${value.length}`;
  return value instanceof RegExp ? String(value) : typeof value;
}

function walk(shape, path, value) {
  if (value && typeof value === "object" && !(value instanceof RegExp)) {
    for (const [name, each] of Object.entries(value)) walk(shape, [...path, name], each);
  } else shape[path.join(".")] = kind(value);
}

for (const file of readdirSync(".").filter((name) => LANGUAGE.test(name))) {
  const { texts } = await import(`./${file}`);
  walk((found[file.slice(0, 2)] = {}), [], texts);
}
console.log(JSON.stringify(found));
