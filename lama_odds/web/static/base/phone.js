// Questions that this phone answers itself: from files made before, else by a worker.
//
// To the worker: {id, method: "GET" | "POST" | "STREAM", path, body}, and {id, cancel: true}. First of all {language,
// unwanted}: memory with the last stream that was given up, where pages may share it.
// From it: {id, event, data} of a stream, {id, reply}, or {id, status, error: {kind, message, start, defects, fields}};
// besides, {working: "code" | "tables" | ""} while it loads something, and {problem: text} if that failed.

import { isOld, kept } from "./offline.js";
import { Refused } from "./refused.js";
import { language, t } from "./texts.js";

const MADE = { "/api/rules": `rules-${language}.json`, "/api/lookup": `lookup-${language}.json` };
const RULES = "/api/rules/";
const TRAIN = /^\/api\/train\/[^/]+$/;
const LOG = "lama-odds.training"; // the answers so far, in the form of the file of `lama-odds train`
const FIRST_LINE = "lama-odds training 1";

const waiting = new Map(); // what waits for the worker, by id: {heard, done, failed}
const listeners = new Set();
const unwanted = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
let worker = null; // a promise of it
let latest = 0;
let prepared = ""; // the rule set and players of the last preparation

/** Calls `told(text)` with what is being loaded, in words; an empty text at its end. */
export function whileLoading(told) {
  listeners.add(told);
}

export const phone = {
  /** Starts what answers, while the page is still being shown. */
  begin() {
    worker ??= started();
    const rules = new URLSearchParams(location.search).get("rules");
    if (rules) asked("GET", RULES + rules).catch(() => null); // so that it loads what belongs to the game
  },

  /** Loads and solves what questions about a rule set will need. */
  prepare(rules, players) {
    if (prepared === `${rules} ${players}`) return;
    prepared = `${rules} ${players}`;
    asked("POST", "/api/ready", { rules, players }).catch(() => null); // the question itself says what is wrong
  },

  async get(path) {
    if (path in MADE) return made(MADE[path]);
    if (path.startsWith(RULES)) return ruleSet(path);
    if (TRAIN.test(path)) return asked("POST", `${path}/next`, trained());
    return asked("GET", path);
  },

  async post(path, body, signal) {
    if (!TRAIN.test(path)) return asked("POST", path, body, signal);
    const reply = await asked("POST", path, { ...body, ...trained() }, signal);
    note(reply.line);
    return reply;
  },

  stream: (path, heard, signal) => asked("STREAM", path, null, signal, heard),
};

/** A file that was made with the page. */
async function made(name) {
  try {
    const reply = await fetch(new URL(`../made/${name}`, import.meta.url));
    if (reply.ok) return await reply.json();
  } catch {
    // said below
  }
  throw away();
}

/** A rule set: those with one option at most were made before, all others come from the worker. */
async function ruleSet(path) {
  const name = decodeURIComponent(path.slice(RULES.length));
  const found = (await made(`rule_sets-${language}.json`))[name];
  if (found === undefined) return asked("GET", path);
  if (found.error) throw new Refused(422, found.error);
  return found;
}

const away = () => new Refused(0, { kind: "away", message: isOld() ? t.errors.old : t.errors.notLoaded });

/** The reply of the worker, or the end of its stream. */
async function asked(method, path, body = null, signal = null, heard = null) {
  signal?.throwIfAborted();
  const target = await (worker ??= started());
  signal?.throwIfAborted();
  latest += 1;
  const id = latest;
  return new Promise((done, failed) => {
    const once = (settle) => (value) => {
      waiting.delete(id);
      settle(value);
    };
    waiting.set(id, { heard, done: once(done), failed: once(failed), settled: false });
    signal?.addEventListener("abort", () => {
      if (!waiting.has(id)) return;
      const { settled, failed: given } = waiting.get(id);
      if (unwanted && method === "STREAM") Atomics.store(unwanted, 0, id);
      target.postMessage({ id, cancel: true });
      given(signal.reason);
      if (settled && !unwanted) ended(target); // it looks for reasons, which takes longer than a new one needs to begin
    });
    target.postMessage({ id, method, path, body });
  });
}

/** The worker, once what it loads is kept for the next time without a network. */
async function started() {
  await kept();
  const made = new Worker(new URL("../engine/answerer.js", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }) => told(data));
  made.addEventListener("error", ({ message }) => {
    ended(made, message ? new Refused(500, { kind: "fault", message: t.errors.fault }) : away());
  });
  made.postMessage({ language, unwanted });
  return made;
}

/** Ends the worker; the next question starts it again. found: what those hear that wait for it. */
function ended(made, found = away()) {
  made.terminate();
  worker = null;
  for (const each of [...waiting.values()]) each.failed(found);
}

function told({ id, event, data, reply, status, error, working, problem }) {
  if (working !== undefined) say(t.loading[working] ?? working);
  if (problem !== undefined) say(t.errors.notLoaded);
  const asker = waiting.get(id);
  if (!asker) return;
  if (error) asker.failed(error.kind === "away" ? away() : new Refused(status, error));
  else if (event === undefined) asker.done(reply);
  else {
    asker.settled ||= data.settled === true;
    asker.heard?.(event, data);
    if (event === "answer") asker.done(data);
  }
}

function say(text) {
  for (const each of listeners) each(text);
}

/** What training goes by: all answers so far, and which day it is. */
function trained() {
  const now = new Date();
  const two = (n) => String(n).padStart(2, "0");
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return { log: logged(), day };
}

function logged() {
  try {
    return localStorage.getItem(LOG) ?? "";
  } catch {
    return memory;
  }
}

let memory = ""; // of a browser that keeps nothing

function note(line) {
  memory = `${logged() || `${FIRST_LINE}\n`}${line}\n`;
  try {
    localStorage.setItem(LOG, memory);
  } catch {
    // it stays until the page is closed
  }
}
