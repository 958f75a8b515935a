// Python's builtin functions, and the methods of its texts, lists and numbers.

import { B, Dict, Named, P, SetOf, Tuple, whole } from "./python.js";
import { Slice } from "./brackets.js";
import "./classes.js";
import { format, repr, rounded, textOf } from "./formatting.js";

const named = (given, ...names) => {
  const last = given[given.length - 1];
  const found = last instanceof Named ? given.pop().given : {};
  return names.map((name) => found[name]);
};

// Types, which are functions too.

const typeOf = (name, make, test, kind) => {
  const made = (...given) => make(...given);
  Object.assign(made, { $class: true, $name: name, $order: [made, B.object], $own: {}, $test: test });
  if (kind) made.$unbound = (method) => P.METHODS[kind][method];
  made.prototype = made.prototype ?? Object.create(B.object.prototype);
  B[name] = made;
  return made;
};

typeOf("str", (x = "") => textOf(x), (x) => typeof x === "string", "string");
// Texts with something beside: of classes that are texts too.
B.str.prototype = Object.create(String.prototype, { constructor: { value: B.str, enumerable: false } });
B.str.prototype.__new__ = (of, text) => Object.setPrototypeOf(Object(textOf(text)), of.prototype);
B.str.$make = (of, given) => (of.prototype.__new__ === B.str.prototype.__new__ ? B.str.prototype.__new__(of, ...given) : of.prototype.__new__.call(of, ...given));
B.str.$test = (x) => typeof x === "string" || x instanceof String;
typeOf("bool", (x = false) => P.truthy(x), (x) => typeof x === "boolean");
typeOf("float", (x = 0) => floatOf(x), (x) => typeof x === "number" && !Number.isInteger(x), "number");
typeOf("int", (x = 0, base = 10) => intOf(x, base), (x) => typeof x === "bigint" || typeof x === "boolean" || Number.isInteger(x), "number");
typeOf("list", (x = []) => [...x], (x) => Array.isArray(x) && !(x instanceof Tuple), "list");
typeOf("bytes", (x = []) => Uint8Array.from(x), (x) => x instanceof Uint8Array, "bytes");
B.tuple = (x = []) => P.tuple([...x]);
Object.assign(B.tuple, { $class: true, $name: "tuple", $order: [B.tuple, B.object], $own: {}, $test: (x) => x instanceof Tuple, $unbound: (method) => P.METHODS.list[method] });
B.tuple.prototype = Tuple.prototype;
B.tuple.__new__ = (of, parts) => Object.setPrototypeOf([...parts], of.prototype);
typeOf("dict", (...given) => {
  const more = given[given.length - 1] instanceof Named ? given.pop().given : {};
  return P.dict([...P.items(given[0] ?? []), ...Object.entries(more)]);
}, (x) => x instanceof Dict);
B.dict.fromkeys = (keys, value = null) => P.dict([...keys].map((key) => [key, value]));
B.dict.prototype = Dict.prototype;
B.dict.$make = () => Object.assign(Object.create(Dict.prototype), { entries: new Map() });
typeOf("set", (x = []) => P.set(x), (x) => x instanceof SetOf);
typeOf("frozenset", (x = []) => P.set(x), (x) => x instanceof SetOf);
B.set.prototype = B.frozenset.prototype = SetOf.prototype;
B.bytes.fromhex = (text) => Uint8Array.from(text.match(/../g).map((pair) => parseInt(pair, 16)));
B.int.from_bytes = (bytes, order = "big") => {
  if (order instanceof Named) order = order.given.byteorder ?? "big";
  const parts = order === "little" ? [...bytes].reverse() : [...bytes];
  return whole(parts.reduce((all, each) => (all << 8n) | BigInt(each), 0n));
};

