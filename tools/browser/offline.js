// Keeps the page on the phone: the page itself at once, what it loads later when it is first used.
//
// All that is kept belongs to one version. A newer one is fetched as a whole beside it, each file checked
// against its hash, and begins when the page is opened next.

const VERSION = "{version}";
const FILES = {files}; // SHA-256 by path, from the folder of the page
const SHELL = {shell}; // what is kept at once
const POLICY = "{policy}"; // of the page and its worker, which has none of its own otherwise
// With these the workers of the page may share memory, and so play on all cores.
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const INDEX = "index.html";
const LIST = "files.json"; // what a cache says of itself: its FILES
const TRIES = 5;
const PAUSE = 200; // milliseconds between them
const HOME = new URL("./", self.location);
const NAME = `lama-odds ${HOME.pathname} `; // of the caches of this page; others of the origin are not ours

const cache = () => caches.open(NAME + VERSION);
const at = (path) => new URL(path, HOME).href;

async function hashOf(bytes) {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A file from the network; throws if it does not arrive, or is not that of this version. */
async function fetched(path) {
  const reply = await fetch(at(path), { cache: "no-cache" });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  const bytes = await reply.arrayBuffer();
  if (await hashOf(bytes) !== FILES[path]) throw new Error(`${path} is of another version`);
  const headers = { "Content-Type": reply.headers.get("Content-Type") ?? "" };
  Object.assign(headers, ISOLATED);
  if (!path.includes("/sheets/")) headers["Content-Security-Policy"] = POLICY; // sheets have their looks in them, and no script
  return new Response(bytes, { headers });
}

async function install() {
  const target = await cache();
  await target.put(at(LIST), new Response(JSON.stringify(FILES)));
  await Promise.all(SHELL.map(async (path) => target.put(at(path), await fetched(path))));
}

/** Takes over what older versions have of the same files, then drops them. */
async function begin() {
  const target = await cache();
  const older = (await caches.keys()).filter((name) => name.startsWith(NAME) && name !== NAME + VERSION);
  for (const name of older) {
    const source = await caches.open(name);
    const list = await source.match(at(LIST)).then((found) => found?.json()) ?? {};
    const pathOf = Object.fromEntries(Object.entries(list).map(([path, hash]) => [hash, path]));
    for (const [path, hash] of Object.entries(FILES)) {
      const found = hash in pathOf && await source.match(at(pathOf[hash]));
      if (found && !(await target.match(at(path)))) await target.put(at(path), found);
    }
    await caches.delete(name);
  }
  await self.clients.claim();
}

async function answer(path) {
  const target = await cache();
  const known = await target.match(at(path));
  if (known) return known;
  const found = await fetched(path).catch(() => null);
  if (!found) return Response.error();
  await target.put(at(path), found.clone()).catch(() => null); // there may be no room for it
  return found;
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== HOME.origin || !url.pathname.startsWith(HOME.pathname)) return;
  const path = decodeURIComponent(url.pathname.slice(HOME.pathname.length)) || INDEX;
  if (Object.hasOwn(FILES, path)) event.respondWith(answer(path));
});

/** Begins with this version if only one page is open: others end in the version that they began with. */
async function beginIfAlone() {
  for (let left = TRIES; left > 0; left -= 1) {
    const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (all.filter(({ url }) => url.startsWith(HOME.href)).length <= 1) {
      await self.skipWaiting();
      return;
    }
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); }); // one may just be closing
  }
}

self.addEventListener("message", (event) => {
  if (event.data === "begin") event.waitUntil(beginIfAlone());
});
