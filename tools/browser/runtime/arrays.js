// Arrays as numpy has them, with the same bits: kinds of numbers, places in brackets, number by number.

import { B, Named, P, Tuple, whole } from "./python.js";
import { Slice } from "./brackets.js";
import { nearest, ratio } from "./formatting.js";
import { summed } from "./numpy.js";

export const np = { $module: true, inf: Infinity, nan: NaN, newaxis: null, pi: Math.PI };

// Kinds of numbers: how they are stored, and which of two holds both.

const KINDS = {};
export const kind = (name, Store, group, size, rank) => {
  const made = (x = 0) => (x instanceof NdArray ? x.astype(made) : scalar(made, x));
  Object.assign(made, { $class: true, $kind: true, Store, group, itemsize: size, rank, $order: [], str: `<${group}${size}` });
  made.$test = (x) => (group === "f" ? typeof x === "number" && !Number.isInteger(x) : false);
  Object.defineProperty(made, "name", { value: name });
  made.kind = group;
  made.newbyteorder = () => made;
  KINDS[name] = np[name] = made;
  return made;
};
export const bool = kind("bool_", Uint8Array, "b", 1, 0);
const uint8 = kind("uint8", Uint8Array, "u", 1, 1);
const int8 = kind("int8", Int8Array, "i", 1, 1.5);
const uint16 = kind("uint16", Uint16Array, "u", 2, 2);
kind("int16", Int16Array, "i", 2, 2.5);
kind("uint32", Uint32Array, "u", 4, 3);
kind("int32", Int32Array, "i", 4, 3.5);
export const int64 = kind("int64", BigInt64Array, "i", 8, 4.5);
const uint64 = kind("uint64", BigUint64Array, "u", 8, 4);
const float32 = kind("float32", Float32Array, "f", 4, 5);
export const float64 = kind("float64", Float64Array, "f", 8, 6);
np.generic = { $class: true, $test: () => false, $order: [] };
np.ndarray = null; // set below
np.bool = bool;
np.dtype = (x) => kindOf(x);
export const BY_TEXT = { "|b1": bool, "|u1": uint8, "|i1": int8, "<u2": uint16, "<i2": np.int16, "<u4": np.uint32, "<i4": np.int32, "<i8": int64, "<u8": uint64, "<f4": float32, "<f8": float64 };

export function kindOf(x) {
  if (x?.$kind) return x;
  if (x === B.bool) return bool;
  if (x === B.int) return int64;
  if (x === B.float) return float64;
  if (typeof x === "string") return KINDS[x] ?? KINDS[`${x}_`] ?? BY_TEXT[x];
  throw B.TypeError(`no such dtype: ${B.repr(x)}`);
}
const isBig = (of) => of.itemsize === 8 && of.group !== "f";
function scalar(of, x) {
  if (of.group === "f") return of === float32 ? Math.fround(Number(x)) : Number(x);
  if (of === bool) return P.truthy(x);
  const value = typeof x === "string" ? B.int(x) : typeof x === "bigint" ? x : Math.trunc(Number(x));
  const bits = 8 * of.itemsize;
  return whole((of.group === "u" ? BigInt.asUintN : BigInt.asIntN)(bits, BigInt(value)));
}
/** A kind that holds numbers of both. */
export function common(a, b) {
  if (a === b) return a;
  const [low, high] = a.rank <= b.rank ? [a, b] : [b, a];
  if (high === int64 && low === uint64) return float64;
  if (high === uint64 && low.group === "i") return float64;
  if (high === float32 && low.group !== "b" && low.itemsize > 2) return float64;
  if (high.group === "i" && low.group === "u" && low.itemsize === high.itemsize) return KINDS[`int${16 * high.itemsize}`];
  if (high.group === "u" && low.group === "i" && low.itemsize >= 1) return KINDS[`int${16 * high.itemsize}`] ?? float64;
  return high;
}
/** The kind of a plain number beside arrays; a number that is not whole makes floats. */
export const kindOfNumber = (x) => (typeof x === "boolean" ? bool : typeof x === "bigint" || Number.isInteger(x) ? int64 : float64);
/** As numpy does: a plain number takes the kind of the array unless it is of another sort. */
function beside(of, x) {
  const own = kindOfNumber(x);
  if (own === bool) return of;
  if (own === int64) return of === bool ? int64 : of;
  return of.group === "f" ? of : float64;
}

