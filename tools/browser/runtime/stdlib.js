// What the translated modules use of Python's standard library.

import { B, Dict, Named, P, SetOf, Tuple, keyOf, whole } from "./python.js";
import { Field } from "./classes.js";
import { blake2b } from "./blake2b.js";
import { format, ratio } from "./formatting.js";
import { np } from "./numpy.js";

const outside = (name, members) => P.outside.set(name, { $module: true, ...members });
const NOTHING = () => null;
const options = (given) => (given[given.length - 1] instanceof Named ? given.pop().given : {});

// Types as values: only `isinstance` asks them.

const isMapping = (x) => x instanceof Dict;
const iterable = (x) => x !== null && x !== undefined && typeof x !== "number" && x[Symbol.iterator] !== undefined;
const abstract = (name, test, body = () => {}) => {
  const made = P.class(name, "collections.abc", [], "", [], body);
  made.$test = (x) => test(x) || x?.constructor?.$order?.includes(made) === true;
  return made;
};
const mapping = ($c) => {
  $c.get = function (key, otherwise = null) { return P.truthy(P.has(this, key)) ? this.__getitem__(key) : otherwise; };
  $c.keys = function () { return [...this]; };
  $c.values = function () { return [...this].map((key) => this.__getitem__(key)); };
  $c.items = function () { return [...this].map((key) => P.tuple([key, this.__getitem__(key)])); };
  $c.__contains__ = function (key) { try { this.__getitem__(key); return true; } catch (error) { if (P.is(error, B.KeyError)) return false; throw error; } };
};
const typed = Object.fromEntries(["Any", "Annotated", "ClassVar", "Generic", "Protocol", "Self", "NoReturn", "TypeVar", "ParamSpec", "Literal", "Final", "NamedTuple", "TypedDict", "Unpack"].map((name) => [name, NOTHING]));
outside("typing", { ...typed, TYPE_CHECKING: false, runtime_checkable: (x) => x, overload: (x) => x, get_args: () => P.tuple([]), get_origin: NOTHING });
outside("collections.abc", {
  Mapping: abstract("Mapping", isMapping, mapping), MutableMapping: abstract("MutableMapping", isMapping),
  Sequence: abstract("Sequence", (x) => Array.isArray(x) || typeof x === "string"), Iterable: abstract("Iterable", iterable), Iterator: abstract("Iterator", (x) => typeof x?.next === "function"),
  Collection: abstract("Collection", iterable), Callable: abstract("Callable", B.callable), Generator: NOTHING, Awaitable: NOTHING, Hashable: NOTHING, Set: abstract("Set", (x) => x instanceof SetOf),
});
outside("abc", { ABC: B.object, abstractmethod: (x) => x });
outside("types", { NoneType: B.NoneType, UnionType: NOTHING, ModuleType: NOTHING, MappingProxyType: (x) => x, SimpleNamespace: (named) => ({ ...named.given }) });

// Functions made of functions.

const memory = (f) => {
  const kept = new Map();
  const made = function (...given) {
    const named = given[given.length - 1] instanceof Named ? [...Object.entries(given[given.length - 1].given)].map((pair) => P.tuple(pair)) : [];
    const key = keyOf(P.tuple([...(named.length ? given.slice(0, -1) : given), ...named]));
    if (!kept.has(key)) kept.set(key, named.length ? P.call(f, given.slice(0, -1), given[given.length - 1].given) : f(...given));
    return kept.get(key);
  };
  return Object.assign(made, { $names: f.$names, $count: f.$count, cache_clear: () => kept.clear(), __wrapped__: f });
};
const partial = (...all) => {
  const named = options(all);
  const [f, ...first] = all;
  const made = (...given) => {
    const more = { ...named, ...options(given) };
    return Object.keys(more).length ? P.call(f, [...first, ...given], more) : f(...first, ...given);
  };
  return Object.assign(made, { $names: [], $gathers: true, func: f, args: P.tuple(first), keywords: new Dict(Object.entries(named)) });
};
outside("functools", {
  cache: memory, partial, wraps: () => (f) => f, cached_property: P.kept, reduce: (f, over, ...start) => [...over].reduce((a, b) => f(a, b), ...start),
  lru_cache: (...given) => (typeof given[0] === "function" ? memory(given[0]) : memory), update_wrapper: NOTHING, total_ordering: (x) => x,
});

