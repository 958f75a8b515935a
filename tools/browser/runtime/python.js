// What Python means, for what was translated from it: objects, operators, calls, errors.

export const P = {};
export const B = {}; // Python's builtins, by their names

const SAFE = Number.MAX_SAFE_INTEGER;
const BIG = 1n << 53n;

// Numbers: integers are numbers up to 2 ** 53, and big ones beyond.

/** An integer as a number if it is one exactly. */
export const whole = (big) => (big > -BIG && big < BIG ? Number(big) : big);
const safe = (x) => x <= SAFE && x >= -SAFE;
const isInt = (x) => typeof x === "bigint" || Number.isInteger(x);
const asNumber = (x) => (typeof x === "number" ? x : Number(x));
const special = (a, b, name, reflected) => {
  if (a !== null && typeof a === "object" && a[name]) {
    const found = a[name](b);
    if (found !== P.NotImplemented) return found;
  }
  if (b !== null && typeof b === "object" && b[reflected]) {
    const found = b[reflected](a);
    if (found !== P.NotImplemented) return found;
  }
  throw B.TypeError(`unsupported operands for ${name}: ${B.repr(a)} and ${B.repr(b)}`);
};
P.NotImplemented = Symbol("NotImplemented");
B.NotImplemented = P.NotImplemented;
const numeric = (x) => typeof x === "number" || typeof x === "bigint" || typeof x === "boolean";
/** Two numbers of one kind: both numbers, or both big if both are whole and one is big. */
const alike = (a, b) => {
  if (typeof a === "boolean") a = Number(a);
  if (typeof b === "boolean") b = Number(b);
  if (typeof a === typeof b) return [a, b];
  if (isInt(a) && isInt(b)) return [BigInt(a), BigInt(b)];
  return [asNumber(a), asNumber(b)];
};

function calculated(small, large, name) {
  const reflected = name.replace("__", "__r");
  return (a, b) => {
    if (typeof a === "number" && typeof b === "number") {
      const found = small(a, b);
      if (safe(found) || !Number.isInteger(a) || !Number.isInteger(b)) return found;
      return whole(large(BigInt(a), BigInt(b)));
    }
    if (!numeric(a) || !numeric(b)) return special(a, b, name, reflected);
    const [x, y] = alike(a, b);
    return typeof x === "bigint" ? whole(large(x, y)) : calculated(small, large, name)(x, y);
  };
}

const plus = calculated((a, b) => a + b, (a, b) => a + b, "__add__");
P.add = (a, b) => {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b]);
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (a instanceof String || b instanceof String) return String(a) + String(b);
  if (Array.isArray(a) && Array.isArray(b)) return a instanceof Tuple ? P.tuple([...a, ...b]) : [...a, ...b];
  return plus(a, b);
};
P.sub = calculated((a, b) => a - b, (a, b) => a - b, "__sub__");
const times = calculated((a, b) => a * b, (a, b) => a * b, "__mul__");
P.mul = (a, b) => {
  if (typeof a === "number" && (typeof b === "string" || Array.isArray(b))) return P.mul(b, a);
  if (typeof a === "string") return a.repeat(Math.max(0, Number(b)));
  if (Array.isArray(a) && numeric(b)) {
    const found = [];
    for (let i = 0; i < b; i++) found.push(...a);
    return a instanceof Tuple ? P.tuple(found) : found;
  }
  return times(a, b);
};
P.div = (a, b) => {
  if (typeof a === "number" && typeof b === "number" && b !== 0) return a / b;
  if (!numeric(a) || !numeric(b)) return special(a, b, "__truediv__", "__rtruediv__");
  const [x, y] = alike(a, b);
  if (Number(y) === 0) throw B.ZeroDivisionError("division by zero");
  return typeof x === "bigint" ? quotient(x, y) : x / y;
};

/** The quotient of two big integers, correctly rounded. */
function quotient(a, b) {
  const negative = a < 0n !== b < 0n;
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  if (x === 0n) return 0;
  const shift = 66 + y.toString(2).length - x.toString(2).length;
  if (shift > 0) x <<= BigInt(shift);
  else y <<= BigInt(-shift);
  let found = x / y;
  if (found * y !== x) found |= 1n; // sticky: more than 64 bits precede it
  const value = Number(found) * 2 ** -shift;
  return negative ? -value : value;
}