export const sizeOf = (shape) => shape.reduce((all, each) => all * each, 1);
export const stridesOf = (shape) => {
  const found = new Array(shape.length);
  let step = 1;
  for (let at = shape.length - 1; at >= 0; at--) {
    found[at] = step;
    step *= shape[at];
  }
  return found;
};

export class NdArray {
  constructor(dtype, shape, data, offset = 0, strides = null) {
    this.dtype = dtype;
    this.$shape = shape;
    this.data = data ?? new dtype.Store(sizeOf(shape));
    this.offset = offset;
    this.strides = strides ?? stridesOf(shape);
    this.flags = { writeable: true, c_contiguous: true };
  }
  get shape() { return P.tuple([...this.$shape]); }
  set shape(given) { this.$shape = this.reshape(given).$shape; this.strides = stridesOf(this.$shape); }
  get size() { return sizeOf(this.$shape); }
  get ndim() { return this.$shape.length; }
  get nbytes() { return this.size * this.dtype.itemsize; }
  get itemsize() { return this.dtype.itemsize; }
  get T() { return this.transpose(); }
  get flat() { return this.ravel(); }
  /** Whether data has just these numbers, in order. */
  get isWhole() {
    let step = 1;
    for (let axis = this.$shape.length - 1; axis >= 0; axis--) {
      if (this.$shape[axis] > 1 && this.strides[axis] !== step) return false;
      step *= this.$shape[axis];
    }
    return true;
  }
  read(at) {
    const value = this.data[at];
    return typeof value === "bigint" ? whole(value) : this.dtype === bool ? value !== 0 : value;
  }
  write(at, value) {
    if (value instanceof NdArray) value = value.item();
    this.data[at] = isBig(this.dtype) ? (typeof value === "bigint" ? value : BigInt(Math.trunc(Number(value)))) : Number(value);
  }
  /** The places of all numbers in data, in order. */
  places() {
    const found = new Array(this.size);
    const { $shape: shape, strides } = this;
    if (!found.length) return found;
    if (this.isWhole) {
      for (let i = 0; i < found.length; i++) found[i] = this.offset + i;
      return found;
    }
    const index = new Array(shape.length).fill(0);
    let at = this.offset;
    for (let i = 0; i < found.length; i++) {
      found[i] = at;
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        at += strides[axis];
        if (++index[axis] < shape[axis]) break;
        at -= strides[axis] * shape[axis];
        index[axis] = 0;
      }
    }
    return found;
  }
  values() {
    if (this.isWhole && !isBig(this.dtype) && this.dtype !== bool) return Array.from(this.data.subarray(this.offset, this.offset + this.size));
    const places = this.places();
    for (let i = 0; i < places.length; i++) places[i] = this.read(places[i]);
    return places;
  }
  /** The numbers in order, as they are stored. */
  stored() {
    if (this.isWhole) return this.data.subarray(this.offset, this.offset + this.size);
    const { $shape: shape, strides, data } = this;
    const found = new this.dtype.Store(this.size);
    const last = shape.length - 1;
    const index = new Array(last).fill(0);
    let at = this.offset;
    for (let i = 0; i < found.length;) {
      for (let k = 0; k < shape[last]; k++) found[i++] = data[at + k * strides[last]];
      for (let axis = last - 1; axis >= 0; axis--) {
        at += strides[axis];
        if (++index[axis] < shape[axis]) break;
        at -= strides[axis] * shape[axis];
        index[axis] = 0;
      }
    }
    return found;
  }
  item(...index) { return index.length ? this.__getitem__(index.length === 1 ? index[0] : P.tuple(index)) : this.values()[0]; }
  tolist() { return nested(this.values(), this.$shape); }
  copy() { return new NdArray(this.dtype, [...this.$shape], this.isWhole ? this.stored().slice() : this.stored()); }
  tobytes() { const own = this.stored().slice(); return new Uint8Array(own.buffer); }
  setflags() { return null; }
  view(dtype) {
    const of = kindOf(dtype);
    const own = this.stored();
    const count = (own.length * this.itemsize) / of.itemsize;
    const last = (this.$shape.at(-1) * this.itemsize) / of.itemsize;
    return new NdArray(of, [...this.$shape.slice(0, -1), last], new of.Store(own.buffer, own.byteOffset, count));
  }
  astype(dtype) {
    const of = kindOf(dtype);
    if (of === this.dtype) return this.copy();
    if (of.group === "f" && !isBig(this.dtype)) return new NdArray(of, [...this.$shape], of.Store.from(this.stored()));
    const made = new NdArray(of, [...this.$shape]);
    this.values().forEach((value, at) => made.write(at, scalar(of, value)));
    return made;
  }
  reshape(...given) {
    const shape = [...(given.length === 1 && typeof given[0] === "object" ? given[0] : given)].map(Number);
    const open = shape.indexOf(-1);
    if (open >= 0) shape[open] = this.size / shape.reduce((all, each) => (each === -1 ? all : all * each), 1);
    if (sizeOf(shape) !== this.size) throw B.ValueError("cannot reshape array");
    if (this.isWhole) return new NdArray(this.dtype, shape, this.data, this.offset);
    return new NdArray(this.dtype, shape, this.stored());
  }
  ravel() { return this.reshape(this.size); }
  flatten() { return this.copy().ravel(); }
  transpose(...given) {
    const order = given.length ? [...(typeof given[0] === "object" ? given[0] : given)] : [...this.$shape.keys()].reverse();
    return new NdArray(this.dtype, order.map((at) => this.$shape[at]), this.data, this.offset, order.map((at) => this.strides[at]));
  }
  swapaxes(a, b) {
    const order = [...this.$shape.keys()];
    [order[a], order[b]] = [order[b], order[a]];
    return this.transpose(order);
  }
  *[Symbol.iterator]() {
    for (let at = 0; at < this.$shape[0]; at++) yield this.__getitem__(at);
  }
  __len__() {
    if (!this.$shape.length) throw B.TypeError("len() of unsized object");
    return this.$shape[0];
  }
  __bool__() {
    if (this.size !== 1) throw B.ValueError("the truth of an array with several numbers is not clear");
    return P.truthy(this.item());
  }
  __int__() { return B.int(this.item()); }
  __float__() { return Number(this.item()); }
  __contains__(x) { return this.values().some((value) => value == x); }
  __repr__() { return `array(${B.repr(this.tolist())})`; }
  __getitem__(key) { return got(this, key); }
  __setitem__(key, value) {
    const to = key === Ellipsis ? this : selected(this, key);
    if (to.places) assigned(to, value);
    else this.write(to.at, value);
  }
  fill(value) { assigned(this, value); return null; }
  __invert__() { return mapped(this, this.dtype, (x) => (this.dtype === bool ? !x : P.invert(x))); }
  __neg__() { return mapped(this, this.dtype, (x) => -x); }
  __pos__() { return this; }
  __abs__() { return mapped(this, this.dtype, B.abs); }
}
NdArray.prototype.$elementwise = true;
NdArray.prototype.__hash__ = null;
np.ndarray = NdArray;
Object.assign(NdArray, { $class: true, $name: "ndarray", $order: [NdArray], $test: (x) => x instanceof NdArray });
export const Ellipsis = Symbol("...");
B.Ellipsis = Ellipsis;

