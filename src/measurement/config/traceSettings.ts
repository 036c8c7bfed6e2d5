/** How a measurement records the events of a run, beside its profile. */
export interface TraceSettings {
  /** Most memory for the events of each process, in MiB. */
  readonly memoryMegabytes: number;
  /** What happens when it is full: later events are lost (`stop`), or the oldest ones (`last`). */
  readonly full: TraceFull;
  /** The iterations of the phase that are recorded, from 1; default: the whole run. */
  readonly iterations?: IterationRange;
}

export interface IterationRange {
  readonly first: number;
  readonly last: number;
}

export const traceFull = ['stop', 'last'] as const;
export type TraceFull = (typeof traceFull)[number];

/** 128 MiB hold about eight million visits. */
export const defaultTraceSettings: TraceSettings = { memoryMegabytes: 128, full: 'stop' };
/** The runtime accepts no more: 1 TiB. */
export const mostTraceMegabytes = 2 ** 20;

/** `10-12`, or `10` for one iteration; undefined for anything else. */
export function iterationRange(text: string): IterationRange | undefined {
  const [, begin, end] = /^([1-9]\d{0,11})(?:-([1-9]\d{0,11}))?$/.exec(text.trim()) ?? [];
  if (begin === undefined) return undefined;
  const range = { first: Number(begin), last: Number(end ?? begin) };
  return range.first <= range.last ? range : undefined;
}