// Iterators.

const choices = (over, count, next) => {
  const all = [...over];
  return (function* pick(chosen, from) {
    if (chosen.length === count) yield P.tuple(chosen.map((at) => all[at]));
    else for (const at of next(all.length, chosen, from)) yield* pick([...chosen, at], at);
  })([], 0);
};
const span = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
outside("itertools", {
  accumulate: function* (over, f = P.add, named = null) {
    let total = named?.given.initial ?? (f instanceof Named ? f.given.initial : undefined);
    const add = f instanceof Named ? P.add : f;
    if (total !== undefined) yield total;
    for (const each of over) yield (total = total === undefined ? each : add(total, each));
  },
  chain: Object.assign(function* (...all) { for (const over of all) yield* over; }, { from_iterable: function* (all) { for (const over of all) yield* over; } }),
  combinations: (over, count) => choices(over, count, (length, chosen, from) => span(chosen.length ? from + 1 : 0, length)),
  combinations_with_replacement: (over, count) => choices(over, count, (length, chosen, from) => span(from, length)),
  permutations: (over, count = null) => { const all = [...over]; return choices(all, count ?? all.length, (length, chosen) => span(0, length).filter((at) => !chosen.includes(at))); },
  count: function* (start = 0) { for (let at = start; ; at++) yield at; },
  cycle: function* (over) { const all = [...over]; for (;;) yield* all; },
  groupby: function* (over, key = null) {
    const read = key instanceof Named ? key.given.key : key;
    let [group, last] = [null, undefined];
    for (const each of over) {
      const value = read ? read(each) : each;
      if (group && P.eq(value, last)) group.push(each);
      else { if (group) yield P.tuple([last, group]); [group, last] = [[each], value]; }
    }
    if (group) yield P.tuple([last, group]);
  },
  islice: function* (over, ...bounds) {
    const [start, stop] = bounds.length === 1 ? [0, bounds[0]] : bounds;
    let at = 0;
    if (stop === 0) return;
    for (const each of over) { if (at >= start) yield each; if (++at === stop) return; }
  },
  product: (...all) => {
    const { repeat = 1 } = options(all);
    const lists = Array.from({ length: repeat }, () => all.map((over) => [...over])).flat();
    return (function* pick(chosen) {
      if (chosen.length === lists.length) yield P.tuple(chosen);
      else for (const each of lists[chosen.length]) yield* pick([...chosen, each]);
    })([]);
  },
  repeat: function* (x, times = Infinity) { for (let at = 0; at < times; at++) yield x; },
  takewhile: function* (test, over) { for (const each of over) { if (!P.truthy(test(each))) return; yield each; } },
  pairwise: function* (over) { let before; let any = false; for (const each of over) { if (any) yield P.tuple([before, each]); [before, any] = [each, true]; } },
});

// Collections.

