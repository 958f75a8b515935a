// A worker that plays games of jobs, a chunk after the other, into a tally in shared memory.

import { loadKernels } from "./kernels.js";

const [NEXT, LEFT] = [0, 1];

const kernels = new Map();
const jobs = new Map();

async function loaded({ game, module, manifest }) {
  kernels.set(game, loadKernels(module, manifest));
}
function remembered({ id, kernel, given, shape }) {
  jobs.set(id, { kernel, given, shape });
}
async function play({ play: id, seed, first, count, chunk, control, tally }) {
  try {
    const { kernel, given, shape } = jobs.get(id);
    const own = await kernels.get(kernel.split(".")[2]);
    const found = { dtype: "int64", shape, data: new BigInt64Array(tally.length) };
    for (let at = Atomics.add(control, NEXT, 1); at * chunk < count; at = Atomics.add(control, NEXT, 1)) {
      own.call(kernel, [...given, seed, first + at * chunk, Math.min(chunk, count - at * chunk), found]);
    }
    tally.set(found.data);
  } finally {
    Atomics.sub(control, LEFT, 1);
    Atomics.notify(control, LEFT);
  }
}

let before = Promise.resolve();
self.addEventListener("message", ({ data }) => {
  const next = data.game ? loaded : data.kernel ? remembered : play;
  before = before.then(() => next(data));
});
self.postMessage({ ready: true });
