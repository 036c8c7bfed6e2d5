import { createHash } from 'node:crypto';

/**
 * The first 64 bits of a SHA-256 over the parts, as 16 hex digits. Parts are separated, so that moving text from one to the next
 * gives another hash.
 */
export function hashOfParts(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(`${String(bytes.length)}:`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}
