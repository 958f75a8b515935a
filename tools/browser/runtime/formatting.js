// Numbers and objects as texts, exactly as Python writes them.

import { B, Dict, P, SetOf, Tuple, whole } from "./python.js";

/** A finite number as numerator and denominator, exactly. */
export function ratio(x) {
  if (typeof x === "bigint") return [x, 1n];
  if (Number.isInteger(x)) return [BigInt(x), 1n];
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 2047n);
  const mantissa = (bits & ((1n << 52n) - 1n)) | (exponent ? 1n << 52n : 0n);
  const sign = bits >> 63n ? -1n : 1n;
  const power = (exponent || 1) - 1075;
  return power >= 0 ? [sign * (mantissa << BigInt(power)), 1n] : [sign * mantissa, 1n << BigInt(-power)];
}

/** The nearest whole number to n / d, for d > 0; the even one of two. */
export function nearest(n, d) {
  const negative = n < 0n;
  const a = negative ? -n : n;
  let found = a / d;
  const twice = 2n * (a - found * d);
  if (twice > d || (twice === d && found & 1n)) found += 1n;
  return negative ? -found : found;
}

/** A number with this many decimal places. */
function fixed(x, digits) {
  const [n, d] = ratio(x);
  const negative = n < 0n || Object.is(x, -0);
  const scaled = nearest((n < 0n ? -n : n) * 10n ** BigInt(digits), d);
  const text = scaled.toString().padStart(digits + 1, "0");
  const shown = digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
  return (negative ? "-" : "") + shown;
}

/** Significant digits and the power of ten of the first: [digits, power]. */
function significant(x, count) {
  if (x == 0) return ["0".repeat(count), 0];
  const [n, d] = ratio(x);
  const a = n < 0n ? -n : n;
  let power = a.toString().length - d.toString().length;
  const at = (p) => {
    const shift = count - 1 - p;
    return shift >= 0 ? nearest(a * 10n ** BigInt(shift), d) : nearest(a, d * 10n ** BigInt(-shift));
  };
  if (a * 10n ** BigInt(Math.max(0, -power)) < d * 10n ** BigInt(Math.max(0, power))) power -= 1;
  let digits = at(power);
  if (digits.toString().length > count) digits = at(++power);
  return [digits.toString(), power];
}

