import { tooLarge } from './errors';

/**
 * Limits that keep hostile or unreasonable files from taking the machine's memory. What is not given follows from the size of
 * the file: small files that say that they are huge are refused, large ones are not.
 */
export interface CubeLimits {
  /** Values of all metrics together that are held at once (8 bytes each). */
  readonly cells: number;
  /** Bytes of anchor.xml, uncompressed. */
  readonly anchorBytes: number;
}

/** What a file of that many bytes may ask for. */
export function limitsFor(size: number, given: Partial<CubeLimits> = {}): CubeLimits {
  return {
    // Sparse and compressed files hold less than they stand for, by far more only where there is little of it.
    cells: given.cells ?? Math.min(2 ** 28, Math.max(2 ** 23, size * 2)),
    anchorBytes: given.anchorBytes ?? Math.min(2 ** 29, Math.max(2 ** 25, size * 64)),
  };
}

/** Throws `KymoError` (`cube-too-large`) when `cells` values are more than may be held. `what`: whose they are, and a verb. */
export function checkCells(file: string, what: string, cells: number, limits: CubeLimits): void {
  if (!(cells <= limits.cells))
    throw tooLarge(
      file,
      `${what} ${cells} values, and a file of its size may have ${limits.cells} in memory at once`,
    );
}