class Counter extends Dict {
  constructor(over = []) {
    super();
    this.update(over);
  }
  __missing__() { return 0; }
  update(over = []) {
    if (over instanceof Dict) for (const [key, count] of over.items()) this.put(key, P.add(this.__getitem__(key), count));
    else for (const each of over[Symbol.iterator] && !(over instanceof Map) ? over : []) this.put(each, this.__getitem__(each) + 1);
  }
  most_common(count = null) {
    const found = B.sorted(this.items(), new Named({ key: (pair) => -pair[1] }));
    return count === null ? found : found.slice(0, count);
  }
  *elements() { for (const [key, count] of this.items()) for (let at = 0; at < count; at++) yield key; }
  total() { return B.sum(this.values()); }
  copy() { return new Counter(this); }
  combined(other, f) {
    const found = new Counter();
    for (const key of new SetOf([...this, ...other])) {
      const count = f(this.__getitem__(key), other.get(key, 0));
      if (count > 0) found.put(key, count);
    }
    return found;
  }
  __add__(other) { return this.combined(other, (a, b) => a + b); }
  __sub__(other) { return this.combined(other, (a, b) => a - b); }
  __and__(other) { return this.combined(other, Math.min); }
  __or__(other) { return this.combined(other, Math.max); }
  __le__(other) { return [...this.items()].every(([key, count]) => count <= other.get(key, 0)); }
}
class DefaultDict extends Dict {
  constructor(make) {
    super();
    this.make = make;
  }
  __missing__(key) {
    this.put(key, this.make());
    return this.find(key)[1];
  }
}
class Deque extends Array {
  static get [Symbol.species]() { return Array; }
  append(x) { this.push(x); return null; }
  popleft() { if (!this.length) throw B.IndexError("pop from an empty deque"); return this.shift(); }
  appendleft(x) { this.unshift(x); return null; }
}
outside("collections", {
  Counter: Object.assign((...given) => new Counter(...given), { $class: true, $name: "Counter", $test: (x) => x instanceof Counter, prototype: Counter.prototype, $order: [] }),
  defaultdict: (make) => new DefaultDict(make), OrderedDict: (pairs = []) => new Dict(P.items(pairs)), deque: (over = []) => { const made = new Deque(); made.push(...over); return made; },
});
P.METHODS.list.popleft = (x) => x.popleft();
P.METHODS.list.appendleft = (x, each) => x.appendleft(each);

// Dataclasses, contexts.

const fieldsOf = (x) => (x.$class ? x : x.constructor).$shaped;
outside("dataclasses", {
  dataclass: (x) => x, MISSING: undefined,
  field: (named = null) => new Field(named ? named.given : {}),
  fields: (x) => P.tuple([...fieldsOf(x)]),
  replace: (x, named) => {
    const changed = named ? named.given : {};
    return x.constructor(...fieldsOf(x).map(({ name }) => (name in changed ? changed[name] : x[name])));
  },
  is_dataclass: (x) => fieldsOf(x) !== undefined,
  asdict: (x) => new Dict(fieldsOf(x).map(({ name }) => [name, x[name]])),
  astuple: (x) => P.tuple(fieldsOf(x).map(({ name }) => x[name])),
});
class Managed {
  constructor(steps) { this.steps = steps; }
  __enter__() { return this.steps.next().value; }
  __exit__(kind, error) {
    if (kind === null) { this.steps.next(); return false; }
    try {
      return this.steps.throw(error).done;
    } catch (again) {
      if (again === error) return false;
      throw again;
    }
  }
}
outside("contextlib", {
  contextmanager: (f) => Object.assign((...given) => new Managed(f(...given)), { $names: f.$names, $count: f.$count, $gathers: f.$gathers }),
  suppress: (...kinds) => ({ __enter__: NOTHING, __exit__: (kind, error) => error !== null && error !== undefined && P.is(error, P.tuple(kinds)) }),
  nullcontext: (x = null) => ({ __enter__: () => x, __exit__: () => false }),
  AbstractContextManager: NOTHING,
});
outside("contextvars", {
  ContextVar: (name, given = null) => {
    let value = given instanceof Named ? given.given.default : undefined;
    return { get: (otherwise = null) => (value === undefined ? otherwise : value), set: (fresh) => { const before = value; value = fresh; return before; }, reset: (before) => { value = before; return null; } };
  },
});

// Numbers.

