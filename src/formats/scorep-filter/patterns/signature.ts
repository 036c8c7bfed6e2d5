/**
 * The pairs of neighbouring characters of a text, as a bit set of 64 bits by hash. A name without all pairs of a pattern
 * cannot match it, which decides almost all of 500 rules × 10,000 names with two operations on numbers.
 */
export interface Signature {
  readonly low: number;
  readonly high: number;
}

/** The pairs of all texts; no pair spans two texts. */
export function signatureOf(...texts: readonly string[]): Signature {
  let low = 0;
  let high = 0;
  for (const text of texts) {
    for (let index = 1; index < text.length; index++) {
      const hash = Math.imul(text.charCodeAt(index - 1) * 31 + text.charCodeAt(index), 0x9e3779b1) >>> 26;
      if (hash < 32) low |= 1 << hash;
      else high |= 1 << (hash - 32);
    }
  }
  return { low, high };
}

/** False if `pattern` has a pair that `name` lacks. */
export function mayContain(name: Signature, pattern: Signature): boolean {
  return (name.low & pattern.low) === pattern.low && (name.high & pattern.high) === pattern.high;
}
