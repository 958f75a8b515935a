// Answers the questions of the page: see static/base/phone.js for what comes and goes.

import { B, P } from "./python.js";
import "./builtins.js";
import { fromPlain, toPlain } from "./stdlib.js";
import { loaded } from "./npy.js";
import * as bridge from "./bridge.js";
import { loadKernels } from "./kernels.js";
import { Players } from "./workers.js";
import { Solved } from "./solved.js";
import modules from "./modules.js";
import { BUILD, CODE, LISTS, TABLES, VERSION } from "./files.js";

const UNPROCESSABLE = 422;
const FAULT = 500;
const TRIES = 3;
const PAUSE = 500; // milliseconds before a file is asked for again

/** A table that has to come first. */
class Missing {
  constructor(name) {
    this.name = name;
  }
}
/** What did not arrive, or is not what was built. */
class Away extends Error {}

/** A question that is no longer wanted. */
class GivenUp {}

// Files: packed, each with its hash in its list.

const files = new Map();
const json = new Map();
async function fetched(name, { file, sha256 }) {
  for (let left = TRIES; ; left -= 1) {
    try {
      const reply = await fetch(new URL(file, import.meta.url));
      if (!reply.ok) throw new Away(`${name}: ${reply.status}`);
      const packed = await reply.arrayBuffer();
      const found = new Uint8Array(await crypto.subtle.digest("SHA-256", packed));
      if ([...found].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== sha256) throw new Away(`${name} is another file`);
      return new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
    } catch (error) {
      if (left <= 1) throw error instanceof Away ? error : new Away(`${name}: ${error.message}`);
      await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    }
  }
}
const bytesOf = (name) => {
  if (!files.has(name)) throw new Missing(name);
  return files.get(name);
};
/** Loads a table, and those that are used with it: of the same game, rule set and number of players. */
async function load(name) {
  if (solved.has(name)) {
    const found = await solved.read(name);
    if (found) files.set(name, found);
    return;
  }
  if (!(name in TABLES)) throw new Away(`there is no ${name}`);
  tell({ working: "tables" });
  const beside = Object.keys(TABLES).filter((each) => !files.has(each) && goesWith(each, name));
  await Promise.all([...new Set([name, ...beside])].map(async (each) => files.set(each, await fetched(each, TABLES[each]))));
}
function goesWith(one, other) {
  const [a, b] = [one, other].map((name) => /([a-z]+)(-[a-z]+)?(-[2-6])\.npy$/.exec(name.replace(/(\w+)\/learned-/, "$1-")));
  return a && b && a[1] === b[1] && a[3] === b[3] && (a[2] ?? b[2]) === (b[2] ?? a[2]);
}

const players = new Players();
const solved = new Solved(BUILD);
P.outside.set("tools.browser.stand_ins.browser", {
  $module: true,
  file_bytes: bytesOf,
  file_json: (name) => {
    if (!json.has(name)) json.set(name, fromPlain(JSON.parse(new TextDecoder().decode(bytesOf(name)))));
    return json.get(name);
  },
  has_file: (name) => name in TABLES || files.has(name) || solved.has(name),
  keep: (name, array) => solved.keep(name, array),
  array_of: loaded,
  cores: () => players.cores,
  play: (job, seed, first, count) => {
    const found = players.play(job, seed, first, count, isUnwanted);
    if (isUnwanted()) throw new GivenUp();
    return found;
  },
});
P.outside.set("lama_odds", { $module: true, __version__: VERSION });
modules(P, B);

/** The short lists, which nearly all answers need, and what was solved before. */
async function begin() {
  if (files.size) return;
  const [lists] = await Promise.all([fetched("lists", LISTS), solved.open()]);
  const encoder = new TextEncoder();
  for (const [name, text] of Object.entries(JSON.parse(new TextDecoder().decode(lists)))) files.set(name, encoder.encode(text));
}

