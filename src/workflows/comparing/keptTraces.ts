import type { CallTrace } from '../../core/trace/callTrace';
import type { TraceSource } from '../../core/trace/traceSource';

/** Rows of all traces together that are kept: those of two traces of a million rows, about 120 MB. */
const mostRows = 2e6;
/** Part of this that is filled before the others are expected to be as large on average. */
const sample = 0.25;

/** Traces that are read once where there is room for all of them, and else each time: then none is kept, for the next one that is asked for is the one that was dropped first. */
export class KeptTraces {
  readonly #kept = new Map<TraceSource, CallTrace>();
  #rows = 0;
  #sources = 0;
  #isFull = false;

  /** @param onAllKept none is read any more, unless there are further sources */
  constructor(
    private readonly onAllKept: () => void,
    private readonly room = mostRows,
  ) {}

  source(rank: number, read: () => CallTrace): TraceSource {
    this.#sources++;
    const source: TraceSource = {
      rank,
      read: () => {
        const known = this.#kept.get(source);
        if (known !== undefined) return known;
        const trace = read();
        this.#keep(source, trace);
        return trace;
      },
    };
    return source;
  }

  #keep(source: TraceSource, trace: CallTrace): void {
    if (this.#isFull) return;
    this.#rows += trace.size;
    const expected = (this.#rows * this.#sources) / (this.#kept.size + 1);
    this.#isFull = this.#rows > this.room || (this.#rows > sample * this.room && expected > this.room);
    if (this.#isFull) this.#kept.clear();
    else this.#kept.set(source, trace);
    if (this.#kept.size === this.#sources) this.onAllKept();
  }
}
