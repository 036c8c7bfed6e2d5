/**
 * FNV-1a, 64 bit (Fowler, Noll, Vo; RFC 9923), in two halves of 32 bits: fast without BigInt. Parts are separated, so that moving
 * text from one to the next gives another hash. 16 hex digits.
 */
export function hashOfParts(parts: readonly (string | Uint8Array)[]): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const encoder = new TextEncoder();
  const add = (byte: number): void => {
    low = (low ^ byte) >>> 0;
    // Times 2^40 + 0x1b3: no product leaves the 53 bits of a double.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x100000000) + (low << 8)) >>> 0;
    low = product >>> 0;
  };
  for (const part of parts) {
    const bytes = typeof part === 'string' ? encoder.encode(part) : part;
    for (const byte of bytes) add(byte);
    // The separator occurs in no UTF-8 text.
    add(0xff);
  }
  return hex(high) + hex(low);
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
