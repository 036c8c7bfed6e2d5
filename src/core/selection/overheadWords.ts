import { formatPercent } from '../format';

/** An overhead as it was measured, percent. */
export interface MeasuredOverhead {
  readonly overheadPercent: number;
  /** Absent: unknown, nothing was run twice. */
  readonly noisePercent?: number | undefined;
}

/** Above the noise, or nothing is known of that. */
export function isAboveNoise({ overheadPercent, noisePercent = -Infinity }: MeasuredOverhead): boolean {
  return overheadPercent > noisePercent;
}

/** `overhead 4.1 %`; it is claimed only above the noise. */
export function overheadWords(overhead: MeasuredOverhead, format = formatPercent): string {
  const value = format(overhead.overheadPercent / 100);
  if (overhead.noisePercent === undefined) return `overhead ${value} (noise unknown: one run of each)`;
  return isAboveNoise(overhead)
    ? `overhead ${value}`
    : `the overhead (${value}) cannot be told from noise (±${format(overhead.noisePercent / 100)})`;
}
