// The games of a job on all cores: the worker that answers, and others that play beside it.
//
// Others are told a job once. Then all take chunks from one counter in shared memory, until there are none.
// Tallies are integers, so it does not matter who plays what. Where a page may not share memory, the worker
// that answers plays alone.

import { P } from "./python.js";
import { np } from "./numpy.js";
import { passed } from "./bridge.js";

const WORTH_IT = 512; // games for which others are woken
const CHUNKS = 12; // for each core
const LEAST = 32; // games of a chunk
const [NEXT, LEFT] = [0, 1]; // places in shared memory: the next chunk, players that are still at it
export const CONTROL = { NEXT, LEFT };

export class Players {
  constructor() {
    this.jobs = new WeakMap();
    this.latest = 0;
    this.players = []; // those that are there: nobody waits for one that did not come
    this.games = [];
    const place = new URL("./player.js", import.meta.url);
    if (!globalThis.crossOriginIsolated || typeof SharedArrayBuffer === "undefined") {
      fetch(place).catch(() => null); // so that it is kept for the next visit, which may be without a network
      return;
    }
    const wanted = Math.min(8, navigator.hardwareConcurrency ?? 1) - 1;
    for (let at = 0; at < wanted; at++) this.begin(new Worker(place, { type: "module" }));
  }

  /** Lets a worker play once it says that it is there. */
  begin(worker) {
    worker.addEventListener("message", () => {
      for (const game of this.games) worker.postMessage(game);
      this.players.push({ worker, told: new Set() });
    });
  }

  get cores() {
    return this.players.length + 1;
  }

  /** Gives the players the compiled functions of a game. */
  load(game, module, manifest) {
    this.games.push({ game, module, manifest });
    for (const { worker } of this.players) worker.postMessage({ game, module, manifest });
  }

  /**
   * The tally of games of a job and the seconds they took, as `run` of the translated modules asks.
   * stops: says that it is not wanted any more; then the tally lacks games.
   */
  play(job, seed, first, count, stops) {
    const began = performance.now();
    const tally = this.players.length && count >= WORTH_IT && job.kernel.$kernel ? this.together(job, seed, first, count, stops) : P.callMethod(job, "play", [seed, first, count], {});
    return P.tuple([tally, (performance.now() - began) / 1000]);
  }

  together(job, seed, first, count, stops) {
    const id = this.known(job);
    const chunk = Math.max(LEAST, Math.ceil(count / (CHUNKS * this.cores)));
    const size = job.shape.reduce((all, each) => all * each, 1);
    const control = new Int32Array(new SharedArrayBuffer(8));
    const tallies = this.players.map(() => new BigInt64Array(new SharedArrayBuffer(8 * size)));
    control[LEFT] = this.players.length;
    this.players.forEach((player, at) => {
      if (!player.told.has(id)) {
        player.worker.postMessage({ id, kernel: job.kernel.$kernel, given: [job.rules, job.policies, job.tables].map((x) => passed(x)), shape: [...job.shape] });
        player.told.add(id);
      }
      player.worker.postMessage({ play: id, seed, first, count, chunk, control, tally: tallies[at] });
    });
    const tally = np.zeros(job.shape, np.int64);
    for (let at = Atomics.add(control, NEXT, 1); at * chunk < count; at = Atomics.add(control, NEXT, 1)) {
      if (stops()) Atomics.store(control, NEXT, count); // the others find no chunk left
      else P.callMethod(job, "play", [seed, first + at * chunk, Math.min(chunk, count - at * chunk), tally], {});
    }
    for (let left = Atomics.load(control, LEFT); left > 0; left = Atomics.load(control, LEFT)) Atomics.wait(control, LEFT, left);
    for (const part of tallies) part.forEach((value, at) => { tally.data[at] += value; });
    return tally;
  }

  known(job) {
    const key = job.tables !== null && typeof job.tables === "object" ? job.tables : job;
    const jobs = this.jobs.get(key) ?? [];
    this.jobs.set(key, jobs);
    let found = jobs.find((each) => each.kernel === job.kernel && each.rules === job.rules && each.policies === job.policies);
    if (!found) jobs.push(found = { kernel: job.kernel, rules: job.rules, policies: job.policies, id: ++this.latest });
    return found.id;
  }
}