function intOf(x, base) {
  if (base instanceof Named) base = base.given.base;
  if (typeof x === "string") {
    const text = x.trim().replace(/(?<=\d)_(?=\d)/g, "");
    if (base !== 10) return parseInt(text, base);
    if (!/^[+-]?\d+$/.test(text)) throw B.ValueError(`invalid literal for int() with base 10: ${repr(x)}`);
    return whole(BigInt(text.replace(/^\+/, "")));
  }
  if (typeof x === "bigint") return x;
  if (typeof x === "number") {
    if (Number.isNaN(x)) throw B.ValueError("cannot convert float NaN to integer");
    if (!Number.isFinite(x)) throw B.OverflowError("cannot convert float infinity to integer");
    return whole(BigInt(Math.trunc(x)));
  }
  if (typeof x === "boolean") return Number(x);
  if (x?.__int__) return x.__int__();
  throw B.TypeError("int() needs a number or a text");
}
function floatOf(x) {
  if (typeof x === "string") {
    const text = x.trim().toLowerCase();
    const known = { inf: Infinity, "+inf": Infinity, "-inf": -Infinity, infinity: Infinity, nan: NaN };
    if (text in known) return known[text];
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text)) throw B.ValueError(`could not convert string to float: ${repr(x)}`);
    return Number(text);
  }
  if (x?.__float__) return x.__float__();
  if (x === null || typeof x === "object") throw B.TypeError("float() needs a number or a text");
  return Number(x);
}

B.type = (x) => {
  if (x === null || x === undefined) return B.NoneType;
  for (const kind of [B.str, B.bool, B.int, B.float, B.list, B.dict, B.set, B.bytes]) if (kind.$test(x)) return kind;
  return x.constructor === Tuple ? B.tuple : x.constructor;
};
B.NoneType = Object.assign(() => null, { $class: true, $name: "NoneType", $order: [], $test: (x) => x === null });
B.isinstance = (x, kinds) => {
  if (kinds instanceof Tuple) return kinds.some((kind) => B.isinstance(x, kind));
  if (kinds.$any) return kinds.$any.some((kind) => B.isinstance(x, kind));
  if (kinds.$test) return kinds.$test(x);
  return x !== null && x !== undefined && x.constructor?.$order?.includes(kinds) === true;
};
B.issubclass = (kind, other) => kind.$order.includes(other);
B.callable = (x) => typeof x === "function";
B.None = null;

// Sequences.

