import { at } from '../../core/at';
import { KymoError } from '../../core/errors';
import { getOrMake } from '../../core/getOrMake';
import { rankSet } from '../../core/properties/rankSet';
import { FoldSink } from '../../core/trace/build/foldSink';
import { IterationSink, PhaseSink } from '../../core/trace/build/iterations';
import { TraceBuilder, type BuilderOptions, type TraceSink } from '../../core/trace/build/traceBuilder';
import type { CallTrace } from '../../core/trace/callTrace';
import type { KeyTable } from '../../core/trace/keyTable';
import type { TraceSource } from '../../core/trace/traceSource';
import type { CallProblems } from '../../formats/otf2/callTraces';
import type { Folded } from './folded';
import type { KeptTraces } from './keptTraces';
import type { Part } from './part';

/** What of a run is read, and how. */
export interface RunInput {
  /** `traces.otf2`, a `.mvtrace`, or a folder of these. */
  readonly given: string;
  readonly part: Part;
  readonly folded: Folded;
  /** Function each of whose calls is an iteration; undefined: the marks of the trace. */
  readonly phase: string | undefined;
  readonly table: KeyTable;
  readonly kept: KeptTraces;
  readonly builders: TraceBuilders;
}

/** A run whose threads are read when they are asked for. */
export interface OpenedRun {
  /** Processes of the whole run. */
  readonly ranks: number;
  /** Of each process that was asked for one for each thread, its first thread first. */
  readonly sources: readonly TraceSource[];
  /** Of what was read so far: the number of the last iteration that the first process began; 0: none. */
  readonly iterations: () => number;
  /** Sentences, on what was read so far. */
  readonly notes: () => readonly string[];
}

export interface ReadThread {
  readonly rank: number;
  readonly thread: number;
  /** Of its process: it has the marks of iterations. */
  readonly isFirst: boolean;
  readonly ranks: number;
  /** Names of the counters that its calls have. */
  readonly counters: readonly string[];
  /** Whether calls of a key begin an iteration; undefined: the marks of the trace do. */
  readonly isPhase: ((key: number) => boolean) | undefined;
  /** Number of its first iteration in the run. */
  readonly firstIteration: number;
}

/** What its reader says of a thread. */
export interface ThreadFacts extends Partial<CallProblems> {
  readonly sizeUnit: CallTrace['sizeUnit'];
  /** The thread does not have the counters that it may have. */
  readonly isWithoutCounters?: boolean;
  /** Sentences. */
  readonly notes?: readonly string[];
}

/** Threads that a note names. */
const mostNamed = 3;

/** What was noticed of a thread; it is the same whenever the thread is read. */
interface Noticed extends ThreadFacts {
  readonly cut: number;
  readonly built: readonly string[];
}

/** Builders of traces that are read one after the other: their room is used again, for the collector of garbage frees it late. */
export class TraceBuilders {
  readonly #builders = new Map<string, TraceBuilder>();

  constructor(
    private readonly table: KeyTable,
    private readonly options: Omit<BuilderOptions, 'counters'> = {},
  ) {}

  /** Frees their room. */
  clear(): void {
    this.#builders.clear();
  }

  /** @param counters their names */
  emptyOne(counters: readonly string[]): TraceBuilder {
    const key = JSON.stringify(counters);
    const builder = getOrMake(
      this.#builders,
      key,
      () => new TraceBuilder(this.table, { ...this.options, counters }),
    );
    builder.reset();
    return builder;
  }
}

/** Builds the traces of the threads of one run, and knows what was noticed. */
export class ThreadReading {
  /** Number of the last iteration of the first thread that had some. */
  iterations = 0;
  readonly #noticed = new Map<string, Noticed>();

  constructor(private readonly input: RunInput) {}