P.floordiv = (a, b) => {
  if (!numeric(a) || !numeric(b)) return special(a, b, "__floordiv__", "__rfloordiv__");
  const [x, y] = alike(a, b);
  if (Number(y) === 0) throw B.ZeroDivisionError("division by zero");
  if (typeof x === "bigint") return whole(x % y !== 0n && x < 0n !== y < 0n ? x / y - 1n : x / y);
  return Number.isInteger(x) && Number.isInteger(y) ? (x - P.mod(x, y)) / y : Math.floor(x / y);
};
P.mod = (a, b) => {
  if (typeof a === "string") return P.percent(a, b);
  if (!numeric(a) || !numeric(b)) return special(a, b, "__mod__", "__rmod__");
  const [x, y] = alike(a, b);
  if (Number(y) === 0) throw B.ZeroDivisionError("modulo by zero");
  const left = x % y;
  if (typeof x === "bigint") return whole(left !== 0n && left < 0n !== y < 0n ? left + y : left);
  return left !== 0 && left < 0 !== y < 0 ? left + y : left + 0;
};
P.pow = (a, b) => {
  if (!numeric(a) || !numeric(b)) return special(a, b, "__pow__", "__rpow__");
  const [x, y] = alike(a, b);
  if (isInt(x) && isInt(y) && y >= 0) {
    if (y == 2) return P.mul(x, x);
    return whole(BigInt(x) ** BigInt(y));
  }
  if (y === 2) return x * x;
  if (y === 0.5) return Math.sqrt(x);
  return Number(x) ** Number(y);
};
const bits = (small, large, name) => {
  const reflected = name.replace("__", "__r");
  return (a, b) => {
    if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return small(a, b);
    if (typeof a === "boolean" && typeof b === "boolean") return Boolean(small(a, b));
    if (!numeric(a) || !numeric(b)) return special(a, b, name, reflected);
    return whole(large(BigInt(a), BigInt(b)));
  };
};
P.and = bits((a, b) => a & b, (a, b) => a & b, "__and__");
P.xor = bits((a, b) => a ^ b, (a, b) => a ^ b, "__xor__");
const either = bits((a, b) => a | b, (a, b) => a | b, "__or__");
/** Also of types: one of them. */
P.or = (a, b) => (typeof a === "function" && typeof b === "function" ? Object.assign(() => null, { $any: [...(a.$any ?? [a]), ...(b.$any ?? [b])] }) : either(a, b));
P.lshift = (a, b) => (numeric(a) && numeric(b) ? whole(BigInt(a) << BigInt(b)) : special(a, b, "__lshift__", "__rlshift__"));
P.rshift = (a, b) => {
  if (typeof a === "number" && (a | 0) === a && b < 32) return a >> Number(b);
  return numeric(a) && numeric(b) ? whole(BigInt(a) >> BigInt(b)) : special(a, b, "__rshift__", "__rrshift__");
};
P.matmul = (a, b) => special(a, b, "__matmul__", "__rmatmul__");
P.neg = (a) => (numeric(a) ? (typeof a === "bigint" ? whole(-a) : -a) : a.__neg__());
P.pos = (a) => (numeric(a) ? a : a.__pos__());
P.invert = (a) => (numeric(a) ? whole(~BigInt(a)) : a.__invert__());
/** What `a op= b` leaves in a. */
P.inplace = (name, a, b) => {
  if (name === "add" && Array.isArray(a) && !(a instanceof Tuple)) {
    for (const each of b) a.push(each);
    return a;
  }
  const own = a !== null && typeof a === "object" && a[`__i${name}__`];
  return own ? own.call(a, b) : P[name](a, b);
};

// Truth, equality, order.

