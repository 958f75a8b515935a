// Arrays from the bytes of a file of numpy's own format, and the other way.

import { BY_TEXT, NdArray, np, sizeOf, stridesOf } from "./numpy.js";

const MAGIC = "\x93NUMPY\x01\x00";
const ALIGNED = 64; // bytes

let halves = null; // the numbers of all sixteen bits, once they are wanted
/** Half numbers as float32. */
function ofHalves(bits) {
  halves ??= Float32Array.from({ length: 1 << 16 }, (_, at) => ofHalf(at));
  const found = new Float32Array(bits.length);
  for (let at = 0; at < bits.length; at += 1) found[at] = halves[bits[at]];
  return found;
}
function ofHalf(bits) {
  const [exponent, mantissa] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 31 ? (mantissa ? NaN : Infinity) : exponent ? 2 ** (exponent - 15) * (1 + mantissa / 1024) : 2 ** -24 * mantissa;
  return bits & 0x8000 ? -size : size;
}

/** An array from the bytes of a file of numpy's own format. */
export function loaded(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = bytes[6] > 1;
  const length = long ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = long ? 12 : 10;
  const head = new TextDecoder().decode(bytes.subarray(start, start + length));
  const stored = /'descr': '([^']+)'/.exec(head)[1];
  const of = stored === "<f2" ? np.float32 : BY_TEXT[stored];
  const shape = /'shape': \(([^)]*)\)/.exec(head)[1].split(",").filter((part) => part.trim()).map(Number);
  const own = bytes.slice(start + length);
  const data = stored === "<f2" ? ofHalves(new Uint16Array(own.buffer, 0, sizeOf(shape))) : new of.Store(own.buffer, 0, sizeOf(shape));
  const found = new NdArray(of, shape, data);
  if (!head.includes("'fortran_order': True")) return found;
  return new NdArray(of, shape, found.data, 0, stridesOf([...shape].reverse()).reverse());
}

/** The bytes of such a file. */
export function bytesOf(array) {
  const shape = array.$shape.map((size) => `${size},`).join("");
  const stored = Object.keys(BY_TEXT).find((text) => BY_TEXT[text] === array.dtype);
  const begun = `{'descr': '${stored}', 'fortran_order': False, 'shape': (${shape}), }`;
  const head = `${begun.padEnd(ALIGNED * Math.ceil((MAGIC.length + 3 + begun.length) / ALIGNED) - MAGIC.length - 3)}\n`;
  const content = array.stored();
  const found = new Uint8Array(MAGIC.length + 2 + head.length + content.byteLength);
  found.set(Uint8Array.from(MAGIC, (sign) => sign.charCodeAt(0)));
  new DataView(found.buffer).setUint16(MAGIC.length, head.length, true);
  found.set(new TextEncoder().encode(head), MAGIC.length + 2);
  found.set(new Uint8Array(content.buffer, content.byteOffset, content.byteLength), MAGIC.length + 2 + head.length);
  return found;
}