const nested = (values, shape) => {
  if (!shape.length) return values[0];
  if (shape.length === 1) return values;
  const step = sizeOf(shape.slice(1));
  return Array.from({ length: shape[0] }, (_, at) => nested(values.slice(at * step, (at + 1) * step), shape.slice(1)));
};

// What is in brackets: places, slices, and arrays of places or of yes and no.

const isList = (key) => key instanceof NdArray || (Array.isArray(key) && !(key instanceof Tuple)) || B.range.$test(key);

function got(x, key) {
  const found = key === Ellipsis ? x : selected(x, key);
  if (found.places && found.direct === undefined) return found;
  return found.direct ? new NdArray(x.dtype, found.shape, x.dtype.Store.from(found.direct.map((at) => x.data[at]))) : x.read(found.at);
}
/** A view, one place, or a list of places of any shape. */
function selected(x, key) {
  const keys = key instanceof Tuple ? [...key] : [key];
  if (keys.some(isList)) return picked(x, keys);
  let { offset } = x;
  const [shape, strides] = [[], []];
  let axis = 0;
  const missing = x.$shape.length - keys.filter((each) => each !== null && each !== Ellipsis).length;
  for (const each of keys) {
    if (each === null) {
      shape.push(1);
      strides.push(0);
    } else if (each === Ellipsis) {
      for (let i = 0; i < missing; i++, axis++) {
        shape.push(x.$shape[axis]);
        strides.push(x.strides[axis]);
      }
    } else if (each instanceof Slice) {
      const places = each.places(x.$shape[axis]);
      offset += (places[0] ?? 0) * x.strides[axis];
      shape.push(places.length);
      strides.push(x.strides[axis] * Number(each.step ?? 1));
      axis++;
    } else {
      const length = x.$shape[axis];
      const at = Number(each) < 0 ? Number(each) + length : Number(each);
      if (!(at >= 0 && at < length)) throw B.IndexError(`index ${each} is out of bounds for axis ${axis} with size ${length}`);
      offset += at * x.strides[axis];
      axis++;
    }
  }
  for (; axis < x.$shape.length; axis++) {
    shape.push(x.$shape[axis]);
    strides.push(x.strides[axis]);
  }
  if (!shape.length) return { at: offset };
  return new NdArray(x.dtype, shape, x.data, offset, strides);
}
/** Places chosen by arrays: those are spread to one shape, slices stay behind or before them. */
function picked(x, given) {
  const keys = given.flatMap((key) => {
    const made = isList(key) ? np.asarray(key) : key;
    return made instanceof NdArray && made.dtype === bool ? np.nonzero(made) : [made];
  });
  while (keys.length < x.$shape.length) keys.push(new Slice(null, null, null));
  const axes = [...keys.keys()];
  const chosen = axes.filter((at) => !(keys[at] instanceof Slice));
  const arrays = chosen.map((at) => np.asarray(keys[at]));
  const shape = spread(arrays.map((each) => each.$shape));
  const parts = arrays.map((each) => np.broadcast_to(each, shape).values());
  const kept = axes.filter((at) => keys[at] instanceof Slice);
  const slices = kept.map((at) => keys[at].places(x.$shape[at]));
  const together = chosen.every((at, i) => i === 0 || at === chosen[i - 1] + 1);
  const first = together ? kept.filter((at) => at < chosen[0]).length : 0;
  const whole_ = [...slices.slice(0, first).map((each) => each.length), ...shape, ...slices.slice(first).map((each) => each.length)];
  const [before, count] = [slices.slice(0, first), sizeOf(shape)];
  const direct = [];
  const along = (lists, axesOf, then, base) => {
    if (!lists.length) then(base);
    else for (const at of lists[0]) along(lists.slice(1), axesOf.slice(1), then, base + at * x.strides[axesOf[0]]);
  };
  along(before, kept.slice(0, first), (base) => {
    for (let i = 0; i < count; i++) {
      let at = base;
      chosen.forEach((axis, which) => {
        const length = x.$shape[axis];
        const place = parts[which][i] < 0 ? parts[which][i] + length : parts[which][i];
        if (!(place >= 0 && place < length)) throw B.IndexError(`index ${place} is out of bounds`);
        at += place * x.strides[axis];
      });
      along(slices.slice(first), kept.slice(first), (end) => direct.push(end), at);
    }
  }, x.offset);
  return { direct, shape: whole_, places: () => direct, $shape: whole_, dtype: x.dtype, data: x.data, write: (at, value) => x.write(at, value) };
}
export function assigned(to, value) {
  const places = to.places();
  const put = isBig(to.dtype) ? (at, x) => to.write(at, x) : (at, x) => { to.data[at] = x; };
  if (value instanceof NdArray && to instanceof NdArray && value.dtype === to.dtype && to.isWhole && value.size === to.size) {
    to.data.set(value.stored(), to.offset);
  } else if (value instanceof NdArray || Array.isArray(value)) {
    const from = np.asarray(value);
    const values = from.size === 1 ? Array(places.length).fill(from.item()) : np.broadcast_to(from, to.$shape).values();
    const exact = from.dtype !== to.dtype && to.dtype.group !== "f";
    for (let i = 0; i < places.length; i++) put(places[i], exact ? scalar(to.dtype, values[i]) : values[i]);
  } else {
    const one = scalar(to.dtype, value);
    for (const at of places) put(at, one);
  }
}