P.truthy = (x) => {
  switch (typeof x) {
    case "boolean": return x;
    case "number": return x !== 0;
    case "string": return x.length > 0;
    case "bigint": return x !== 0n;
    case "undefined": return false;
    case "function": return true;
  }
  if (x === null) return false;
  if (Array.isArray(x)) return x.length > 0;
  if (x.__bool__) return x.__bool__();
  if (x.__len__) return x.__len__() > 0;
  return true;
};
P.eq = (a, b) => {
  if (a === b) return true;
  if (a instanceof String) a = String(a);
  if (b instanceof String) b = String(b);
  if (a === b) return true;
  if (a === null || b === null || a === undefined || b === undefined) return isArrayLike(a) || isArrayLike(b) ? special(a, b, "__eq__", "__eq__") : false;
  if (typeof a !== "object" && typeof b !== "object") return a == b && typeof a !== "string" && typeof b !== "string";
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length || a instanceof Tuple !== b instanceof Tuple) return false;
    for (let i = 0; i < a.length; i++) if (!P.eq(a[i], b[i])) return false;
    return true;
  }
  if (a !== null && typeof a === "object" && a.__eq__) {
    const found = a.__eq__(b);
    if (found !== P.NotImplemented) return found;
  }
  if (b !== null && typeof b === "object" && b.__eq__) {
    const found = b.__eq__(a);
    if (found !== P.NotImplemented) return found;
  }
  return false;
};
const isArrayLike = (x) => x !== null && typeof x === "object" && x.$elementwise === true;
P.ne = (a, b) => {
  const found = P.eq(a, b);
  return typeof found === "boolean" ? !found : found.__invert__();
};
const ordered = (name, reflected, plain, equal) => {
  const compare = (a, b) => {
    if (numeric(a) && numeric(b)) return plain(a, b);
    if (typeof a === "string" && typeof b === "string") return plain(compareTexts(a, b), 0);
    if (Array.isArray(a) && Array.isArray(b)) {
      for (let i = 0; i < Math.min(a.length, b.length); i++) if (!P.eq(a[i], b[i])) return compare(a[i], b[i]);
      return a.length === b.length ? equal : plain(a.length, b.length);
    }
    return special(a, b, name, reflected);
  };
  return compare;
};
/** By code points, as Python compares: JavaScript compares halves of those beyond 65535. */
const compareTexts = (a, b) => (a === b ? 0 : a < b ? -1 : 1);
P.lt = ordered("__lt__", "__gt__", (a, b) => a < b, false);
P.gt = ordered("__gt__", "__lt__", (a, b) => a > b, false);
P.le = ordered("__le__", "__ge__", (a, b) => a <= b, true);
P.ge = ordered("__ge__", "__le__", (a, b) => a >= b, true);

// Tuples, dictionaries, sets: compared and found by value.

export class Tuple extends Array {
  static get [Symbol.species]() {
    return Array;
  }
}
P.tuple = (parts) => Object.setPrototypeOf(parts, Tuple.prototype);
P.bytes = (parts) => Uint8Array.from(parts);

let identities = 0;
const known = new WeakMap();
const identity = (x) => {
  if (!known.has(x)) known.set(x, ++identities);
  return known.get(x);
};
/** What stands for a key in JavaScript's own maps: equal for what Python calls equal. */
export function keyOf(x) {
  switch (typeof x) {
    case "string": return x;
    case "number": return x;
    case "boolean": return Number(x);
    case "bigint": return x;
    case "function": return x;
    case "undefined": return null;
  }
  if (x === null) return x;
  if (x instanceof String) return String(x);
  if (x instanceof Tuple) return "\u0001(" + x.map(marked).join(",") + ")";
  if (Array.isArray(x)) throw B.TypeError("unhashable type: 'list'");
  if (x.__hash__ === null) throw B.TypeError("unhashable type");
  if (x.$key) return x.$key();
  return x;
}
function marked(x) {
  const key = keyOf(x);
  switch (typeof key) {
    case "string": return key[0] === "\u0001" ? key : `"${key.length}:${key}`;
    case "object": case "function": return key === null ? "-" : `#${identity(key)}`;
    default: return String(key);
  }
}

