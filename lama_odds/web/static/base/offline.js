// What this phone keeps, so that the page opens without a network.

const LONG = 20_000; // milliseconds after which the page goes on without keeping anything
const SHORT = 1500; // milliseconds in which a newer version begins, unless the page is open elsewhere too

let ready = null;
let registration = null;

/** Whether a newer version waits for the page to be opened again; looks for one, for the next time. */
export function isOld() {
  registration?.update().catch(() => null);
  return Boolean(registration?.waiting);
}

/** Keeps what is used from now on; ends once that has begun, or cannot be. */
export function kept() {
  ready ??= begun();
  return ready;
}

async function begun() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const before = serviceWorker.controller !== null;
  const taken = new Promise((resolve) => { serviceWorker.addEventListener("controllerchange", resolve, { once: true }); });
  try {
    registration = await serviceWorker.register("offline.js");
    const { active, waiting } = registration;
    if (before) taken.then(() => location.reload()); // a newer version begins, and none is mixed with it
    waiting?.postMessage("begin");
    if (waiting) await after(SHORT);
    else if (!before && !active) await Promise.race([taken, after(LONG)]);
  } catch {
    // a browser that keeps nothing
  }
}

const after = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