function scientific(x, digits, mark) {
  const [text, power] = significant(x, digits + 1);
  const shown = digits ? `${text[0]}.${text.slice(1)}` : text[0];
  return `${x < 0 ? "-" : ""}${shown}${mark}${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function general(x, precision, keep) {
  const count = Math.max(1, precision);
  const [, power] = significant(x, count);
  let found;
  if (power < -4 || power >= count) {
    const [mantissa, exponent] = scientific(x, count - 1, "e").split("e");
    found = `${keep || !mantissa.includes(".") ? mantissa : mantissa.replace(/\.?0+$/, "")}e${exponent}`;
  } else {
    found = fixed(x, count - 1 - power);
    if (!keep && found.includes(".")) found = found.replace(/\.?0+$/, "");
  }
  return found;
}

/** A float as Python shows it. Whole ones are shown as integers: here both are the same. */
function floatText(x) {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x < 0 ? "-inf" : "inf";
  const text = String(x);
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [mantissa, exponent] = x.toExponential().split("e");
    return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  }
  return text;
}

export function textOf(x) {
  switch (typeof x) {
    case "string": return x;
    case "number": return floatText(x);
    case "bigint": return x.toString();
    case "boolean": return x ? "True" : "False";
    case "undefined": return "None";
  }
  if (x === null) return "None";
  if (x instanceof String) return String(x);
  if (!Array.isArray(x) && x.__str__) return x.__str__();
  return repr(x);
}
export function repr(x) {
  if (x instanceof String) return repr(String(x));
  if (typeof x === "string") {
    const quote = x.includes("'") && !x.includes('"') ? '"' : "'";
    const shown = x.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replace(/\r/g, "\\r");
    return quote + (quote === "'" ? shown.replace(/'/g, "\\'") : shown) + quote;
  }
  if (typeof x === "function") return `<${x.$class ? "class" : "function"} ${x.$name ?? x.name}>`;
  if (x === null || typeof x !== "object") return textOf(x);
  if (x.__repr__ && x.constructor !== Tuple) return x.__repr__();
  if (x instanceof Tuple) return `(${x.map(repr).join(", ")}${x.length === 1 ? "," : ""})`;
  if (Array.isArray(x)) return `[${x.map(repr).join(", ")}]`;
  if (x instanceof Dict) return `{${[...x.entries.values()].map(([key, value]) => `${repr(key)}: ${repr(value)}`).join(", ")}}`;
  if (x instanceof SetOf) return x.__len__() ? `{${[...x].map(repr).join(", ")}}` : "set()";
  if (x.__str__) return x.__str__();
  return `<${x.constructor?.$name ?? "object"}>`;
}

const SPEC = /^(?:(.)?([<>=^]))?([+\- ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;

/** `format(x, spec)`. */
export function format(x, spec) {
  if (x instanceof String) return format(String(x), spec);
  if (x !== null && typeof x === "object" && x.__format__) return x.__format__(spec);
  if (!spec) return textOf(x);
  const found = SPEC.exec(spec);
  if (!found) throw B.ValueError(`invalid format specifier ${repr(spec)}`);
  const [, fill, align, sign, alternate, zero, width, group, precision, kind] = found;
  if (typeof x === "string" || (typeof x === "object" && !x?.__float__)) {
    const text = precision ? textOf(x).slice(0, Number(precision)) : textOf(x);
    return padded(text, fill ?? " ", align ?? "<", Number(width ?? 0));
  }
  let text = number(x, kind, precision === undefined ? null : Number(precision), Boolean(alternate));
  if (group) text = grouped(text, group);
  if (!text.startsWith("-") && (sign === "+" || sign === " ")) text = sign + text;
  return padded(text, fill ?? (zero ? "0" : " "), align ?? (zero ? "=" : ">"), Number(width ?? 0));
}

function number(given, kind, precision, alternate) {
  const x = typeof given === "boolean" ? Number(given) : given.__float__ ? given.__float__() : given;
  if (kind === "d" || kind === "n" || (kind === undefined && precision === null)) return textOf(x);
  if (kind === "x" || kind === "b" || kind === "o") return x.toString({ x: 16, b: 2, o: 8 }[kind]);
  if (!Number.isFinite(Number(x))) return floatText(x);
  if (kind === "f" || kind === "F") return fixed(x, precision ?? 6);
  if (kind === "%") {
    return `${fixed(100 * x, precision ?? 6)}%`;
  }
  if (kind === "e" || kind === "E") return scientific(x, precision ?? 6, kind);
  return general(x, precision ?? 6, alternate);
}
const grouped = (text, mark) => {
  const [, sign, digits, rest] = /^([-+]?)(\d+)(.*)$/s.exec(text);
  return sign + digits.replace(/\B(?=(\d{3})+$)/g, mark) + rest;
};
function padded(text, fill, align, width) {
  const length = [...text].length;
  if (length >= width) return text;
  const left = width - length;
  if (align === "<") return text + fill.repeat(left);
  if (align === "^") return fill.repeat(left >> 1) + text + fill.repeat(left - (left >> 1));
  const sign = align === "=" ? /^[-+ ]?/.exec(text)[0] : "";
  return sign + fill.repeat(left) + text.slice(sign.length);
}

/** `round(x, digits)`: to the nearest, the even one of two. */
export function rounded(x, digits) {
  if (digits === null) return whole(nearest(...ratio(Number(x))));
  if (typeof x === "bigint" || (Number.isInteger(x) && digits >= 0)) return x;
  if (!Number.isFinite(x)) return x;
  if (digits < 0) {
    const unit = 10n ** BigInt(-digits);
    const [n, d] = ratio(x);
    return whole(nearest(n, d * unit) * unit);
  }
  return Number(fixed(x, digits));
}