export class Dict {
  constructor(pairs = []) {
    this.entries = new Map();
    for (const [key, value] of pairs) this.put(key, value);
  }
  put(key, value) {
    const at = keyOf(key);
    const old = this.entries.get(at);
    if (old) old[1] = value;
    else this.entries.set(at, [key, value]);
  }
  find(key) {
    return this.entries.get(keyOf(key));
  }
  __getitem__(key) {
    const found = this.find(key);
    if (found) return found[1];
    if (this.__missing__) return this.__missing__(key);
    throw B.KeyError(key);
  }
  __setitem__(key, value) {
    this.put(key, value);
  }
  __delitem__(key) {
    if (!this.entries.delete(keyOf(key))) throw B.KeyError(key);
  }
  __contains__(key) {
    return this.entries.has(keyOf(key));
  }
  __len__() {
    return this.entries.size;
  }
  *[Symbol.iterator]() {
    for (const [key] of this.entries.values()) yield key;
  }
  __eq__(other) {
    if (!(other instanceof Dict)) return P.NotImplemented;
    if (other.entries.size !== this.entries.size) return false;
    for (const [key, value] of this.entries.values()) {
      const found = other.find(key);
      if (!found || !P.eq(found[1], value)) return false;
    }
    return true;
  }
  __or__(other) {
    const found = this.copy();
    found.update(other);
    return found;
  }
  __ior__(other) {
    this.update(other);
    return this;
  }
  get(key, otherwise = null) {
    const found = this.find(key);
    return found ? found[1] : otherwise;
  }
  keys() {
    return new View(this, (pair) => pair[0]);
  }
  values() {
    return new View(this, (pair) => pair[1]);
  }
  items() {
    return new View(this, ([key, value]) => P.tuple([key, value]));
  }
  copy() {
    return new this.constructor(this.entries.values());
  }
  update(other = [], more = null) {
    if (other instanceof Named) [other, more] = [[], other];
    for (const [key, value] of P.items(other)) this.put(key, value);
    if (more) for (const [key, value] of Object.entries(more.given)) this.put(key, value);
  }
  setdefault(key, value = null) {
    const found = this.find(key);
    if (found) return found[1];
    this.put(key, value);
    return value;
  }
  pop(key, ...otherwise) {
    const found = this.find(key);
    if (!found) {
      if (otherwise.length) return otherwise[0];
      throw B.KeyError(key);
    }
    this.entries.delete(keyOf(key));
    return found[1];
  }
  popitem(named) {
    const first = named instanceof Named && named.given.last === false;
    const keys = [...this.entries.keys()];
    if (!keys.length) throw B.KeyError("empty");
    const at = first ? keys[0] : keys[keys.length - 1];
    const found = P.tuple([...this.entries.get(at)]);
    this.entries.delete(at);
    return found;
  }
  move_to_end(key) {
    const [at, found] = [keyOf(key), this.find(key)];
    this.entries.delete(at);
    this.entries.set(at, found);
  }
  clear() {
    this.entries.clear();
  }
}
Dict.prototype.__hash__ = null;

class View {
  constructor(of, read) {
    this.of = of;
    this.read = read;
  }
  *[Symbol.iterator]() {
    for (const pair of this.of.entries.values()) yield this.read(pair);
  }
  __len__() {
    return this.of.entries.size;
  }
  __contains__(value) {
    for (const each of this) if (P.eq(each, value)) return true;
    return false;
  }
  set() {
    return P.set([...this]);
  }
  __sub__(other) { return this.set().__sub__(other); }
  __and__(other) { return this.set().__and__(other); }
  __or__(other) { return this.set().__or__(other); }
  __eq__(other) { return this.set().__eq__(other instanceof View ? other.set() : other); }
}

export class SetOf {
  constructor(members = []) {
    this.entries = new Map();
    for (const each of members) this.add(each);
  }
  add(member) {
    const key = keyOf(member);
    if (!this.entries.has(key)) this.entries.set(key, member);
  }
  discard(member) {
    this.entries.delete(keyOf(member));
  }
  remove(member) {
    if (!this.entries.delete(keyOf(member))) throw B.KeyError(member);
  }
  pop() {
    for (const [key, member] of this.entries) {
      this.entries.delete(key);
      return member;
    }
    throw B.KeyError("pop from an empty set");
  }
  clear() { this.entries.clear(); }
  copy() { return new SetOf(this); }
  update(...others) {
    for (const other of others) for (const each of other) this.add(each);
  }
  __contains__(member) { return this.entries.has(keyOf(member)); }
  __len__() { return this.entries.size; }
  [Symbol.iterator]() { return this.entries.values(); }
  __eq__(other) {
    return other instanceof SetOf ? this.__len__() === other.__len__() && this.issubset(other) : P.NotImplemented;
  }
  __or__(other) { return new SetOf([...this, ...other]); }
  __ior__(other) { this.update(other); return this; }
  __isub__(other) { for (const each of [...other]) this.discard(each); return this; }
  __iand__(other) { const kept = this.__and__(other); this.entries = kept.entries; return this; }
  __and__(other) { return new SetOf([...this].filter((each) => P.has(other, each))); }
  __sub__(other) { return new SetOf([...this].filter((each) => !P.has(other, each))); }
  __xor__(other) { return this.__sub__(other).__or__(other.__sub__(this)); }
  __le__(other) { return this.issubset(other); }
  __lt__(other) { return this.issubset(other) && this.__len__() < other.__len__(); }
  __ge__(other) { return other.issubset(this); }
  __gt__(other) { return other.__lt__(this); }
  union(...others) { return others.reduce((found, other) => found.__or__([...other]), this); }
  intersection(...others) { return others.reduce((found, other) => found.__and__(P.set(other)), this); }
  difference(...others) { return others.reduce((found, other) => found.__sub__(P.set(other)), this); }
  issubset(other) { return [...this].every((each) => P.has(other, each)); }
  issuperset(other) { return [...other].every((each) => this.__contains__(each)); }
  isdisjoint(other) { return ![...other].some((each) => this.__contains__(each)); }
  $key() { return "\u0001{" + [...this].map(marked).sort().join(",") + "}"; }
}
P.dict = (pairs) => new Dict(pairs);
P.set = (members) => new SetOf(members);
/** Pairs of a dictionary, or of what gives pairs. */
P.items = (x) => (x.items ? x.items() : x);