const bigRoot = (n) => {
  if (n < 2n) return n;
  let x = BigInt(Math.floor(Math.sqrt(Number(n))));
  while (x * x > n) x--;
  while ((x + 1n) * (x + 1n) <= n) x++;
  return x;
};
const product = (from, to) => { let found = 1n; for (let at = from; at <= to; at++) found *= BigInt(at); return found; };
const gcd = (a, b) => { let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]; while (y) [x, y] = [y, x % y]; return x; };
const real = (x) => (x?.__float__ ? x.__float__() : Number(x));
outside("math", {
  inf: Infinity, nan: NaN, pi: Math.PI, e: Math.E,
  sqrt: (x) => { if (real(x) < 0) throw B.ValueError("math domain error"); return Math.sqrt(real(x)); },
  floor: (x) => whole(floorOf(x)), ceil: (x) => whole(-floorOf(P.neg(x))), trunc: (x) => Math.trunc(x),
  isfinite: (x) => Number.isFinite(Number(x)), isinf: (x) => Math.abs(x) === Infinity, isnan: (x) => Number.isNaN(x),
  comb: (n, k) => (k > n || k < 0 ? 0 : whole(product(n - k + 1, n) / product(1, k))),
  perm: (n, k = n) => (k > n ? 0 : whole(product(n - k + 1, n))), factorial: (n) => whole(product(1, n)),
  gcd: (...all) => whole(all.map(BigInt).reduce(gcd, 0n)), isqrt: (n) => whole(bigRoot(BigInt(n))),
  prod: (over, named = null) => [...over].reduce((a, b) => P.mul(a, b), named?.given.start ?? 1),
  copysign: (x, sign) => (Object.is(sign, -0) || sign < 0 ? -Math.abs(x) : Math.abs(x)),
  frexp: (x) => {
    if (x === 0 || !Number.isFinite(x)) return P.tuple([x, 0]);
    let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(x))) + 1);
    let mantissa = x * 2 ** -exponent;
    while (Math.abs(mantissa) < 0.5) { mantissa *= 2; exponent--; }
    while (Math.abs(mantissa) >= 1) { mantissa /= 2; exponent++; }
    return P.tuple([mantissa, exponent]);
  },
  ldexp: (x, power) => {
    const steps = Math.min(3, Math.ceil(Math.abs(power) / 1023));
    let found = x;
    for (let i = 0; i < steps; i++) found *= 2 ** Math.floor((power + i) / steps);
    return found;
  },
  fabs: (x) => Math.abs(Number(x)),
});
function floorOf(x) {
  if (typeof x === "bigint") return x;
  const [n, d] = x?.numerator !== undefined ? [BigInt(x.numerator), BigInt(x.denominator)] : ratio(Number(x));
  return n >= 0n ? n / d : -((-n + d - 1n) / d);
}