  /** @param feed gives the events of the thread to the sink */
  read(thread: ReadThread, feed: (sink: TraceSink) => ThreadFacts): CallTrace {
    const { builders, folded, part } = this.input;
    const builder = builders.emptyOne(thread.counters);
    const range = part.iterations;
    const iterations = new IterationSink(
      folded.isAny ? new FoldSink(builder, (key) => folded.has(key)) : builder,
      range === undefined ? undefined : { first: range[0], last: range[1] },
      thread.firstIteration,
    );
    const facts = feed(thread.isPhase === undefined ? iterations : new PhaseSink(iterations, thread.isPhase));
    if (thread.isFirst) this.#finish(iterations, thread.firstIteration);
    const name = `rank ${thread.rank}${thread.thread === 0 ? '' : `, thread ${thread.thread}`}`;
    this.#noticed.set(name, { ...facts, cut: iterations.cut, built: builder.notes });
    const { rank, ranks } = thread;
    const trace = builder.finish({ name, rank, ranks, sizeUnit: facts.sizeUnit });
    return facts.isWithoutCounters === true ? { ...trace, counters: new Map() } : trace;
  }

  /** Positions of the ranks that were asked for. @throws KymoError `no-such-process` */
  wanted(ranks: readonly number[]): readonly number[] {
    const { part, given } = this.input;
    const wanted = [...ranks.keys()].filter((position) =>
      (part.ranks ?? [[0, Infinity]]).some(([first, last]) => {
        const rank = at(ranks, position);
        return rank >= first && rank <= last;
      }),
    );
    if (wanted.length > 0) return wanted;
    throw new KymoError(
      'no-such-process',
      ranks.length === 0
        ? `${given} has no processes.`
        : `${given} has none of these ranks: it has ${rankSet(ranks)}.`,
      { file: given },
    );
  }

  noPhase(): KymoError {
    const { given, phase } = this.input;
    return new KymoError('no-iterations', `${given} has no call of “${phase ?? ''}”.`, { file: given });
  }

  /** Sentences. */
  notes(): readonly string[] {
    const { given } = this.input;
    const all = [...this.#noticed.values()];
    const threads = new Map<string, string[]>();
    for (const [name, { built }] of this.#noticed)
      for (const note of built) getOrMake(threads, note, () => []).push(name);
    const sum = (of: (thread: Noticed) => number | undefined): number =>
      all.reduce((before, thread) => before + (of(thread) ?? 0), 0);
    return [
      ...all.flatMap(({ notes }) => notes ?? []),
      ...[...threads].map(([note, names]) => `${given}, ${firstOf(names)}: ${note}`),
      ...counted(
        sum(({ cut }) => cut),
        `${given}: calls that an iteration’s end cuts off have no time`,
      ),
      ...counted(
        sum(({ unmatchedLeaves }) => unmatchedLeaves),
        `${given}: leaves of functions that were not entered are ignored`,
      ),
      ...counted(
        sum(({ missingLeaves }) => missingLeaves),
        `${given}: calls without an end end with their callers`,
      ),
    ];
  }

  #finish(sink: IterationSink, first: number): void {
    sink.end();
    const { given, part, phase } = this.input;
    const range = part.iterations;
    const last = sink.iterations === 0 ? 0 : first - 1 + sink.iterations;
    this.iterations ||= last;
    if (range === undefined || (range[0] >= first && range[1] <= last)) return;
    if (last > 0)
      throw new KymoError(
        'no-such-iteration',
        `${given} has iterations ${first}–${last} and no iteration ${range[0] < first ? range[0] : range[1]}.`,
        { file: given },
      );
    throw phase === undefined
      ? new KymoError(
          'no-iterations',
          `${given} has no marks of iterations. Name the function that is called once for each: --phase FUNCTION.`,
          { file: given },
        )
      : this.noPhase();
  }
}

function firstOf(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return rest <= 0 ? names.join(', ') : `${names.slice(0, mostNamed).join(', ')} and ${rest} more`;
}

/** A sentence, where there are any. */
export function counted(count: number, what: string): readonly string[] {
  return count > 0 ? [`${what}: ${count}.`] : [];
}