B.len = (x) => {
  if (typeof x === "string" || Array.isArray(x) || x instanceof Uint8Array) return x.length;
  return x.__len__();
};
class Range {
  constructor(start, stop, step) {
    Object.assign(this, { start, stop, step });
    this.length = Math.max(0, Math.ceil((stop - start) / step));
  }
  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.start + i * this.step;
  }
  __len__() { return this.length; }
  __getitem__(key) {
    if (key instanceof Slice) return P.tuple([...this])[Symbol.iterator] && P.get([...this], key);
    const at = key < 0 ? key + this.length : key;
    if (at < 0 || at >= this.length) throw B.IndexError("range object index out of range");
    return this.start + at * this.step;
  }
  __contains__(x) {
    const at = (Number(x) - this.start) / this.step;
    return Number.isInteger(at) && at >= 0 && at < this.length;
  }
  __eq__(other) {
    return other instanceof Range ? P.eq([...this], [...other]) : P.NotImplemented;
  }
  index(x) {
    if (!this.__contains__(x)) throw B.ValueError(`${x} is not in range`);
    return (x - this.start) / this.step;
  }
  $key() {
    return `\u0001range(${this.start},${this.stop},${this.step})`;
  }
}
B.range = (...given) => {
  const parts = given.map(Number);
  return given.length === 1 ? new Range(0, parts[0], 1) : new Range(parts[0], parts[1], parts[2] ?? 1);
};
B.range.$test = (x) => x instanceof Range;
B.range.$class = true;
B.enumerate = function* (over, start = 0) {
  if (start instanceof Named) ({ start } = start.given);
  let at = start;
  for (const each of over) yield P.tuple([at++, each]);
};
B.zip = (...given) => {
  const [strict] = named(given, "strict");
  return zipped(given, strict);
};
function* zipped(given, strict) {
  const all = given.map((each) => each[Symbol.iterator]());
  for (;;) {
    const next = all.map((each) => each.next());
    if (next.some(({ done }) => done) || !next.length) {
      if (strict && !next.every(({ done }) => done)) throw B.ValueError("zip() arguments have different lengths");
      return;
    }
    yield P.tuple(next.map(({ value }) => value));
  }
}
B.map = function* (f, ...given) {
  if (given.length === 1) for (const each of given[0]) yield f(each);
  else for (const parts of zipped(given, false)) yield f(...parts);
};
B.filter = function* (f, over) {
  for (const each of over) if (P.truthy(f === null ? each : f(each))) yield each;
};
B.reversed = (x) => (x.__reversed__ ? x.__reversed__() : [...x].reverse()[Symbol.iterator]());
B.iter = (x) => x[Symbol.iterator]();
B.next = (it, ...otherwise) => {
  const { value, done } = it.__next__ ? { value: it.__next__(), done: false } : it.next();
  if (!done) return value;
  if (otherwise.length) return otherwise[0];
  throw B.StopIteration();
};
B.sorted = (over, options) => {
  const found = [...over];
  METHODS.list.sort(found, options);
  return found;
};
B.sum = (over, start = 0) => {
  if (start instanceof Named) ({ start } = start.given);
  let total = start;
  for (const each of over) total = P.add(total, each);
  return total;
};
B.any = (over) => {
  for (const each of over) if (P.truthy(each)) return true;
  return false;
};
B.all = (over) => {
  for (const each of over) if (!P.truthy(each)) return false;
  return true;
};
const extreme = (better, name) => (...given) => {
  const options = given[given.length - 1] instanceof Named ? given.pop().given : {};
  let best, score, any = false;
  for (const each of given.length === 1 ? given[0] : given) {
    const value = options.key ? options.key(each) : each;
    if (!any || better(value, score)) [best, score, any] = [each, value, true];
  }
  if (any) return best;
  if ("default" in options) return options.default;
  throw B.ValueError(`${name}() iterable argument is empty`);
};
B.max = extreme(P.gt, "max");
B.min = extreme(P.lt, "min");
B.abs = (x) => (typeof x === "bigint" ? whole(x < 0n ? -x : x) : typeof x === "number" ? Math.abs(x) : x.__abs__());
B.round = (x, digits = null) => (x.__round__ ? x.__round__(digits) : rounded(x, digits));
B.divmod = (a, b) => P.tuple([P.floordiv(a, b), P.mod(a, b)]);
B.pow = (a, b, modulus = null) => {
  if (modulus === null) return P.pow(a, b);
  let [base, left, found] = [BigInt(a), BigInt(b), 1n];
  for (; left > 0n; left >>= 1n, base = (base * base) % BigInt(modulus)) if (left & 1n) found = (found * base) % BigInt(modulus);
  return whole(found);
};
B.bin = (x) => (x < 0 ? "-0b" : "0b") + B.abs(x).toString(2);
B.hex = (x) => "0x" + x.toString(16);
B.ord = (x) => x.codePointAt(0);
B.chr = (x) => String.fromCodePoint(x);
B.repr = repr;
B.hash = (x) => x;
B.id = (x) => x;
B.print = (...given) => console.log(...given);
B.getattr = (x, name, ...otherwise) => {
  const found = P.attr(x, name);
  if (found !== undefined) return found;
  if (otherwise.length) return otherwise[0];
  throw B.AttributeError(`${repr(x)} has no attribute ${name}`);
};
B.hasattr = (x, name) => x !== null && x !== undefined && P.attr(x, name) !== undefined;
B.setattr = (x, name, value) => {
  x[name] = value;
  return null;
};
B.object.__setattr__ = B.setattr;
B.vars = (x) => P.dict(Object.entries(x));
P.format = format;

// Methods.

const { METHODS } = P;
Object.assign(METHODS.number, {
  bit_count: (x) => [...x.toString(2)].filter((bit) => bit === "1").length,
  bit_length: (x) => (x == 0 ? 0 : B.abs(x).toString(2).length),
  is_integer: (x) => Number.isInteger(x),
  as_integer_ratio: (x) => P.tuple(P.import("fractions").ratioOf(x)),
  to_bytes: (x, length, order = "big") => {
    if (order instanceof Named) order = order.given.byteorder ?? "big";
    const found = Uint8Array.from({ length }, (_, at) => Number((BigInt(x) >> BigInt(8 * at)) & 255n));
    return order === "big" ? found.reverse() : found;
  },
  hex: (x) => x.toString(16),
});
METHODS.number.bit_count.$names = [];

