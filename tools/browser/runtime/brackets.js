// What is in brackets, membership, unpacking.

import { B, P, Tuple } from "./python.js";

export class Slice {
  constructor(start, stop, step) {
    Object.assign(this, { start, stop, step });
  }
  /** First, last (exclusive) and step within a length. */
  within(length) {
    const step = this.step === null ? 1 : Number(this.step);
    const bound = (at, missing, low, high) => (at === null ? missing : Math.min(high, Math.max(low, at < 0 ? Number(at) + length : Number(at))));
    if (step > 0) return [bound(this.start, 0, 0, length), bound(this.stop, length, 0, length), step];
    return [bound(this.start, length - 1, -1, length - 1), bound(this.stop, -1, -1, length - 1), step];
  }
  places(length) {
    const [start, stop, step] = this.within(length);
    const found = [];
    for (let at = start; step > 0 ? at < stop : at > stop; at += step) found.push(at);
    return found;
  }
}
P.slice = (start, stop, step) => new Slice(start, stop, step);
B.slice = (...given) => (given.length === 1 ? new Slice(null, given[0], null) : new Slice(given[0], given[1], given[2] ?? null));
const placed = (length, key, what) => {
  const at = Number(key);
  const place = at < 0 ? at + length : at;
  if (!(place >= 0 && place < length)) throw B.IndexError(`${what} index out of range`);
  return place;
};
P.get = (x, key) => {
  if (Array.isArray(x) || x instanceof Uint8Array) {
    if (!(key instanceof Slice)) return x[placed(x.length, key, "list")];
    const [start, stop, step] = key.within(x.length);
    const found = step === 1 ? Array.prototype.slice.call(x, start, stop) : key.places(x.length).map((at) => x[at]);
    return x instanceof Tuple ? P.tuple([...found]) : found;
  }
  if (typeof x === "string") {
    if (!(key instanceof Slice)) return x[placed(x.length, key, "string")];
    const [start, stop, step] = key.within(x.length);
    return step === 1 ? x.slice(start, Math.max(start, stop)) : key.places(x.length).map((at) => x[at]).join("");
  }
  if (typeof x === "function") return x; // a type with types in brackets
  return x.__getitem__(key);
};
P.put = (x, key, value) => {
  if (!Array.isArray(x)) x.__setitem__(key, value);
  else if (key instanceof Slice) {
    const [start, stop] = key.within(x.length);
    x.splice(start, Math.max(0, stop - start), ...value);
  } else x[placed(x.length, key, "list")] = value;
};
P.remove = (x, key) => {
  if (!Array.isArray(x)) x.__delitem__(key);
  else if (key instanceof Slice) {
    const [start, stop] = key.within(x.length);
    x.splice(start, Math.max(0, stop - start));
  } else x.splice(placed(x.length, key, "list"), 1);
};
P.has = (x, value) => {
  if (typeof x === "string") return x.includes(value);
  if (x.__contains__) return x.__contains__(value);
  for (const each of x) if (P.eq(each, value)) return true;
  return false;
};
P.unpacked = (x, count, starred, after) => {
  const parts = [...x];
  if (starred < 0) return parts;
  const rest = parts.slice(starred, parts.length - after);
  return [...parts.slice(0, starred), rest, ...parts.slice(parts.length - after)];
};
