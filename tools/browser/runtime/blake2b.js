// The hash BLAKE2b (RFC 7693), from which seeds of further games are made.

const MASK = (1n << 64n) - 1n;
// The fractions of the square roots of the first eight primes, as in SHA-512 (RFC 7693, section 2.6).
const START = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
// The order of the words in each round (section 2.7).
const ORDER = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
  "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
].map((row) => [...row].map((digit) => parseInt(digit, 16)));
const COLUMNS = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
const turned = (x, by) => ((x >> by) | (x << (64n - by))) & MASK;

function compress(state, block, count, last) {
  const words = Array.from({ length: 16 }, (_, at) => block.getBigUint64(8 * at, true));
  const v = [...state, ...START];
  v[12] ^= BigInt(count);
  if (last) v[14] ^= MASK;
  for (let round = 0; round < 12; round++) {
    const order = ORDER[round % 10];
    COLUMNS.forEach(([a, b, c, d], at) => {
      v[a] = (v[a] + v[b] + words[order[2 * at]]) & MASK;
      v[d] = turned(v[d] ^ v[a], 32n);
      v[c] = (v[c] + v[d]) & MASK;
      v[b] = turned(v[b] ^ v[c], 24n);
      v[a] = (v[a] + v[b] + words[order[2 * at + 1]]) & MASK;
      v[d] = turned(v[d] ^ v[a], 16n);
      v[c] = (v[c] + v[d]) & MASK;
      v[b] = turned(v[b] ^ v[c], 63n);
    });
  }
  return state.map((word, at) => word ^ v[at] ^ v[at + 8]);
}

/** The hash of bytes, of this many bytes. */
export function blake2b(bytes, size) {
  let state = [...START];
  state[0] ^= 0x01010000n ^ BigInt(size);
  const blocks = Math.max(1, Math.ceil(bytes.length / 128));
  for (let at = 0; at < blocks; at++) {
    const block = new Uint8Array(128);
    block.set(bytes.subarray(128 * at, 128 * (at + 1)));
    const last = at === blocks - 1;
    state = compress(state, new DataView(block.buffer), last ? bytes.length : 128 * (at + 1), last);
  }
  const made = new DataView(new ArrayBuffer(64));
  state.forEach((word, at) => made.setBigUint64(8 * at, word, true));
  return new Uint8Array(made.buffer, 0, size);
}