Object.assign(METHODS.list, {
  append: (x, each) => { x.push(each); return null; },
  extend: (x, more) => { x.push(...more); return null; },
  insert: (x, at, each) => { x.splice(at, 0, each); return null; },
  pop: (x, at = -1) => {
    if (!x.length) throw B.IndexError("pop from empty list");
    return x.splice(at < 0 ? at + x.length : at, 1)[0];
  },
  remove: (x, each) => { x.splice(METHODS.list.index(x, each), 1); return null; },
  index: (x, each) => {
    const at = x.findIndex((one) => P.eq(one, each));
    if (at < 0) throw B.ValueError(`${repr(each)} is not in list`);
    return at;
  },
  count: (x, each) => x.filter((one) => P.eq(one, each)).length,
  copy: (x) => [...x],
  clear: (x) => { x.length = 0; return null; },
  reverse: (x) => { x.reverse(); return null; },
  sort: (x, options) => {
    const { key = null, reverse = false } = options instanceof Named ? options.given : {};
    const pairs = x.map((each) => [key ? key(each) : each, each]);
    const compare = (a, b) => (P.lt(a[0], b[0]) ? -1 : P.lt(b[0], a[0]) ? 1 : 0);
    pairs.sort(P.truthy(reverse) ? (a, b) => compare(b, a) : compare);
    pairs.forEach(([, each], at) => { x[at] = each; });
    return null;
  },
});