/** An exact fraction of two big integers. */
class Fraction {
  constructor(n, d) {
    const sign = d < 0n ? -1n : 1n;
    const by = gcd(n, d) || 1n;
    this.n = (sign * n) / by;
    this.d = (sign * d) / by;
  }
  get numerator() { return whole(this.n); }
  get denominator() { return whole(this.d); }
  __float__() { return P.div(this.n, this.d); }
  __int__() { return whole(this.n / this.d); }
  __bool__() { return this.n !== 0n; }
  __str__() { return this.d === 1n ? `${this.n}` : `${this.n}/${this.d}`; }
  __repr__() { return `Fraction(${this.n}, ${this.d})`; }
  __neg__() { return new Fraction(-this.n, this.d); }
  __abs__() { return new Fraction(this.n < 0n ? -this.n : this.n, this.d); }
  __format__(spec) { return spec ? format(this.__float__(), spec) : this.__str__(); }
  __round__(digits) { return B.round(this.__float__(), digits); }
  __pow__(power) { return power >= 0 ? new Fraction(this.n ** BigInt(power), this.d ** BigInt(power)) : new Fraction(this.d ** BigInt(-power), this.n ** BigInt(-power)); }
  $key() { return this.d === 1n ? whole(this.n) : `\u0001f${this.n}/${this.d}`; }
}
const isReal = (x) => typeof x === "number" && !Number.isInteger(x);
const asFraction = (x) => (x instanceof Fraction ? x : typeof x === "bigint" || Number.isInteger(x) || typeof x === "boolean" ? new Fraction(BigInt(x), 1n) : null);
const fractional = (name, exact) => {
  const reflected = (a, b) => {
    if (isReal(a) || isReal(b)) return P[name](real(a), real(b));
    const [x, y] = [asFraction(a), asFraction(b)];
    return x && y ? exact(x, y) : P.NotImplemented;
  };
  const method = name === "div" ? "truediv" : name;
  Fraction.prototype[`__${method}__`] = function (other) { return reflected(this, other); };
  Fraction.prototype[`__r${method}__`] = function (other) { return reflected(other, this); };
};
fractional("add", (a, b) => new Fraction(a.n * b.d + b.n * a.d, a.d * b.d));
fractional("sub", (a, b) => new Fraction(a.n * b.d - b.n * a.d, a.d * b.d));
fractional("mul", (a, b) => new Fraction(a.n * b.n, a.d * b.d));
fractional("div", (a, b) => new Fraction(a.n * b.d, a.d * b.n));
for (const [name, test] of Object.entries({ lt: (x) => x < 0n, le: (x) => x <= 0n, gt: (x) => x > 0n, ge: (x) => x >= 0n, eq: (x) => x === 0n })) {
  Fraction.prototype[`__${name}__`] = function (other) {
    if (isReal(other)) return P[name](this.__float__(), other);
    const x = asFraction(other);
    return x ? test(this.n * x.d - x.n * this.d) : P.NotImplemented;
  };
}
outside("fractions", {
  Fraction: Object.assign((n = 0, d = 1) => {
    if (isReal(n)) return new Fraction(...ratio(n));
    const [x, y] = [asFraction(n), asFraction(d)];
    return new Fraction(x.n * y.d, x.d * y.n);
  }, { $class: true, $name: "Fraction", $test: (x) => x instanceof Fraction, $order: [] }),
  ratioOf: (x) => ratio(x).map(whole),
});

// Texts by pattern.

