// What numpy makes of arrays: new ones, sums and the like, products; the module itself.

import { B, Named, P } from "./python.js";
import { Slice } from "./brackets.js";
import { Ellipsis, NdArray, assigned, bool, common, counted, each, float64, int64, isNumber, kind, kindOf, kindOfNumber, made, np, real, same, sizeOf, stridesOf, yes } from "./arrays.js";

export { NdArray, np };

// Made of something.

const options = (given, ...names) => {
  const named = given[given.length - 1] instanceof Named ? given.pop().given : {};
  return [given, names.map((name) => named[name])];
};
const shapeOf = (x) => (typeof x === "number" ? [x] : [...x].map(Number));
const filledWith = (value, usual) => (...all) => {
  const [given, [dtype]] = options(all, "dtype");
  const found = new NdArray(kindOf(dtype ?? given[1] ?? usual), shapeOf(given[0]));
  if (value) found.fill(value);
  return found;
};
np.zeros = filledWith(0, float64);
np.empty = np.zeros;
np.ones = filledWith(1, float64);
np.full = (...all) => {
  const [given, [dtype]] = options(all, "dtype");
  const found = new NdArray(kindOf(dtype ?? given[2] ?? (given[1].dtype ?? kindOfNumber(given[1]))), shapeOf(given[0]));
  found.__setitem__(Ellipsis, given[1]);
  return found;
};
const like = (value) => (...all) => {
  const [given, [dtype]] = options(all, "dtype");
  return np.full(given[0].shape, value, dtype ?? given[0].dtype);
};
np.zeros_like = like(0);
np.empty_like = like(0);
np.ones_like = like(1);
np.arange = (...all) => {
  const [given, [dtype]] = options(all, "dtype");
  const [start, stop, step] = given.length === 1 ? [0, given[0], 1] : [given[0], given[1], given[2] ?? 1];
  const length = Math.max(0, Math.ceil((Number(stop) - Number(start)) / Number(step)));
  const of = kindOf(dtype ?? [start, stop, step].map(kindOfNumber).reduce(common));
  return made(of, [length], Array.from({ length }, (_, at) => P.add(start, P.mul(at, step))));
};
np.linspace = (start, stop, count) => made(float64, [count], Array.from({ length: count }, (_, at) => start + at * ((stop - start) / (count - 1))));
/** An array of numbers, lists or arrays. */
np.array = (...all) => {
  const [[x, second], [dtype]] = options(all, "dtype");
  const of = dtype ?? second;
  const found = arrayOf(x);
  if (of === undefined) return found === x ? found.copy() : found;
  return kindOf(of) === found.dtype && found !== x ? found : found.astype(of);
};
np.asarray = (...all) => {
  const [[x, second], [dtype]] = options(all, "dtype");
  const found = arrayOf(x);
  const of = dtype ?? second;
  return of === undefined || kindOf(of) === found.dtype ? found : found.astype(of);
};
np.ascontiguousarray = (...all) => {
  const found = np.asarray(...all);
  return found.isWhole ? found : found.copy();
};
function arrayOf(x) {
  if (x instanceof NdArray) return x;
  if (isNumber(x)) return made(kindOfNumber(x), [], [x]);
  if (typeof x === "string") throw B.ValueError("could not convert string");
  const parts = [...x];
  if (!parts.length) return new NdArray(float64, [0]);
  if (parts.every(isNumber)) return made(parts.map(kindOfNumber).reduce(common), [parts.length], parts);
  const arrays = parts.map(arrayOf);
  return stacked(arrays);
}
function stacked(arrays) {
  const of = arrays.map((each) => each.dtype).reduce(common);
  const [{ $shape: shape }] = arrays;
  if (arrays.some((other) => other.$shape.join() !== shape.join())) throw B.ValueError("all input arrays must have the same shape");
  return joined(of, [arrays.length, ...shape], arrays);
}
/** The numbers of one array after the other. */
function joined(of, shape, arrays) {
  if (arrays.some((each) => each.dtype !== of)) return made(of, shape, arrays.flatMap((each) => each.values()));
  const found = new NdArray(of, shape);
  let at = 0;
  for (const each of arrays) {
    found.data.set(each.stored(), at);
    at += each.size;
  }
  return found;
}
np.stack = (...all) => {
  const [[parts, second], [axis]] = options(all, "axis");
  const found = stacked([...parts].map(arrayOf));
  return np.moveaxis(found, 0, axis ?? second ?? 0);
};
np.column_stack = (parts) => np.concatenate([...parts].map((each) => { const x = np.asarray(each); return x.ndim === 1 ? x.reshape(-1, 1) : x; }), 1);
np.moveaxis = (x, from, to) => {
  const [sources, targets] = [from, to].map((given) => (isNumber(given) ? [given] : [...given]).map((axis) => (axis < 0 ? axis + x.ndim : axis)));
  const order = [...x.$shape.keys()].filter((axis) => !sources.includes(axis));
  const pairs = targets.map((target, at) => [target, sources[at]]).sort(([a], [b]) => a - b);
  for (const [target, source] of pairs) order.splice(target, 0, source);
  return x.transpose(order);
};
np.swapaxes = (x, a, b) => x.swapaxes(a, b);
np.transpose = (x, ...axes) => x.transpose(...axes);
np.concatenate = (...all) => {
  const [[parts, second], [axis]] = options(all, "axis");
  const arrays = [...parts].map(arrayOf);
  const along = (axis ?? second ?? 0) + ((axis ?? second ?? 0) < 0 ? arrays[0].ndim : 0);
  const moved = arrays.map((each) => np.moveaxis(each, along, 0));
  const of = arrays.map((each) => each.dtype).reduce(common);
  const shape = [moved.reduce((sum, each) => sum + each.$shape[0], 0), ...moved[0].$shape.slice(1)];
  return np.moveaxis(joined(of, shape, moved), 0, along);
};
np.append = (x, more) => np.concatenate([np.asarray(x).ravel(), np.asarray(more).ravel()]);
np.repeat = (...all) => {
  const [[x, count], [axis]] = options(all, "axis");
  const from = axis === undefined ? np.asarray(x).ravel() : x;
  const times = isNumber(count) ? Array(from.$shape[axis ?? 0]).fill(count) : np.asarray(count).values();
  const places = times.flatMap((each, at) => Array(Number(each)).fill(at));
  return np.take(from, made(int64, [places.length], places), axis ?? 0);
};
NdArray.prototype.repeat = function (...given) { return np.repeat(this, ...given); };
np.take = (...all) => {
  const [[x, places, second], [axis]] = options(all, "axis");
  const along = axis ?? second ?? 0;
  return x.__getitem__(P.tuple([...Array(along).fill(new Slice(null, null, null)), np.asarray(places)]));
};
NdArray.prototype.take = function (...given) { return np.take(this, ...given); };
np.tile = (x, count) => {
  const times = typeof count === "number" ? [count] : [...count];
  let found = np.asarray(x);
  while (found.ndim < times.length) found = found.reshape([1, ...found.$shape]);
  times.forEach((each, at) => {
    const axis = found.ndim - times.length + at;
    found = np.concatenate(Array(each).fill(found), axis);
  });
  return found;
};
np.roll = (...all) => {
  const [[given, by, second], [axis]] = options(all, "axis");
  const [x, along] = [np.asarray(given), axis ?? second];
  if (along === undefined) return np.roll(x.ravel(), by, 0).reshape(x.shape);
  const length = x.$shape[along];
  return np.take(x, made(int64, [length], Array.from({ length }, (_, at) => P.mod(at - Number(by), length))), along);
};
np.ix_ = (...lists) => P.tuple(lists.map((list, at) => {
  const x = np.asarray([...list]);
  const one = x.dtype === bool ? np.nonzero(x)[0] : x.size ? x : new NdArray(int64, [0]);
  return one.reshape(lists.map((_, i) => (i === at ? one.size : 1)));
}));
np.indices = (shape) => np.stack([...shape].map((_, axis) => np.broadcast_to(np.arange(shape[axis]).reshape([...shape].map((size, i) => (i === axis ? size : 1))), shape).copy()));
np.meshgrid = (...all) => {
  const [given, [indexing]] = options(all, "indexing");
  const arrays = given.map((each) => np.asarray(each));
  const shape = arrays.map((each) => each.size);
  const order = indexing === "ij" ? shape : [shape[1], shape[0], ...shape.slice(2)];
  return arrays.map((each, at) => {
    const axis = indexing === "ij" || at > 1 ? at : 1 - at;
    return np.broadcast_to(each.reshape(order.map((_, i) => (i === axis ? each.size : 1))), order).copy();
  });
};
np.outer = (a, b) => P.mul(np.asarray(a).reshape(-1, 1), np.asarray(b).reshape(1, -1));
np.frombuffer = (...all) => {
  const [[bytes, second], [dtype]] = options(all, "dtype");
  const of = kindOf(dtype ?? second ?? float64);
  const own = bytes.slice();
  return new NdArray(of, [own.byteLength / of.itemsize], new of.Store(own.buffer, own.byteOffset, own.byteLength / of.itemsize));
};
np.tril = (x, k = 0) => np.where(P.le(np.arange(x.$shape[1]).reshape(1, -1), P.add(np.arange(x.$shape[0]).reshape(-1, 1), k)), x, 0);
np.diagonal = (x) => made(x.dtype, [Math.min(...x.$shape)], Array.from({ length: Math.min(...x.$shape) }, (_, at) => x.item(at, at)));
np.ravel_multi_index = (index, shape) => [...index].reduce((all, each, at) => P.add(P.mul(all, shape[at]), each), 0);
np.delete = (x, at) => made(x.dtype, [x.size - 1], x.values().filter((_, i) => i !== at));
np.split = (...all) => {
  const [[x, places], [axis]] = options(all, "axis");
  const along = axis ?? 0;
  const length = x.$shape[along];
  const starts = isNumber(places) ? Array.from({ length: places - 1 }, (_, at) => ((at + 1) * length) / places) : [...places];
  const part = (start, stop) => x.__getitem__(P.tuple([...Array(along).fill(new Slice(null, null, null)), new Slice(start, stop, null)]));
  return [0, ...starts].map((start, at) => part(start, starts[at] ?? length));
};

