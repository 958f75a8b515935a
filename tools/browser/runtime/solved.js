// Tables that were solved here: kept in the browser, so that the next visit need not solve them again.
//
// They belong to one build. Where a page may keep nothing, they are solved once a visit.

import { bytesOf } from "./npy.js";

const MOST = 8; // tables; the oldest are removed
const HERE = "lama-odds-solved ";
const PAGE = new URL("../../", import.meta.url).pathname; // it has a folder for each version, and the engine in it

export class Solved {
  constructor(build) {
    this.name = `${HERE}${PAGE} ${build}`;
    this.names = new Set();
    this.cache = null;
  }

  /** Finds out what there is, and removes what other builds have solved. */
  async open() {
    try {
      for (const name of await caches.keys()) if (name.startsWith(`${HERE}${PAGE} `) && name !== this.name) await caches.delete(name);
      this.cache = await caches.open(this.name);
      for (const { url } of await this.cache.keys()) this.names.add(decodeURIComponent(new URL(url).pathname.slice(1)));
    } catch {
      this.cache = null; // nothing is kept here
    }
  }

  has(name) {
    return this.names.has(name);
  }

  async read(name) {
    this.names.delete(name); // once it is read it stays in memory; if it cannot be read, it is solved
    const found = await this.cache.match(at(name));
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  }

  /** Keeps a table; nobody waits for that. */
  keep(name, array) {
    if (!this.cache) return null;
    const bytes = bytesOf(array);
    (async () => {
      await this.cache.put(at(name), new Response(bytes));
      const all = await this.cache.keys();
      for (const old of all.slice(0, Math.max(0, all.length - MOST))) await this.cache.delete(old);
    })().catch(() => null); // there may be no room for it
    return null;
  }
}

const at = (name) => new URL(`/${name}`, self.location.href).href;
