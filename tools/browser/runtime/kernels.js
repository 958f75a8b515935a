// Calls the compiled functions of a game in WebAssembly: in a page, in a worker, and in Node.
//
//     const kernels = await loadKernels(bytes, manifest);
//     kernels.call("lama_odds.games.lama.rules.transition.penalty_of", [rules, penalties, 5n]);
//
// An argument is null, a boolean, a number or BigInt (of 64 bits), {float: 2} for a float that
// looks like an integer, an array of these (a tuple), or {dtype, shape, data, constant?}: an array
// in C order, data a TypedArray. After the call data holds what the function has written. What is
// `constant` is never written to: it is copied into the memory of WebAssembly once, and found there
// again by its data. An array that is given twice in one call must have the same data.

const PAGE = 65536;
const MOST_CONSTANT = 128 * 1024 * 1024; // bytes; beyond, all are copied anew as they are needed
const NONE_RETURNED = -2; // numba's code for it; other codes but 0 are errors
const HEAD = 32; // bytes of an array before its shape: owner, parent, size, item size, address
const TYPES = {
  bool: ["|b1", Uint8Array],
  int8: ["|i1", Int8Array],
  uint8: ["|u1", Uint8Array],
  int16: ["<i2", Int16Array],
  uint16: ["<u2", Uint16Array],
  int32: ["<i4", Int32Array],
  uint32: ["<u4", Uint32Array],
  int64: ["<i8", BigInt64Array],
  uint64: ["<u8", BigUint64Array],
  float32: ["<f4", Float32Array],
  float64: ["<f8", Float64Array],
};
const READERS = {
  bool: (view, at) => (view.getUint8(at) & 1) === 1,
  int8: (view, at) => view.getInt8(at),
  uint8: (view, at) => view.getUint8(at),
  int16: (view, at) => view.getInt16(at, true),
  uint16: (view, at) => view.getUint16(at, true),
  int32: (view, at) => view.getInt32(at, true),
  uint32: (view, at) => view.getUint32(at, true),
  int64: (view, at) => plain(view.getBigInt64(at, true)),
  uint64: (view, at) => plain(view.getBigUint64(at, true)),
  float32: (view, at) => view.getFloat32(at, true),
  float64: (view, at) => view.getFloat64(at, true),
  none: () => null,
};

const plain = (big) => (BigInt(Number(big)) === big && Number.isSafeInteger(Number(big)) ? Number(big) : big);
const isArray = (value) => value.data !== undefined;

// The kind of an argument: see lama_odds/jit/native.py. Tuples have no names here.
function kindOf(value) {
  if (value === null || value === undefined) return "n";
  if (typeof value === "boolean") return "b";
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? "i" : "u";
  if (typeof value === "number") return Number.isInteger(value) ? "i" : "f";
  if (Array.isArray(value)) return `(${value.map(kindOf).join(",")})`;
  if (value.float !== undefined) return "f";
  if (isArray(value) && TYPES[value.dtype]) return `${TYPES[value.dtype][0]}${value.shape.length}`;
  throw new Error("an argument can be null, a boolean, a number, a tuple or an array");
}

// The kinds of the arguments, apart: a letter or the type of an array, a list for a tuple, {optional: kind} after "?".
function parsed(kinds) {
  const open = [{ parts: [] }];
  let optional = false;
  const add = (kind, optional) => open.at(-1).parts.push(optional ? { optional: kind } : kind);
  for (const word of kinds.match(/[(),?]|[^(),?]+/g) ?? []) {
    if (word === "(") open.push({ parts: [], optional });
    else if (word === ")") {
      const tuple = open.pop();
      add(tuple.parts, tuple.optional);
    } else if (word !== "," && word !== "?") add(word, optional);
    optional = word === "?";
  }
  return open[0].parts;
}

// Whether an argument of this kind can be passed as that one: an integer stands for any number, and null for a table that
// may be missing.
function suits(kind, wanted) {
  if (wanted.optional) return kind === "n" || suits(kind, wanted.optional);
  if (!Array.isArray(kind)) return kind === wanted || (kind === "i" && (wanted === "f" || wanted === "u"));
  return kind.length === wanted.length && Array.isArray(wanted) && kind.every((each, at) => suits(each, wanted[at]));
}

class Kernels {
  constructor(module, manifest) {
    this.functions = manifest.functions;
    this.memory = new WebAssembly.Memory({ initial: manifest.pages, maximum: PAGE });
    const allocated = (size) => this.#owned(Number(size));
    const env = {
      memory: this.memory,
      NRT_MemInfo_alloc: allocated,
      NRT_MemInfo_alloc_safe: allocated,
      NRT_MemInfo_alloc_aligned: allocated,
      NRT_MemInfo_alloc_safe_aligned: allocated,
      NRT_MemInfo_call_dtor: () => {},
      NRT_Allocate: (size) => this.#allocate(Number(size)),
      NRT_Free: () => {},
    };
    this.exports = new WebAssembly.Instance(module, { env }).exports;
    this.stack = this.exports.__stack_pointer.value;
    this.chosen = new Map();
    this.forget();
  }

  // Give back the memory of all constants.
  forget() {
    this.kept = this.exports.__heap_base.value;
    this.constants = new WeakMap();
  }

