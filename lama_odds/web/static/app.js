// The page: its tabs, and which of them the address names.

import { alone, get } from "./base/api.js";
import { read, write } from "./base/address.js";
import { Ask } from "./ask/ask.js";
import { Lookup } from "./lookup.js";
import { node, button, show } from "./base/nodes.js";
import { Tables } from "./table/tables.js";
import { Train } from "./train.js";
import { kept } from "./base/offline.js";
import { whileLoading } from "./base/phone.js";
import { language, t } from "./base/texts.js";

const page = document.getElementById("page");
const loading = node("p", { class: "loading", role: "status", hidden: true });
const tabs = document.getElementById("tabs");
const AWAY = 4000; // milliseconds until a server that does not answer is asked again
const shown = {}; // the tabs that have been opened
let games = [];
let current = null;

function tabOf(query) {
  if (query.table !== undefined && made.table) return "table";
  if (query.train !== undefined) return "train";
  return query.lookup === undefined ? "ask" : "lookup";
}

const made = {
  ask: (query) => new Ask(games, query),
  ...(alone ? {} : { table: (query) => new Tables(games, query) }), // games are kept by the server
  train: (query) => new Train(games, query),
  lookup: (query) => new Lookup(query),
};

/** Shows what the address says; the tabs keep what was entered. */
function open(query) {
  const name = tabOf(query);
  for (const other of Object.keys(shown)) if (other !== name) shown[other].close();
  if (shown[name]) shown[name].open(query);
  else shown[name] = made[name](query);
  current = name;
  show(page, shown[name].root);
  show(tabs, ...Object.keys(made).map((each) => button(t.tabs[each], () => go(each), { "aria-current": each === name ? "page" : null, "data-key": each })));
}

/** A tab is tapped. */
function go(name) {
  if (name === current && name === "ask") return;
  if (name === "ask" && shown.ask) shown.ask.address(true);
  else if (name === "ask") write({}, true);
  else write({ [name]: (name !== current && shown[name]?.id) || "" }, true);
  open(read());
}

/** Says what is being loaded, until it is there. */
function tellLoading(text) {
  loading.textContent = text;
  loading.hidden = !text;
}

async function start() {
  document.documentElement.lang = language;
  document.title = t.title;
  try {
    games = (await get("/api/rules")).games;
  } catch (error) {
    show(page, node("p", { class: "verdict bad", role: "alert", text: error.message }));
    if (error.kind === "away") setTimeout(start, AWAY);
    return;
  }
  open(read());
  window.addEventListener("popstate", () => open(read()));
}

if (!window.lamaOddsCannot) {
  page.before(loading);
  whileLoading(tellLoading);
  if (alone) kept();
  start();
}
