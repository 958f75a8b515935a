// Arrays as numpy has them: what the translated modules use of it, with the same bits.

import { B, Named, P, Slice, Tuple, whole } from "./python.js";
import { nearest, ratio } from "./formatting.js";

export const np = { $module: true, inf: Infinity, nan: NaN, newaxis: null, pi: Math.PI };

// Kinds of numbers: how they are stored, and which of two holds both.

const KINDS = {};
const kind = (name, Store, group, size, rank) => {
  const made = (x = 0) => (x instanceof NdArray ? x.astype(made) : scalar(made, x));
  Object.assign(made, { $class: true, $kind: true, Store, group, itemsize: size, rank, $order: [], str: `<${group}${size}` });
  made.$test = (x) => (group === "f" ? typeof x === "number" && !Number.isInteger(x) : false);
  Object.defineProperty(made, "name", { value: name });
  made.kind = group;
  made.newbyteorder = () => made;
  KINDS[name] = np[name] = made;
  return made;
};
const bool = kind("bool_", Uint8Array, "b", 1, 0);
const uint8 = kind("uint8", Uint8Array, "u", 1, 1);
const int8 = kind("int8", Int8Array, "i", 1, 1.5);
const uint16 = kind("uint16", Uint16Array, "u", 2, 2);
kind("int16", Int16Array, "i", 2, 2.5);
kind("uint32", Uint32Array, "u", 4, 3);
kind("int32", Int32Array, "i", 4, 3.5);
const int64 = kind("int64", BigInt64Array, "i", 8, 4.5);
const uint64 = kind("uint64", BigUint64Array, "u", 8, 4);
const float32 = kind("float32", Float32Array, "f", 4, 5);
const float64 = kind("float64", Float64Array, "f", 8, 6);
np.generic = { $class: true, $test: () => false, $order: [] };
np.ndarray = null; // set below
np.bool = bool;
np.dtype = (x) => kindOf(x);
export const BY_TEXT = { "|b1": bool, "|u1": uint8, "|i1": int8, "<u2": uint16, "<i2": np.int16, "<u4": np.uint32, "<i4": np.int32, "<i8": int64, "<u8": uint64, "<f4": float32, "<f8": float64 };

function kindOf(x) {
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
function common(a, b) {
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
const kindOfNumber = (x) => (typeof x === "boolean" ? bool : typeof x === "bigint" || Number.isInteger(x) ? int64 : float64);
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
const Ellipsis = Symbol("...");
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
function assigned(to, value) {
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
const isNumber = (x) => typeof x === "number" || typeof x === "bigint" || typeof x === "boolean";

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
const same = (of) => of;
const counted = (of) => (of === bool ? int64 : of);
const real = (of) => (of.group === "f" ? of : float64);
const quotient = (a, b) => Number(a) / Number(b); // no error for 0, as in arrays
const whole0 = (f) => (a, b) => (b == 0 ? 0 : f(a, b));
const OPERATIONS = {
  add: paired(P.add, same, (a, b) => Number(a) + Number(b)), sub: paired(P.sub, same, (a, b) => a - b), mul: paired(P.mul, same, (a, b) => Number(a) * Number(b)),
  truediv: paired(quotient, real), floordiv: paired(whole0(P.floordiv), counted), mod: paired(whole0(P.mod), counted), pow: paired((a, b) => P.pow(a, b), counted),
  and: paired((a, b) => P.and(a, b), same), or: paired((a, b) => P.or(a, b), same), xor: paired((a, b) => P.xor(a, b), same),
  lshift: paired((a, b) => P.lshift(a, b), counted), rshift: paired((a, b) => P.rshift(a, b), counted),
};
const yes = () => bool;
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
const made = (of, shape, values) => {
  const found = new NdArray(of, [...shape]);
  values.forEach((value, at) => found.write(at, value));
  return found;
};
const each = (f, kindFor = same) => (x) => (isNumber(x) ? f(x) : mapped(np.asarray(x), kindFor(np.asarray(x).dtype), f));
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
  const order = [...x.$shape.keys()];
  const [moved] = order.splice(from < 0 ? from + order.length : from, 1);
  order.splice(to < 0 ? to + order.length + 1 : to, 0, moved);
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
function summed(values, of, along) {
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
