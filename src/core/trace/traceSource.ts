import type { CallTrace } from './callTrace';

/** The trace of one thread, which is read when it is needed: where all are too large to be kept, again each time. */
export interface TraceSource {
  readonly rank: number;
  read(): CallTrace;
}

export function inMemory(trace: CallTrace): TraceSource {
  return { rank: trace.rank, read: () => trace };
}

/** The source of what a trace becomes. */
export function changed(source: TraceSource, change: (trace: CallTrace) => CallTrace): TraceSource {
  return { rank: source.rank, read: () => change(source.read()) };
}

/** The traces one after the other. */
export function* reading(sources: readonly TraceSource[]): Generator<CallTrace> {
  for (const source of sources) yield source.read();
}