// What is in brackets, membership, unpacking.

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

// Functions and calls: a signature says which arguments there are, so that names find their places.

/** Arguments with names, for functions that take them as they come. */
export class Named {
  constructor(given) {
    this.given = given;
  }
}
P.fn = (signature, body) => {
  const [positional, byName, rest] = signature.split("|");
  const names = [...positional.split(","), ...byName.split(",")].filter(Boolean);
  const count = positional ? positional.split(",").length : 0;
  const made = rest === "**" || rest === "***" || (rest === "*" && byName) ? gathering(body, names, count, rest) : body;
  made.$names = names;
  made.$count = count;
  made.$gathers = made !== body;
  return made;
};
/** A function whose last parameters are those without a place: a tuple, a dictionary. */
function gathering(body, names, count, rest) {
  return function (...given) {
    const named = given[given.length - 1] instanceof Named ? { ...given.pop().given } : {};
    const placed = names.map((name, at) => {
      if (at < count && at < given.length) return given[at];
      const found = named[name];
      delete named[name];
      return found;
    });
    if (rest.startsWith("*") && rest !== "**") placed.push(P.tuple(given.slice(count)));
    if (rest.endsWith("**")) placed.push(new Dict(Object.entries(named)));
    return body.apply(this, placed);
  };
}
const called = (f, self, given, named) => {
  if (!f.$names || f.$gathers) return f.call(self, ...given, ...(isEmpty(named) ? [] : [new Named(named)]));
  const all = [...given];
  for (const name in named) {
    const at = f.$names.indexOf(name);
    if (at < 0) throw B.TypeError(`${f.name || "function"} got an unexpected argument ${name}`);
    all[at] = named[name];
  }
  return f.apply(self, all);
};
const isEmpty = (x) => {
  for (const _ in x) return false;
  return true;
};
P.call = (f, given, named) => called(f, undefined, given, named);
P.callMethod = (x, name, given, named) => {
  const own = builtIn(x, name);
  if (own) return own(x, ...given, new Named(named));
  const found = x[name];
  if (typeof found !== "function") throw B.AttributeError(`${B.repr(x)} has no ${name}`);
  return called(found, x, given, named);
};
P.named = (x) => (x instanceof Dict ? Object.fromEntries(x.entries.values()) : x);
P.method = (x, name, ...given) => {
  const own = builtIn(x, name);
  return own ? own(x, ...given) : x[name](...given);
};
const METHODS = { string: {}, list: {}, number: {}, bytes: {} };
P.METHODS = METHODS;
const kindOf = (x) => {
  if (typeof x === "string" || x instanceof String) return METHODS.string;
  if (typeof x === "number" || typeof x === "bigint" || typeof x === "boolean") return METHODS.number;
  if (Array.isArray(x)) return METHODS.list;
  return x instanceof Uint8Array ? METHODS.bytes : null;
};
const builtIn = (x, name) => {
  const kind = kindOf(x);
  if (kind && x instanceof Tuple && Object.hasOwn(Object.getPrototypeOf(x), name)) return null;
  return kind ? kind[name] : x.$unbound?.(name);
};
/** An attribute as a value: methods keep their object. */
P.attr = (x, name) => {
  const own = x === null || x === undefined ? null : builtIn(x, name);
  if (own) return x.$unbound ? own : (...given) => own(x, ...given);
  if (name === "__dict__") return new Dict(Object.entries(x));
  if (name === "__name__") return x.$name ?? x.name;
  if (name === "__class__") return B.type(x);
  if (name === "__doc__") return null;
  const found = x[name];
  if (typeof found !== "function" || x.$module || found.$class) return found;
  if (x.$class) return found.$ofClass || found.$static ? found : unbound(found);
  if (Object.hasOwn(x, name)) return found;
  const bound = found.bind(x);
  bound.$names = found.$names;
  bound.$count = found.$count;
  bound.$gathers = found.$gathers;
  bound.$bound = [x, name];
  return bound;
};
const loose = new WeakMap();
const unbound = (found) => {
  if (loose.has(found)) return loose.get(found);
  const made = (self, ...given) => found.apply(self, given);
  if (found.$names) Object.assign(made, { $names: ["self", ...found.$names], $count: found.$count + 1, $gathers: found.$gathers });
  loose.set(found, made);
  return made;
};
P.withSelf = unbound;
P.asMethod = (f) => {
  const made = function (...given) {
    return f(this, ...given);
  };
  if (f.$names) Object.assign(made, { $names: f.$names.slice(1), $count: f.$count - 1, $gathers: f.$gathers });
  return made;
};