// Sums and the like, of all or along axes.

/** Sums in the order in which numpy adds floats: in pairs of halves, eight at a time below 128. */
function pairwise(values, from, count) {
  if (count < 8) {
    let total = -0;
    for (let i = 0; i < count; i++) total += values[from + i];
    return count ? total : 0;
  }
  if (count <= 128) {
    const parts = values.slice(from, from + 8);
    let i = 8;
    for (; i < count - (count % 8); i += 8) for (let k = 0; k < 8; k++) parts[k] += values[from + i + k];
    let total = parts[0] + parts[1] + (parts[2] + parts[3]) + (parts[4] + parts[5] + (parts[6] + parts[7]));
    for (; i < count; i++) total += values[from + i];
    return total;
  }
  const half = (count >> 1) - ((count >> 1) % 8);
  return pairwise(values, from, half) + pairwise(values, from + half, count - half);
}
const inTurn = (values) => values.reduce((all, each) => P.add(all, each));
export function summed(values, of, along) {
  if (of.group !== "f") return values.length ? inTurn(values) : 0;
  if (!along) return values.length ? values.reduce((all, each) => all + each) : 0;
  return pairwise(values, 0, values.length);
}
/** Values along the axes that go, for each place that stays. */
function reduced(f, result) {
  return (...all) => {
    const [[given, second], [axis, keep, dtype, initial]] = options(all, "axis", "keepdims", "dtype", "initial");
    const x = np.asarray(given);
    const wanted = axis ?? second;
    const of = dtype ? kindOf(dtype) : result(x.dtype);
    if (wanted === undefined || wanted === null) return scalarOf(of, f(x.values(), x.dtype, true, initial));
    const axes = (typeof wanted === "number" ? [wanted] : [...wanted]).map((at) => (at < 0 ? at + x.ndim : at));
    const stay = [...x.$shape.keys()].filter((at) => !axes.includes(at));
    const moved = x.transpose([...stay, ...axes]).reshape([...stay.map((at) => x.$shape[at]), -1]);
    const length = moved.$shape.at(-1);
    const values = moved.values();
    // numpy adds along the last axis in pairs, and along others one after the other.
    const along = axes.includes(x.ndim - 1);
    const found = Array.from({ length: sizeOf(stay.map((at) => x.$shape[at])) }, (_, at) => f(values.slice(at * length, (at + 1) * length), x.dtype, along, initial));
    const shape = keep ? x.$shape.map((size, at) => (axes.includes(at) ? 1 : size)) : stay.map((at) => x.$shape[at]);
    return shape.length ? made(of, shape, found) : scalarOf(of, found[0]);
  };
}
const scalarOf = (of, value) => (of === bool ? P.truthy(value) : value);
const nothing = (values, initial) => {
  if (values.length) return;
  if (initial === undefined) throw B.ValueError("zero-size array to reduction operation");
};
const REDUCTIONS = {
  sum: reduced((values, of, along) => summed(values.map((x) => (of === bool ? Number(x) : x)), of, along), counted),
  prod: reduced((values) => values.reduce((all, each) => P.mul(all, each), 1), counted),
  max: reduced((values, of, along, initial) => { nothing(values, initial); return values.reduce((all, each) => (each > all ? each : all), initial ?? values[0]); }, same),
  min: reduced((values, of, along, initial) => { nothing(values, initial); return values.reduce((all, each) => (each < all ? each : all), initial ?? values[0]); }, same),
  any: reduced((values) => values.some(P.truthy), yes),
  all: reduced((values) => values.every(P.truthy), yes),
  mean: reduced((values, of, along) => Number(summed(values.map((x) => (of === bool ? Number(x) : x)), of, along)) / values.length, real),
  argmax: reduced((values) => values.reduce((best, each, at) => (each > values[best] ? at : best), 0), () => int64),
  argmin: reduced((values) => values.reduce((best, each, at) => (each < values[best] ? at : best), 0), () => int64),
};
for (const [name, f] of Object.entries(REDUCTIONS)) {
  np[name] = f;
  NdArray.prototype[name] = function (...given) { return f(this, ...given); };
}
np.count_nonzero = (x) => np.asarray(x).values().filter(P.truthy).length;
const running = (f) => (...all) => {
  const [[given, second], [axis, dtype]] = options(all, "axis", "dtype");
  const x = np.asarray(given);
  const along = axis ?? second;
  if (along === undefined || along === null) {
    let total = null;
    return made(dtype ? kindOf(dtype) : counted(x.dtype), [x.size], x.values().map((each) => (total = total === null ? each : f(total, each))));
  }
  const moved = np.moveaxis(x, along, x.ndim - 1);
  const length = moved.$shape.at(-1);
  let total = null;
  const values = moved.values().map((each, at) => (total = at % length ? f(total, each) : each));
  return np.moveaxis(made(counted(x.dtype), moved.$shape, values), x.ndim - 1, along);
};
np.cumsum = running((a, b) => P.add(a, b));
np.cumprod = running((a, b) => P.mul(a, b));
NdArray.prototype.cumsum = function (...given) { return np.cumsum(this, ...given); };
np.diff = (...all) => {
  const [[x], [axis, prepend]] = options(all, "axis", "prepend");
  const from = prepend === undefined ? np.asarray(x) : np.append(prepend, x);
  const along = axis ?? from.ndim - 1;
  const cut = (start, stop) => from.__getitem__(P.tuple([...Array(along).fill(new Slice(null, null, null)), new Slice(start, stop, null)]));
  return P.sub(cut(1, null), cut(null, -1));
};
np.nonzero = (x) => {
  const from = np.asarray(x);
  const found = from.$shape.map(() => []);
  const strides = stridesOf(from.$shape);
  from.values().forEach((value, at) => {
    if (P.truthy(value)) from.$shape.forEach((size, axis) => found[axis].push(Math.floor(at / strides[axis]) % size));
  });
  return P.tuple(found.map((places) => made(int64, [places.length], places)));
};
NdArray.prototype.nonzero = function () { return np.nonzero(this); };
np.flatnonzero = (x) => np.nonzero(np.asarray(x).ravel())[0];
/** Along an axis, the last unless it says: each row becomes what f makes of its values. */
const byRow = (f, result) => (...all) => {
  const [[given, second], [axis]] = options(all, "axis", "kind");
  const x = np.asarray(given);
  const along = axis ?? second ?? x.ndim - 1;
  if (along === null) return byRow(f, result)(x.ravel());
  const moved = np.moveaxis(x, along, x.ndim - 1);
  const length = moved.$shape.at(-1);
  const values = moved.values();
  const rows = Array.from({ length: length ? values.length / length : 0 }, (_, at) => f(values.slice(at * length, (at + 1) * length)));
  return np.moveaxis(made(result(x.dtype), moved.$shape, rows.flat()), x.ndim - 1, along);
};
const compared = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
np.argsort = byRow((values) => [...values.keys()].sort((a, b) => compared(values[a], values[b]) || a - b), () => int64);
np.sort = byRow((values) => values.sort(compared), same);
NdArray.prototype.argsort = function (...given) { return np.argsort(this, ...given); };
NdArray.prototype.sort = function () { assigned(this, np.sort(this)); return null; };
np.unique = (...all) => {
  const [[x], [withInverse, withCounts, axis, withIndex]] = options(all, "return_inverse", "return_counts", "axis", "return_index");
  const from = np.asarray(x);
  if (axis !== undefined) return uniqueRows(from, withInverse, withCounts);
  const values = from.values();
  const found = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  const at = new Map(found.map((value, place) => [value, place]));
  return withExtras(made(from.dtype, [found.length], found), values.map((value) => at.get(value)), found.length, withInverse, withCounts, from.$shape, withIndex);
};
function uniqueRows(from, withInverse, withCounts) {
  const rows = [...from].map((row) => row.values());
  const compare = (a, b) => { const at = a.findIndex((value, i) => value !== b[i]); return at < 0 ? 0 : a[at] < b[at] ? -1 : 1; };
  const found = [];
  for (const row of [...rows].sort(compare)) if (!found.length || compare(found.at(-1), row)) found.push(row);
  const at = new Map(found.map((row, place) => [row.join(), place]));
  return withExtras(made(from.dtype, [found.length, ...from.$shape.slice(1)], found.flat()), rows.map((row) => at.get(row.join())), found.length, withInverse, withCounts, [rows.length]);
}
function withExtras(found, places, count, withInverse, withCounts, shape, withIndex = false) {
  const extras = [];
  if (withIndex) {
    const first = Array(count).fill(-1);
    places.forEach((place, at) => { if (first[place] < 0) first[place] = at; });
    extras.push(made(int64, [count], first));
  }
  if (withInverse) extras.push(made(int64, shape, places));
  if (withCounts) {
    const counts = Array(count).fill(0);
    for (const place of places) counts[place]++;
    extras.push(made(int64, [count], counts));
  }
  return extras.length ? P.tuple([found, ...extras]) : found;
}
np.searchsorted = (...all) => {
  const [[x, value], [side]] = options(all, "side");
  const values = np.asarray(x).values();
  const one = (v) => {
    let [low, high] = [0, values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (side === "right" ? values[middle] <= v : values[middle] < v) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return isNumber(value) ? one(value) : made(int64, np.asarray(value).$shape, np.asarray(value).values().map(one));
};
np.array_equal = (a, b) => {
  const [x, y] = [np.asarray(a), np.asarray(b)];
  if (x.$shape.join() !== y.$shape.join()) return false;
  const [left, right] = [x.values(), y.values()];
  return left.every((value, at) => value == right[at]);
};
np.convolve = (a, b) => {
  const [x, y] = [np.asarray(a), np.asarray(b)];
  const found = new NdArray(common(x.dtype, y.dtype), [x.size + y.size - 1]);
  const [left, right] = [x.values(), y.values()];
  const values = Array(found.size).fill(0);
  left.forEach((p, i) => right.forEach((q, k) => { values[i + k] = P.add(values[i + k], P.mul(p, q)); }));
  values.forEach((value, at) => found.write(at, value));
  return found;
};
/** Products of rows and columns, added one after the other. */
np.matmul = (a, b) => {
  const [x, y] = [np.asarray(a), np.asarray(b)];
  const of = common(x.dtype, y.dtype);
  const left = x.ndim === 1 ? x.reshape(1, -1) : x;
  const right = y.ndim === 1 ? y.reshape(-1, 1) : y;
  const [p, q] = [left.values(), right.values()];
  const inner = left.$shape.at(-1);
  const columns = right.$shape.at(-1);
  const rows = p.length / inner;
  const found = [];
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < columns; k++) {
      let total = 0;
      for (let at = 0; at < inner; at++) total = P.add(total, P.mul(p[i * inner + at], q[at * columns + k]));
      found.push(total);
    }
  }
  const shape = [...(x.ndim === 1 ? [] : left.$shape.slice(0, -1)), ...(y.ndim === 1 ? [] : [columns])];
  return shape.length ? made(of, shape, found) : found[0];
};
np.dot = np.matmul;
NdArray.prototype.__matmul__ = function (other) { return np.matmul(this, other); };
NdArray.prototype.__rmatmul__ = function (other) { return np.matmul(other, this); };
NdArray.prototype.dot = function (other) { return np.matmul(this, other); };
np.errstate = () => ({ __enter__: () => null, __exit__: () => false });
np.lib = { stride_tricks: {}, format: {} };