// Number by number, spread to a common shape.

function spread(shapes) {
  const length = Math.max(0, ...shapes.map((shape) => shape.length));
  return Array.from({ length }, (_, at) => {
    let found = 1;
    for (const shape of shapes) {
      const size = shape[shape.length - length + at] ?? 1;
      if (size !== 1 && found !== 1 && size !== found) throw B.ValueError(`shapes do not fit together: ${shapes.join(" and ")}`);
      if (size !== 1) found = size;
    }
    return found;
  });
}
np.broadcast_to = (x, given) => {
  const from = np.asarray(x);
  const shape = [...(typeof given === "number" ? [given] : given)];
  const before = shape.length - from.$shape.length;
  const strides = shape.map((size, at) => (at < before || from.$shape[at - before] === 1 ? 0 : from.strides[at - before]));
  return new NdArray(from.dtype, shape, from.data, from.offset, strides);
};
const mapped = (x, of, f) => {
  const made = new NdArray(of, [...x.$shape]);
  x.places().forEach((at, i) => made.write(i, f(x.read(at))));
  return made;
};
export const isNumber = (x) => typeof x === "number" || typeof x === "bigint" || typeof x === "boolean";

/** The numbers of something in this shape, in order: one, or a list of them. */
function inShape(x, shape) {
  if (x.size === 1) return x.item();
  const fits = x.$shape.length === shape.length && x.$shape.every((size, at) => size === shape[at]);
  const from = fits ? x : np.broadcast_to(x, shape);
  return isBig(x.dtype) || x.dtype === bool || !from.isWhole ? from.values() : from.stored();
}
const EACH = {
  both: (f, a, b, n, put) => { for (let i = 0; i < n; i++) put(i, f(a[i], b[i])); },
  left: (f, a, b, n, put) => { for (let i = 0; i < n; i++) put(i, f(a[i], b)); },
  right: (f, a, b, n, put) => { for (let i = 0; i < n; i++) put(i, f(a, b[i])); },
  none: (f, a, b, n, put) => { for (let i = 0; i < n; i++) put(i, f(a, b)); },
};
/** An operation of two: a number or array each. result: the kind of what it gives, from theirs. */
function paired(f, result, real = f) {
  return (a, b) => {
    if (isNumber(a) && isNumber(b)) return f(a, b);
    const [x, y] = [np.asarray(a), np.asarray(b)];
    const of = isNumber(a) ? beside(y.dtype, a) : isNumber(b) ? beside(x.dtype, b) : common(x.dtype, y.dtype);
    const shape = spread([x.$shape, y.$shape]);
    const made = new NdArray(result(of), shape);
    const [left, right] = [inShape(x, shape), inShape(y, shape)];
    const [many, more] = [typeof left === "object", typeof right === "object"];
    const { data } = made;
    const put = isBig(made.dtype) ? (i, value) => made.write(i, value) : (i, value) => { data[i] = value; };
    const loop = EACH[many ? (more ? "both" : "left") : more ? "right" : "none"];
    loop(of.group === "f" ? real : f, left, right, made.size, put);
    return shape.length ? made : made.item();
  };
}
export const same = (of) => of;
export const counted = (of) => (of === bool ? int64 : of);
export const real = (of) => (of.group === "f" ? of : float64);
const quotient = (a, b) => Number(a) / Number(b); // no error for 0, as in arrays
const whole0 = (f) => (a, b) => (b == 0 ? 0 : f(a, b));
const OPERATIONS = {
  add: paired(P.add, same, (a, b) => Number(a) + Number(b)), sub: paired(P.sub, same, (a, b) => a - b), mul: paired(P.mul, same, (a, b) => Number(a) * Number(b)),
  truediv: paired(quotient, real), floordiv: paired(whole0(P.floordiv), counted), mod: paired(whole0(P.mod), counted), pow: paired((a, b) => P.pow(a, b), counted),
  and: paired((a, b) => P.and(a, b), same), or: paired((a, b) => P.or(a, b), same), xor: paired((a, b) => P.xor(a, b), same),
  lshift: paired((a, b) => P.lshift(a, b), counted), rshift: paired((a, b) => P.rshift(a, b), counted),
};
export const yes = () => bool;
const COMPARISONS = {
  lt: paired((a, b) => a < b, yes), le: paired((a, b) => a <= b, yes), gt: paired((a, b) => a > b, yes),
  ge: paired((a, b) => a >= b, yes), eq: paired((a, b) => a == b, yes), ne: paired((a, b) => a != b, yes),
};
for (const [name, f] of Object.entries(OPERATIONS)) {
  NdArray.prototype[`__${name}__`] = function (other) { return f(this, other); };
  NdArray.prototype[`__r${name}__`] = function (other) { return f(other, this); };
  NdArray.prototype[`__i${name === "truediv" ? "div" : name}__`] = function (other) {
    assigned(this, f(this, other));
    return this;
  };
}
for (const [name, f] of Object.entries(COMPARISONS)) NdArray.prototype[`__${name}__`] = function (other) { return other === null ? false : f(this, other); };
np.minimum = paired((a, b) => (a <= b ? a : b), same);
np.maximum = paired((a, b) => (a >= b ? a : b), same);
np.add = Object.assign((...given) => OPERATIONS.add(...given), {
  reduceat: (x, starts) => {
    const [values, from] = [x.values(), [...np.asarray(starts).values(), x.size]];
    return made(x.dtype, [from.length - 1], from.slice(0, -1).map((start, at) => summed(values.slice(start, Math.max(start + 1, from[at + 1])), x.dtype, false)));
  },
});
np.where = (test, a, b) => {
  if (a === undefined) return np.nonzero(test);
  const [t, x, y] = [test, a, b].map((each) => np.asarray(each));
  const shape = spread([t.$shape, x.$shape, y.$shape]);
  const of = isNumber(a) && !isNumber(b) ? beside(y.dtype, a) : isNumber(b) && !isNumber(a) ? beside(x.dtype, b) : common(x.dtype, y.dtype);
  const [tests, left, right] = [t, x, y].map((each) => np.broadcast_to(each, shape).values());
  return made(of, shape, tests.map((each, i) => (P.truthy(each) ? left[i] : right[i])));
};
export const made = (of, shape, values) => {
  const found = new NdArray(of, [...shape]);
  values.forEach((value, at) => found.write(at, value));
  return found;
};
export const each = (f, kindFor = same) => (x) => (isNumber(x) ? f(x) : mapped(np.asarray(x), kindFor(np.asarray(x).dtype), f));
np.$each = (f) => each((x) => f(Number(x)), real);
np.abs = each(B.abs);
np.sqrt = each((x) => Math.sqrt(Number(x)), real);
np.rint = each((x) => Number(nearest(...ratio(Number(x)))), real);
np.ceil = each((x) => Math.ceil(Number(x)), real);
np.floor = each((x) => Math.floor(Number(x)), real);
np.square = each((x) => P.mul(x, x));
np.isfinite = each((x) => Number.isFinite(Number(x)), yes);
np.isnan = each((x) => Number.isNaN(Number(x)), yes);
np.clip = (x, low, high) => np.minimum(np.maximum(x, low), high);
NdArray.prototype.clip = function (low, high) { return np.clip(this, low, high); };