// Classes.

class Member {
  constructor(kind, f) {
    Object.assign(this, { kind, f });
  }
}
P.property = (f) => new Member("property", f);
P.kept = (f) => new Member("kept", f);
P.static = (f) => new Member("static", f);
P.ofClass = (f) => new Member("class", f);
B.property = (f) => new Member("property", f);

function defined(prototype, name, member, C) {
  const open = { configurable: true, enumerable: false };
  if (!(member instanceof Member)) {
    Object.defineProperty(prototype, name, { ...open, writable: true, value: member });
    Object.defineProperty(C, name, { ...open, writable: true, value: member });
    return;
  }
  const { kind, f } = member;
  if (kind === "property") Object.defineProperty(prototype, name, { ...open, get: f });
  else if (kind === "kept") {
    const get = function () {
      const value = f.call(this);
      Object.defineProperty(this, name, { ...open, writable: true, value });
      return value;
    };
    Object.defineProperty(prototype, name, { ...open, get });
  } else if (kind === "static") {
    f.$static = true;
    Object.defineProperty(prototype, name, { ...open, writable: true, value: f });
    Object.defineProperty(C, name, { ...open, writable: true, value: f });
  } else {
    const bound = (of) => Object.assign((...given) => f.apply(of(), given), { $names: f.$names, $count: f.$count, $gathers: f.$gathers, $ofClass: true });
    const get = function () {
      const of = this.$class ? this : this.constructor;
      return bound(() => of);
    };
    Object.defineProperty(prototype, name, { ...open, get });
    Object.defineProperty(C, name, { ...open, get });
  }
}

/** The order in which bases are asked: each class before its bases, as often named first. */
function inOrder(C, bases) {
  const lists = [...bases.map((base) => [...base.$order]), [...bases]];
  const found = [C];
  while (lists.some((list) => list.length)) {
    const next = lists.find((list) => list.length && !lists.some((other) => other.indexOf(list[0]) > 0))?.[0];
    if (!next) throw B.TypeError("no order of bases");
    found.push(next);
    for (const list of lists) if (list[0] === next) list.shift();
  }
  return found;
}

P.class = (name, module, bases, kind, fields, body) => {
  const C = function (...given) {
    return C.$make(C, given);
  };
  const $k = { of: C };
  const members = {};
  Object.assign(C, { $name: name, $module_of: module, $class: true, $own: members });
  bases = bases.length ? bases : kind === "tuple" ? [B.tuple] : [B.object];
  C.$order = inOrder(C, bases);
  const [first] = bases;
  let prototype = bases.length === 1 ? first.prototype : flattened(C.$order.slice(1));
  C.prototype = Object.create(prototype, { constructor: { value: C, enumerable: false } });
  Object.setPrototypeOf(C, bases.length === 1 ? first : Object.assign(Object.create(first), statics(C.$order.slice(1))));
  C.$make = first.$make;
  C.$fields = inherited(C.$order.slice(1), fields);
  if (kind === "protocol") C.$test = (x) => x !== null && x !== undefined && Object.keys(members).every((each) => x[each] !== undefined);
  else if (C.$test) C.$test = (x) => x?.constructor?.$order?.includes(C) === true; // not whatever its base takes
  if (kind && kind !== "protocol") shape(C, kind);
  const namespace = new Proxy(members, { set: (to, key, value) => { to[key] = value; if (!(value instanceof Member && value.kind === "property")) defined(C.prototype, key, value, C); else defined(C.prototype, key, value, C); return true; } });
  body(namespace, $k);
  if (members.__iter__) defined(C.prototype, Symbol.iterator, members.__iter__, C);
  if (members.__new__) Object.assign(C, { $names: members.__new__.$names, $count: members.__new__.$count });
  if (members.__init__ || !kind) {
    const init = C.prototype.__init__;
    if (init && !C.$fields.length) Object.assign(C, { $names: init.$names, $count: init.$count, $gathers: init.$gathers });
  }
  return C;
};
function flattened(order) {
  let prototype = B.object.prototype;
  for (const each of [...order].reverse()) {
    if (each === B.object) continue;
    prototype = Object.create(prototype);
    for (const key of Reflect.ownKeys(each.prototype)) {
      if (key !== "constructor") Object.defineProperty(prototype, key, Object.getOwnPropertyDescriptor(each.prototype, key));
    }
  }
  return prototype;
}
const statics = (order) => {
  const found = {};
  for (const each of [...order].reverse()) {
    for (const [key, value] of Object.entries(each.$own ?? {})) if (!(value instanceof Member)) found[key] = value;
  }
  return found;
};
const inherited = (order, fields) => {
  const found = new Map();
  for (const each of [...order].reverse()) for (const field of each.$shaped ?? []) found.set(field.name, field);
  for (const field of fields.map(fieldOf)) found.set(field.name, field);
  return [...found.values()];
};

