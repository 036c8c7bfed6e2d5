/** The difference of a location's clock to the global one at a time of the location's clock. */
export interface ClockOffset {
  readonly time: bigint;
  readonly offset: bigint;
  /** Standard deviation of the offset, in ticks. */
  readonly deviation: number;
}

/**
 * Between two offsets, in numbers that are exact below 2^53: corrected times less the global offset are `ticks + shift + rint(slope · ticks)`, with
 * `ticks` counted from `begin`.
 */
export interface ClockInterval {
  readonly begin: bigint;
  /** Ticks to the next interval; Infinity in the last one, which later times belong to as well. */
  readonly length: number;
  readonly shift: number;
  readonly slope: number;
}

/**
 * Offsets are interpolated between two measurements, and extrapolated before the first and behind the last one. As in the OTF2 library, a single
 * offset changes nothing.
 * @param offsets in the order of their times
 */
export function clockIntervals(
  offsets: readonly ClockOffset[],
  globalOffset: bigint,
): readonly ClockInterval[] {
  const intervals: ClockInterval[] = [];
  for (const [index, { time, offset }] of offsets.entries()) {
    const next = offsets[index + 1];
    if (next === undefined) break;
    const length = Number(next.time - time);
    const slope = Number(next.offset - offset) / length;
    intervals.push({ begin: time, length, shift: Number(time + offset - globalOffset), slope });
  }
  const last = intervals.pop();
  if (last === undefined) return [{ begin: globalOffset, length: Infinity, shift: 0, slope: 0 }];
  return [...intervals, { ...last, length: Infinity }];
}

/** Halves go to the even number, as in C's `rint`. */
export function rint(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