/** The compiled functions of a game, here and for the players. */
async function kernelsOf(game) {
  if (bridge.isThere(game) || !(game in CODE)) return;
  tell({ working: "code" });
  const [code, list] = await Promise.all([fetched(game, CODE[game].code), fetched(game, CODE[game].list)]);
  const [module, manifest] = [await WebAssembly.compile(code), JSON.parse(new TextDecoder().decode(list))];
  bridge.add(game, await loadKernels(module, manifest));
  players.load(game, module, manifest);
}

// Questions, one after the other: Python's functions are asked again for each table that has to come first.

const answering = () => P.import("lama_odds.web.answering");
const tell = (message) => self.postMessage(message);
async function found(what, options, told) {
  let games = 0; // of answers so far: when it is asked again, they are not told again
  const heard = (early) => {
    if (early.games <= games && !early.settled) return;
    games = early.settled ? Infinity : early.games;
    told(early);
  };
  const game = (options.rules ?? options.game ?? "").split("/")[0].split("+")[0];
  await Promise.all([begin(), kernelsOf(game)]);
  tell({ working: "" });
  bridge.use(game);
  for (;;) {
    try {
      return toPlain(answering().answer(what, fromPlain(options), (early) => { heard(toPlain(early)); return null; }, language));
    } catch (missing) {
      if (!(missing instanceof Missing)) throw missing;
      await load(missing.name);
      tell({ working: "" });
    }
  }
}

const NUMBERS = ["seed", "games", "seconds", "precision", "players"];
function asked({ method, path, body }) {
  const url = new URL(path, "https://here/");
  const parts = url.pathname.split("/").slice(2);
  if (parts[0] === "advise") {
    const options = Object.fromEntries(url.searchParams);
    for (const name of NUMBERS) if (name in options) options[name] = Number(options[name]);
    return ["advise", body ?? options];
  }
  if (parts[0] === "rules") return ["rules", { rules: parts.slice(1).map(decodeURIComponent).join("/") }];
  if (parts[0] === "train") return [parts[2] === "next" ? "next" : "trained", { game: parts[1], ...body }];
  if (parts[0] === "odds" && method === "POST") return ["odds", body];
  if (parts[0] === "ready") return ["ready", body];
  throw new Error(`nothing answers ${path}`);
}

async function answer(question) {
  const { id, method } = question;
  streamed = method === "STREAM" ? id : Infinity;
  try {
    const [what, options] = asked(question);
    const reply = await found(what, options, (early) => { if (method === "STREAM" && !cancelled.has(id)) tell({ id, event: "interim", data: early }); });
    if (reply.error) tell({ id, status: UNPROCESSABLE, error: reply.error });
    else if (method === "STREAM") tell({ id, event: "answer", data: reply });
    else tell({ id, reply });
    tell({ working: "" });
  } catch (error) {
    if (error instanceof GivenUp) return;
    const away = error instanceof Away;
    if (away) tell({ problem: error.message });
    else console.error(error?.toString?.() ?? error, error?.stack ?? error?.$stack);
    tell({ id, status: away ? 0 : FAULT, error: { kind: away ? "away" : "fault", message: String(error?.message ?? error) } });
    tell({ working: "" });
  }
}

const cancelled = new Set();
let unwanted = null; // memory of the page: the stream that it gave up last
let streamed = Infinity; // the question whose stream is being answered
// Streams follow each other: where a later one was given up, so were those before it.
const isUnwanted = () => unwanted !== null && streamed <= Atomics.load(unwanted, 0);
let language = "en";
let before = Promise.resolve();
self.addEventListener("message", ({ data }) => {
  if (data.language) ({ language, unwanted = null } = data);
  if (data.cancel) cancelled.add(data.id);
  if (data.path === undefined) return;
  // A question that is no longer wanted is left out: so messages are let in between two of them.
  before = before.then(() => new Promise((resolve) => { setTimeout(resolve); })).then(() => {
    if (cancelled.delete(data.id)) return null;
    return answer(data);
  });
});