  // The result of a function: null, a number (BigInt if it is not safe), a boolean, an array or a
  // tuple. Throws an Error for kinds of arguments that it was not compiled for, and where it fails.
  call(name, given) {
    const { code, layout, kinds } = this.#choice(name, given);
    if (this.kept > MOST_CONSTANT) this.forget();
    this.top = this.kept;
    this.copies = new Map();
    this.waiting = [];
    for (const value of given) this.#keep(value);
    const passed = [];
    kinds.forEach((kind, at) => this.#pass(given[at], kind, passed));
    const [result, error] = [this.#allocate(layout.size || 8), this.#allocate(8)];
    let failed;
    try {
      failed = code(result, error, ...passed);
    } finally {
      this.exports.__stack_pointer.value = this.stack;
    }
    if (failed && failed !== NONE_RETURNED) throw new Error(`${name} failed: ${this.#reason(error)}`);
    for (const [data, at] of this.copies) bytesOf(data).set(this.#bytes(at, data.byteLength));
    return failed ? null : this.#read(layout, result);
  }

  #choice(name, given) {
    const text = given.map(kindOf).join(",");
    const key = `${name} ${text}`;
    if (!this.chosen.has(key)) {
      const found = this.functions[name] ?? {};
      const those = parsed(text);
      const kinds = text in found ? text : Object.keys(found).find((each) => suits(those, parsed(each)));
      if (kinds === undefined) throw new Error(`${name} is not compiled for arguments of kinds ${text}`);
      const { export: own, returns } = found[kinds];
      this.chosen.set(key, { code: this.exports[own], layout: returns, kinds: parsed(kinds) });
    }
    return this.chosen.get(key);
  }

  #allocate(size) {
    const at = (this.top + 15) & ~15;
    this.top = at + size;
    const lacking = this.top - this.memory.buffer.byteLength;
    if (lacking > 0) this.memory.grow(Math.ceil(Math.max(lacking, this.top / 8) / PAGE));
    return at;
  }

  // What owns memory, as numba lays it out where addresses have four bytes.
  #owned(size) {
    const [data, head] = [this.#allocate(size), this.#allocate(32)];
    const view = new DataView(this.memory.buffer);
    view.setBigInt64(head, 1n, true);
    view.setUint32(head + 16, data, true);
    view.setBigInt64(head + 24, BigInt(size), true);
    return head;
  }

  #bytes(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }

  #copied(data) {
    const at = this.#allocate(data.byteLength || 8);
    this.#bytes(at, data.byteLength).set(bytesOf(data));
    return at;
  }

  // Let all constants of an argument be in memory, below everything that is given back.
  #keep(value) {
    if (Array.isArray(value)) value.forEach((part) => this.#keep(part));
    else if (value?.constant && !this.constants.has(value.data)) {
      this.constants.set(value.data, this.#copied(value.data));
      this.kept = this.top;
    }
  }

  #pass(value, kind, passed) {
    if (kind.optional && (value === null || value === undefined)) this.#passNothing(kind.optional, passed);
    else if (kind.optional) this.#pass(value, kind.optional, passed);
    else if (Array.isArray(kind)) kind.forEach((part, at) => this.#pass(value[at], part, passed));
    else if (kind === "n") passed.push(0);
    else if (kind === "b") passed.push(value ? 1 : 0);
    else if (kind === "i" || kind === "u") passed.push(BigInt(value));
    else if (kind === "f") passed.push(Number(value.float ?? value));
    else this.#passArray(value, passed);
  }

  // All of a table that is missing: 0 for its numbers, and for the sizes of its arrays.
  #passNothing(kind, passed) {
    const within = kind.optional ?? kind;
    if (Array.isArray(within)) within.forEach((part) => this.#passNothing(part, passed));
    else if (within === "i" || within === "u") passed.push(0n);
    else if (within.length === 1) passed.push(0);
    else passed.push(0, 0, 0n, 0n, 0, ...Array(2 * Number(within.slice(3))).fill(0n));
  }

  #passArray({ data, shape, constant }, passed) {
    if (!constant && !this.copies.has(data)) this.copies.set(data, this.#copied(data));
    const at = constant ? this.constants.get(data) : this.copies.get(data);
    const size = data.BYTES_PER_ELEMENT;
    passed.push(0, 0, BigInt(data.length), BigInt(size), at, ...shape.map(BigInt));
    const strides = shape.map((_, k) => size * shape.slice(k + 1).reduce((a, b) => a * b, 1));
    passed.push(...strides.map(BigInt));
  }

  #read(layout, at) {
    const view = new DataView(this.memory.buffer);
    if (layout.kind === "tuple") return layout.parts.map((part) => this.#read(part, at + part.at));
    if (layout.kind !== "array") return READERS[layout.kind](view, at);
    const shape = Array.from({ length: layout.ndim }, (_, k) => READERS.int64(view, at + HEAD + 8 * k));
    const type = TYPES[layout.dtype][1];
    const size = shape.reduce((a, b) => a * b, 1) * type.BYTES_PER_ELEMENT;
    const from = view.getUint32(at + 24, true);
    return { dtype: layout.dtype, shape, data: new type(this.memory.buffer.slice(from, from + size)) };
  }

  // The words of an error: its class and message are in a pickle.
  #reason(error) {
    const view = new DataView(this.memory.buffer);
    const info = view.getUint32(error, true);
    if (!info) return "no reason given";
    const pickle = this.#bytes(view.getUint32(info, true), view.getInt32(info + 4, true));
    const text = new TextDecoder("latin1").decode(pickle);
    return (text.match(/[ -~]{4,}/g) ?? []).join(" ");
  }
}

const bytesOf = (data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

// bytesOrModule: of a game, with its manifest (an object, or its JSON).
export async function loadKernels(bytesOrModule, manifest) {
  const compiled = bytesOrModule instanceof WebAssembly.Module;
  const module = compiled ? bytesOrModule : await WebAssembly.compile(bytesOrModule);
  return new Kernels(module, typeof manifest === "string" ? JSON.parse(manifest) : manifest);
}