const translatedPattern = (text) => text.replace(/\(\?P</g, "(?<").replace(/\(\?P=(\w+)\)/g, "\\k<$1>").replace(/\\Z/g, "(?![\\s\\S])").replace(/\[\]/g, "[\\]");
class Match {
  constructor(found) { Object.assign(this, { found, string: found.input }); }
  group(...names) {
    const one = (name) => (typeof name === "string" ? this.found.groups[name] : this.found[name]) ?? null;
    return names.length > 1 ? P.tuple(names.map(one)) : one(names[0] ?? 0);
  }
  groups(otherwise = null) { return P.tuple(this.found.slice(1).map((part) => part ?? otherwise)); }
  groupdict() { return new Dict(Object.entries(this.found.groups ?? {}).map(([name, part]) => [name, part ?? null])); }
  place(name) { return name === 0 ? [this.found.index, this.found.index + this.found[0].length] : (typeof name === "string" ? this.found.indices.groups[name] : this.found.indices[name]) ?? [-1, -1]; }
  start(name = 0) { return this.place(name)[0]; }
  end(name = 0) { return this.place(name)[1]; }
  span(name = 0) { return P.tuple([...this.place(name)]); }
  __getitem__(name) { return this.group(name); }
  get lastgroup() { return Object.keys(this.found.groups ?? {}).find((name) => this.found.groups[name] !== undefined) ?? null; }
}
class Pattern {
  constructor(pattern, flags) {
    const marks = `d${flags & 2 ? "i" : ""}${flags & 8 ? "m" : ""}${flags & 16 ? "s" : ""}`;
    this.pattern = pattern;
    const text = translatedPattern(pattern);
    this.anywhere = new RegExp(text, `${marks}g`);
    this.here = new RegExp(`(?:${text})`, `${marks}y`);
    this.all = new RegExp(`(?:${text})(?![\\s\\S])`, `${marks}y`);
  }
  at(test, text, from) {
    test.lastIndex = from;
    const found = test.exec(text);
    return found && new Match(found);
  }
  match(text, from = 0) { return this.at(this.here, text, from); }
  fullmatch(text, from = 0) { return this.at(this.all, text, from); }
  search(text, from = 0) { return this.at(this.anywhere, text, from); }
  finditer(text) { return [...text.matchAll(this.anywhere)].map((found) => new Match(found))[Symbol.iterator](); }
  findall(text) { return [...text.matchAll(this.anywhere)].map((found) => (found.length > 2 ? P.tuple([...found].slice(1)) : found[found.length - 1])); }
  split(text) {
    const parts = [];
    let from = 0;
    for (const found of text.matchAll(this.anywhere)) {
      parts.push(text.slice(from, found.index), ...[...found].slice(1).map((part) => part ?? null));
      from = found.index + found[0].length;
    }
    return [...parts, text.slice(from)];
  }
  sub(by, text) {
    const put = typeof by === "string" ? (found) => by.replace(/\\(\d|g<(\w+)>)/g, (_, n, name) => found.group(name ?? Number(n)) ?? "") : by;
    let [made, from] = ["", 0];
    for (const found of text.matchAll(this.anywhere)) {
      made += text.slice(from, found.index) + put(new Match(found));
      from = found.index + found[0].length;
    }
    return made + text.slice(from);
  }
}
const compiled = memory((pattern, flags = 0) => new Pattern(pattern, Number(flags)));
const patternOf = (x, flags) => (x instanceof Pattern ? x : compiled(x, flags ?? 0));
outside("re", {
  IGNORECASE: 2, I: 2, MULTILINE: 8, DOTALL: 16, S: 16, ASCII: 256, VERBOSE: 64, Pattern, Match, compile: compiled,
  match: (x, text, flags) => patternOf(x, flags).match(text), fullmatch: (x, text, flags) => patternOf(x, flags).fullmatch(text),
  search: (x, text, flags) => patternOf(x, flags).search(text), findall: (x, text, flags) => patternOf(x, flags).findall(text),
  finditer: (x, text, flags) => patternOf(x, flags).finditer(text), sub: (x, by, text) => patternOf(x).sub(by, text),
  split: (x, text) => patternOf(x).split(text), escape: (text) => text.replace(/[^A-Za-z0-9_]/g, "\\$&"),
});

/** Names like another one, as difflib ranks them. */
const ratioOf = (a, b) => {
  const matched = (al, ah, bl, bh) => {
    let [best, i, k] = [0, 0, 0];
    let row = new Map();
    for (let x = al; x < ah; x++) {
      const next = new Map();
      for (let y = bl; y < bh; y++) {
        if (a[x] !== b[y]) continue;
        const length = (row.get(y - 1) ?? 0) + 1;
        next.set(y, length);
        if (length > best) [best, i, k] = [length, x - length + 1, y - length + 1];
      }
      row = next;
    }
    return best ? best + matched(al, i, bl, k) + matched(i + best, ah, k + best, bh) : 0;
  };
  return a.length + b.length ? (2 * matched(0, a.length, 0, b.length)) / (a.length + b.length) : 1;
};
outside("difflib", {
  get_close_matches: (word, known, ...given) => {
    const { n = given[0] ?? 3, cutoff = given[1] ?? 0.6 } = options(given);
    const scored = [...known].map((each) => [ratioOf(each, word), each]).filter(([score]) => score >= cutoff);
    scored.sort(([p, a], [q, b]) => q - p || (a < b ? 1 : -1));
    return scored.slice(0, n).map(([, each]) => each);
  },
  SequenceMatcher: (...given) => { const [, a, b] = given; return { ratio: () => ratioOf(a, b) }; },
});

// Texts of data, the clock, and what a browser has none of.

const fromJson = (x) => (Array.isArray(x) ? x.map(fromJson) : x !== null && typeof x === "object" ? new Dict(Object.entries(x).map(([key, value]) => [key, fromJson(value)])) : x);
/** An answer's values as JavaScript's own. */
export const toPlain = (x) => {
  if (x === null || x === undefined || typeof x !== "object") return typeof x === "bigint" ? Number(x) : x ?? null;
  if (x instanceof String) return String(x);
  if (x.items) return Object.fromEntries([...x.items()].map(([key, value]) => [key, toPlain(value)]));
  return [...x].map(toPlain);
};
outside("json", { loads: (text) => fromJson(JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text))), dumps: (x) => JSON.stringify(toPlain(x)), JSONDecodeError: B.ValueError });
export const fromPlain = fromJson;
export const clock = { now: () => performance.now() / 1000 };
outside("time", { perf_counter: () => clock.now(), monotonic: () => clock.now(), time: () => clock.now() });
const lock = () => ({ __enter__: NOTHING, __exit__: () => false, acquire: () => true, release: NOTHING });
outside("threading", { Lock: lock, RLock: lock, local: () => ({}) });
const pool = () => ({
  __enter__() { return this; }, __exit__: () => false, map: (f, ...lists) => [...B.map(f, ...lists)], shutdown: NOTHING,
  submit: (f, ...given) => { const found = f(...given); return { result: () => found }; },
});
outside("concurrent.futures", { ThreadPoolExecutor: pool });
outside("importlib", { import_module: (name) => P.import(name) });
outside("copy", { copy: (x) => x.copy(), deepcopy: (x) => x });
outside("textwrap", { dedent: (x) => x });
outside("hashlib", { blake2b: (bytes, named) => ({ digest: () => blake2b(bytes, named.given.digest_size), hexdigest: () => P.METHODS.bytes.hex(blake2b(bytes, named.given.digest_size)) }) });
outside("pathlib", { Path: (text = ".") => text });
outside("os", { cpu_count: () => 1 });
outside("sys", { modules: new Dict(), maxsize: Number.MAX_SAFE_INTEGER });
class Day {
  constructor(text) { this.text = text; }
  isoformat() { return this.text; }
  __str__() { return this.text; }
  __repr__() { return `date(${this.text})`; }
  get days() { return Date.parse(`${this.text}T00:00:00Z`) / 864e5; }
  __lt__(other) { return this.days < other.days; }
  __le__(other) { return this.days <= other.days; }
  __gt__(other) { return this.days > other.days; }
  __ge__(other) { return this.days >= other.days; }
  __eq__(other) { return other instanceof Day ? this.text === other.text : P.NotImplemented; }
  __add__(more) { return new Day(new Date((this.days + more.days) * 864e5).toISOString().slice(0, 10)); }
  __sub__(other) { return other instanceof Day ? { days: this.days - other.days } : this.__add__({ days: -other.days }); }
  $key() { return `\u0001d${this.text}`; }
}
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
outside("datetime", {
  date: Object.assign((y, m, d) => new Day(`${String(y).padStart(4, "0")}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`), {
    $class: true, $name: "date", $order: [], $test: (x) => x instanceof Day,
    today: () => { const now = new Date(); return new Day(new Date(now - now.getTimezoneOffset() * 6e4).toISOString().slice(0, 10)); },
    fromisoformat: (text) => { if (!isDay(text)) throw B.ValueError(`Invalid isoformat string: ${text}`); return new Day(text); },
  }),
  timedelta: (days) => ({ days: days instanceof Named ? days.given.days : days }),
});
outside("numpy", np);
P.outside.set("numpy", np);
// The functions of arrays that have the same bits everywhere are those of plain numbers.
const elementary = (name) => (x) => np.$each(P.import("lama_odds.core.elementary")[name])(x);
Object.assign(np, { exp: elementary("exp"), log: elementary("log") });
