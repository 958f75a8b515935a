// Makes recorded calls again in WebAssembly: node compare.mjs OUT/GAME FOLDER (see compared.py)
import fs from "node:fs";
import { loadKernels } from "./runtime/kernels.js";

const [module, folder] = process.argv.slice(2);
const calls = JSON.parse(fs.readFileSync(`${folder}/calls.json`));
const bytes = fs.readFileSync(`${folder}/arrays`);
const arrays = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const TYPES = {
  bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
  float32: Float32Array, float64: Float64Array,
};
const number = new DataView(new ArrayBuffer(8));
const constants = new Map();

function arrayAt({ dtype, shape, at }, constant) {
  const size = shape.reduce((a, b) => a * b, 1);
  const key = `${dtype} ${at} ${size}`;
  if (constant && constants.has(key)) return constants.get(key);
  const data = new TYPES[dtype](arrays, at, size);
  if (!constant) return data.slice();
  constants.set(key, data);
  return data;
}

function valueOf(found, marks, met) {
  if (found === null || typeof found === "boolean") return found;
  if (Array.isArray(found)) return found.map((part) => valueOf(part, marks, met));
  if (found.whole !== undefined) {
    const whole = BigInt(found.whole);
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
  }
  if (found.bits !== undefined) {
    number.setBigInt64(0, BigInt(found.bits));
    return { float: number.getFloat64(0) };
  }
  const constant = marks?.[met.length] ?? false;
  const value = { dtype: found.dtype, shape: found.shape, data: arrayAt(found, constant), constant };
  met.push(value);
  return value;
}

const raw = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

function same(got, wanted) {
  if (Array.isArray(wanted)) return Array.isArray(got) && wanted.length === got.length && wanted.every((each, at) => same(got[at], each));
  if (wanted?.float !== undefined) return typeof got === "number" && Object.is(got, wanted.float);
  if (wanted?.data !== undefined) return got.dtype === wanted.dtype && `${got.shape}` === `${wanted.shape}` && raw(got.data).equals(raw(wanted.data));
  return got === wanted;
}

const manifest = JSON.parse(fs.readFileSync(`${module}.json`));
const kernels = await loadKernels(fs.readFileSync(`${module}.wasm`), manifest);
const different = new Map();
let [right, time] = [0, 0];
for (const { name, given, constant, returned, after } of calls) {
  const met = [];
  const passed = valueOf(given, constant, met);
  let faults = [];
  try {
    const began = performance.now();
    const got = kernels.call(name, passed);
    time += performance.now() - began;
    if (!same(got, valueOf(returned, null, []))) faults.push("result");
    after.forEach((each, at) => {
      if (!raw(met[at].data).equals(raw(arrayAt(each, false)))) faults.push(`array ${at}`);
    });
  } catch (error) {
    faults = [`${error}`.split("\n")[0]];
  }
  if (faults.length) different.set(name, [...(different.get(name) ?? []), faults.join(", ")]);
  else right++;
}
console.log(`${right} of ${calls.length} calls have the same bits; ${Math.round(time)} ms, ${kernels.memory.buffer.byteLength >> 20} MB`);
for (const [name, faults] of different) console.log(`  ${name}: ${faults.length} differ (${faults[0]})`);
process.exitCode = different.size ? 1 : 0;