/** What `dataclasses.field` says of a field. */
export class Field {
  constructor(given) {
    Object.assign(this, { default: given.default, default_factory: given.default_factory ?? null, compare: given.compare ?? true, hashed: given.hash !== false, init: given.init !== false, metadata: given.metadata ?? new Dict() });
  }
}
const fieldOf = ([name, otherwise]) => Object.assign(otherwise instanceof Field ? otherwise : new Field({ default: otherwise }), { name });

/** Makes a dataclass or a named tuple of a class. */
function shape(C, kind) {
  const { $fields: fields } = C;
  C.$shaped = fields;
  C.$names = fields.map(({ name }) => name);
  C.$count = fields.length;
  const filled = (given) => fields.map(({ name, default: otherwise, default_factory: factory, init }, at) => {
    const value = given[at];
    if (value !== undefined) return value;
    if (factory) return factory();
    if (!init) return undefined;
    if (otherwise === undefined) throw B.TypeError(`${C.$name} lacks ${name}`);
    return otherwise;
  });
  if (kind === "tuple") {
    fields.forEach(({ name }, at) => Object.defineProperty(C.prototype, name, { configurable: true, get() { return this[at]; } }));
    C._fields = P.tuple(fields.map(({ name }) => name));
    C.prototype._fields = C._fields;
    C.$make = (of, given) => Object.setPrototypeOf(filled(given), of.prototype);
    C._make = (parts) => C(...parts);
    C.prototype._replace = function (named) {
      const changed = named ? named.given : {};
      return this.constructor(...fields.map(({ name }, at) => (name in changed ? changed[name] : this[at])));
    };
    C.prototype._asdict = function () {
      return new Dict(fields.map(({ name }, at) => [name, this[at]]));
    };
    C.prototype.__repr__ = function () {
      return `${C.$name}(${fields.map(({ name }, at) => `${name}=${B.repr(this[at])}`).join(", ")})`;
    };
    return;
  }
  C.$make = (of, given) => {
    const self = Object.create(of.prototype);
    const values = filled(given);
    fields.forEach(({ name }, at) => { self[name] = values[at]; });
    self.__post_init__?.();
    return self;
  };
  C.prototype.__repr__ = function () {
    return `${C.$name}(${fields.map(({ name }) => `${name}=${B.repr(this[name])}`).join(", ")})`;
  };
  if (kind === "plain") return;
  const compared = fields.filter((field) => field.compare).map(({ name }) => name);
  C.prototype.__eq__ = function (other) {
    if (other === null || other === undefined || other.constructor !== this.constructor) return P.NotImplemented;
    return compared.every((name) => P.eq(this[name], other[name]));
  };
  const hashed = fields.filter((field) => field.compare && field.hashed).map(({ name }) => name);
  if (kind === "frozen") {
    C.prototype.$key = function () {
      return `\u0001${identity(this.constructor)}[${hashed.map((name) => marked(this[name])).join(",")}]`;
    };
  } else C.prototype.__hash__ = null;
}
/** The methods of the class after this one, for an object or a class. */
P.above = (C, self) => new Proxy({}, {
  get(_, name) {
    const of = self.$class ? self : self.constructor;
    const after = of.$order.slice(of.$order.indexOf(C) + 1);
    for (const each of after) {
      const found = Object.getOwnPropertyDescriptor(each.prototype, name);
      if (!found) continue;
      if (found.get) return found.get.call(self);
      return Object.assign((...given) => found.value.apply(self, given), { $names: found.value.$names, $count: found.value.$count, $gathers: found.value.$gathers });
    }
    if (name === "__new__") return of.prototype.__new__;
    if (name === "__init__" || name === "__post_init__" || name === "__init_subclass__") return () => null;
    throw B.AttributeError(`super has no ${String(name)}`);
  },
});

