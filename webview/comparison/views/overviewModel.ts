import { entryClasses, type EntryClass } from '../../../src/core/trace/comparisonPieces';

/** The class of a pixel of a strip; undefined: no entry. */
export function classAt(strip: Uint8Array, pixel: number): EntryClass | undefined {
  return entryClasses[strip[pixel] ?? 0xff];
}

/** The row at a place (0…1) of a strip. */
export function rowAt(rows: Uint32Array, share: number): number {
  const pixel = Math.min(rows.length - 1, Math.max(0, Math.floor(share * rows.length)));
  return rows[pixel] ?? 0;
}

/** Where a row is on a strip, as a share (0…1) of its height. */
export function placeOfRow(rows: Uint32Array, row: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return rows.length === 0 ? 0 : low / rows.length;
}

/** Pixels [first, end) of the same class that follow each other, so that a strip is drawn in few steps. */
export function runsOf(
  strip: Uint8Array,
): readonly { readonly kind: EntryClass; readonly first: number; readonly end: number }[] {
  const runs: { kind: EntryClass; first: number; end: number }[] = [];
  for (let pixel = 0; pixel < strip.length; pixel++) {
    const kind = classAt(strip, pixel);
    const last = runs.at(-1);
    if (kind === undefined) continue;
    if (last?.kind === kind && last.end === pixel) last.end = pixel + 1;
    else runs.push({ kind, first: pixel, end: pixel + 1 });
  }
  return runs;
}