const SPACES = " \t\n\r\f\v";
const stripped = (x, marks, left, right) => {
  const all = marks ?? SPACES;
  let [first, last] = [0, x.length];
  while (left && first < last && all.includes(x[first])) first++;
  while (right && last > first && all.includes(x[last - 1])) last--;
  return x.slice(first, last);
};
const parted = (x, mark, at) => (at < 0 ? null : P.tuple([x.slice(0, at), mark, x.slice(at + mark.length)]));
const among = (x, marks, test) => [marks].flat().some((mark) => test(mark));
const every = (test) => (x) => x.length > 0 && [...x].every((each) => test.test(each));
Object.assign(METHODS.string, {
  join: (x, parts) => [...parts].join(x),
  split: (x, mark = null, most = -1) => {
    if (mark instanceof Named) [mark, most] = [null, mark.given.maxsplit];
    if (most instanceof Named) most = most.given.maxsplit;
    if (mark === null) {
      const parts = x.trim().split(/\s+/).filter(Boolean);
      if (most < 0 || parts.length <= most + 1) return parts;
      const found = x.trim().match(new RegExp(`^((?:\\S+\\s+){${most}})([\\s\\S]*)$`));
      return [...found[1].trim().split(/\s+/), found[2]];
    }
    const parts = x.split(mark);
    return most < 0 || parts.length <= most + 1 ? parts : [...parts.slice(0, most), parts.slice(most).join(mark)];
  },
  rsplit: (x, mark, most = -1) => {
    const parts = x.split(mark);
    return most < 0 || parts.length <= most + 1 ? parts : [parts.slice(0, parts.length - most).join(mark), ...parts.slice(parts.length - most)];
  },
  splitlines: (x) => {
    const lines = x.split(/\r\n|\r|\n/);
    if (lines[lines.length - 1] === "") lines.pop();
    return lines;
  },
  partition: (x, mark) => parted(x, mark, x.indexOf(mark)) ?? P.tuple([x, "", ""]),
  rpartition: (x, mark) => parted(x, mark, x.lastIndexOf(mark)) ?? P.tuple(["", "", x]),
  strip: (x, marks = null) => stripped(x, marks, true, true),
  lstrip: (x, marks = null) => stripped(x, marks, true, false),
  rstrip: (x, marks = null) => stripped(x, marks, false, true),
  startswith: (x, marks, from = 0) => among(x, marks, (mark) => x.startsWith(mark, from)),
  endswith: (x, marks) => among(x, marks, (mark) => x.endsWith(mark)),
  removeprefix: (x, mark) => (x.startsWith(mark) ? x.slice(mark.length) : x),
  removesuffix: (x, mark) => (mark && x.endsWith(mark) ? x.slice(0, -mark.length) : x),
  replace: (x, old, fresh, most = -1) => {
    if (most < 0) return x.split(old).join(fresh);
    let found = x;
    let from = 0;
    for (let i = 0; i < most; i++) {
      const at = found.indexOf(old, from);
      if (at < 0) break;
      found = found.slice(0, at) + fresh + found.slice(at + old.length);
      from = at + fresh.length;
    }
    return found;
  },
  find: (x, mark, from = 0) => x.indexOf(mark, from),
  rfind: (x, mark) => x.lastIndexOf(mark),
  index: (x, mark, from = 0) => {
    const at = x.indexOf(mark, from);
    if (at < 0) throw B.ValueError("substring not found");
    return at;
  },
  count: (x, mark) => x.split(mark).length - 1,
  lower: (x) => x.toLowerCase(),
  upper: (x) => x.toUpperCase(),
  casefold: (x) => x.toLowerCase(),
  capitalize: (x) => x.slice(0, 1).toUpperCase() + x.slice(1).toLowerCase(),
  title: (x) => x.toLowerCase().replace(/\p{L}+/gu, (word) => word[0].toUpperCase() + word.slice(1)),
  isdigit: every(/\p{Nd}/u),
  isdecimal: every(/\p{Nd}/u),
  isalpha: every(/\p{L}/u),
  isalnum: every(/[\p{L}\p{N}]/u),
  isspace: every(/\s/),
  isascii: (x) => /^[\x00-\x7f]*$/.test(x),
  isprintable: (x) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(x),
  islower: (x) => x === x.toLowerCase() && x !== x.toUpperCase(),
  isupper: (x) => x === x.toUpperCase() && x !== x.toLowerCase(),
  ljust: (x, width, fill = " ") => x.padEnd(width, fill),
  rjust: (x, width, fill = " ") => x.padStart(width, fill),
  center: (x, width) => format(x, `^${width}`),
  zfill: (x, width) => x.padStart(width, "0"),
  encode: (x) => new TextEncoder().encode(x),
  translate: (x, table) => [...x].map((each) => { const found = table.get(each.codePointAt(0), each); return typeof found === "number" ? String.fromCodePoint(found) : (found ?? ""); }).join(""),
  format: (x, ...given) => filled(x, given),
  format_map: (x, values) => filled(x, [new Named(P.named(values))]),
});
B.str.maketrans = (table, to) => (typeof table === "string" ? P.dict([...table].map((each, at) => [each.codePointAt(0), to.codePointAt(at)])) : P.dict([...P.items(table)].map(([key, value]) => [typeof key === "string" ? key.codePointAt(0) : key, value])));
/** A text with its places in braces filled. */
function filled(text, given) {
  const by = given[given.length - 1] instanceof Named ? given.pop().given : {};
  let next = 0;
  return text.replace(/\{\{|\}\}|\{([^{}:!]*)(?:!([rs]))?(?::([^{}]*))?\}/g, (whole, name, conversion, spec) => {
    if (whole === "{{") return "{";
    if (whole === "}}") return "}";
    const [first, ...path] = name.split(".");
    let value = first === "" ? given[next++] : /^\d+$/.test(first) ? given[Number(first)] : by[first];
    for (const part of path) value = value[part];
    if (value === undefined) throw B.KeyError(name);
    if (conversion === "r") value = repr(value);
    return format(value, spec ?? "");
  });
}
Object.assign(METHODS.bytes, {
  decode: (x) => new TextDecoder().decode(x),
  hex: (x) => [...x].map((each) => each.toString(16).padStart(2, "0")).join(""),
  startswith: (x, mark) => mark.every((each, at) => x[at] === each),
});