B.object = function () {
  return Object.create(B.object.prototype);
};
B.object.prototype = Object.create(null, { constructor: { value: B.object, enumerable: false } });
Object.assign(B.object, { $class: true, $order: [B.object], $name: "object", $own: {} });
B.object.$make = (of, given) => {
  const self = Object.create(of.prototype);
  let named = {};
  if (given[given.length - 1] instanceof Named && self.__init__ && !self.__init__.$gathers) named = given.pop().given;
  if (self.__init__) called(self.__init__, self, given, named);
  return self;
};

// Errors.

const errors = (name, base) => {
  B[name] = P.class(name, "builtins", [base], "", [], () => {});
  return B[name];
};
B.BaseException = P.class("BaseException", "builtins", [], "", [], ($c) => {
  $c.__init__ = function (...args) {
    this.args = P.tuple(args);
    return null;
  };
  $c.__str__ = function () {
    return this.args.length === 1 ? B.str(this.args[0]) : this.args.length ? B.repr(this.args) : "";
  };
  $c.__repr__ = function () {
    return `${B.type(this).$name}(${this.args.map(B.repr).join(", ")})`;
  };
  $c.toString = function () {
    return `${B.type(this).$name}: ${B.str(this)}\n${this.$stack ?? ""}`;
  };
  $c.__cause__ = null;
});
B.BaseException.$make = (of, given) => {
  const self = B.object.$make(of, given);
  if (!self.args) self.args = P.tuple(given.filter((each) => !(each instanceof Named)));
  self.$stack = new Error().stack;
  return self;
};
const Exception = errors("Exception", B.BaseException);
errors("KeyboardInterrupt", B.BaseException);
errors("SystemExit", B.BaseException);
for (const name of ["ValueError", "TypeError", "AttributeError", "RuntimeError", "AssertionError", "OSError", "ImportError", "ArithmeticError", "LookupError", "StopIteration", "MemoryError", "NameError", "EOFError"]) errors(name, Exception);
for (const name of ["KeyError", "IndexError"]) errors(name, B.LookupError);
for (const name of ["ZeroDivisionError", "OverflowError"]) errors(name, B.ArithmeticError);
for (const name of ["FileNotFoundError", "PermissionError", "TimeoutError", "NotADirectoryError"]) errors(name, B.OSError);
for (const name of ["NotImplementedError", "RecursionError"]) errors(name, B.RuntimeError);
errors("UnicodeError", B.ValueError);
errors("UnicodeDecodeError", B.UnicodeError);
/** What `raise` raises: of a class an object. */
P.raised = (x) => (x.$class ? x() : x);
/** Whether what was caught is such an error. */
P.is = (error, kinds) => {
  const all = kinds instanceof Tuple ? kinds : [kinds];
  return error?.constructor?.$order !== undefined && all.some((kind) => error.constructor.$order.includes(kind));
};
P.left = (manager, error) => P.truthy(error ? manager.__exit__(error.constructor, error, null) : manager.__exit__(null, null, null));

// Modules: run when they are imported first.

const waiting = new Map();
const loaded = new Map();
P.module = (name, run) => {
  if (!waiting.has(name)) waiting.set(name, run);
};
P.outside = new Map(); // modules of others, by name
P.import = (name) => {
  if (loaded.has(name)) return loaded.get(name);
  const run = waiting.get(name);
  if (!run) {
    if (P.outside.has(name)) return P.outside.get(name);
    throw B.ImportError(`there is no module ${name}`);
  }
  const made = { $module: true, __name__: name };
  loaded.set(name, made);
  run(made);
  return made;
};
P.from = (name, what) => {
  const from = P.import(name);
  if (what in from) return from[what];
  throw B.ImportError(`${name} has no ${what}`);
};
P.isLoaded = (name) => waiting.has(name);
