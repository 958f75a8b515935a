// Classes as Python has them, dataclasses, errors, and modules that are run when they are imported first.

import { B, Dict, Named, P, Tuple, called, identity, marked } from "./python.js";

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
