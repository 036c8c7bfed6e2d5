import { at } from '../../at';
import { KymoError } from '../../errors';
import { present } from '../../present';
import { finished, partOf, type Steps } from '../../steps';
import { alignTraces, type Alignment } from '../align/alignTraces';
import type { CallTrace } from '../callTrace';
import { characteristics, type FoundCharacteristic } from '../pair/characteristics';
import { compareViews, type TraceComparison } from '../pair/differences';
import type { PairWords } from '../pair/differenceWords';
import { frequencySteps, frequencyTrace } from '../frequency';
import type { KeyTable } from '../keyTable';
import { orderDifferences, type AlignedProcess } from '../pair/orderDifferences';
import { pairTree, PairValues, type OrderDifference, type PairTree } from '../pair/pairTree';
import { commonDistances, rekeyed, relativeTrace } from '../relative';
import { changed, reading, type TraceSource } from '../traceSource';
import { unifyNames } from '../unifyNames';
import { timeNotes } from '../pair/timeNotes';

/** One or several processes of a run, or of some of its iterations. */
export interface TraceView {
  /** `run-a, rank 1, iteration 12` */
  readonly name: string;
  /** Of each process one for each thread, its first thread first; at least one. */
  readonly traces: readonly TraceSource[];
}

export interface TraceOptions {
  /** `time`, or a counter that all views have; default: `instructions` where all have it, else `time`. */
  readonly metric?: string;
  /** Smaller relative deviations are none. Default: 0.05. */
  readonly sensitivity?: number;
  /** Partners as distances; default: where a view has several processes. */
  readonly isRelative?: boolean;
}

export interface ComparedViews {
  readonly metric: string;
  readonly isRelative: boolean;
  /** Views as they were compared: with one name for each function, and with the partners that were asked for. */
  readonly views: readonly TraceView[];
  /** Frequency views of these. */
  readonly frequencies: readonly CallTrace[];
  /** View k with view k + 1. */
  readonly pairs: readonly ComparedTracePair[];
  /** Sentences. */
  readonly notes: readonly string[];
}

export interface ComparedTracePair {
  readonly comparison: TraceComparison;
  readonly words: PairWords;
  readonly values: PairValues;
  readonly characteristics: readonly FoundCharacteristic[];
}

/** Fewer call paths in common are two programs. */
const leastMatched = 0.3;

/** `compareTracesInSteps` without a stop. */
export function compareTraces(
  views: readonly TraceView[],
  table: KeyTable,
  options: TraceOptions = {},
): ComparedViews {
  return finished(compareTracesInSteps(views, table, options));
}

/**
 * Compares each view with the next one, a step for each trace that is read.
 * @param views at least two, of one table
 * @throws KymoError `no-such-metric`
 */
export function* compareTracesInSteps(
  views: readonly TraceView[],
  table: KeyTable,
  {
    metric: wanted,
    sensitivity = 0.05,
    isRelative = views.some(({ traces }) => processesOf(traces) > 1),
  }: TraceOptions = {},
): Steps<ComparedViews> {
  const prepared = yield* prepareViews(views, table, isRelative);
  const { views: unified, frequencies } = prepared;
  const metrics = commonMetrics(frequencies);
  const metric = wanted ?? (metrics.includes('instructions') ? 'instructions' : 'time');
  if (!metrics.includes(metric))
    throw new KymoError(
      'no-such-metric',
      `Not all traces have “${metric}”. They have: ${metrics.join(', ')}.`,
    );
  const pairs = frequencies.slice(1).map((_, pair) => comparePair(prepared, pair, metric, sensitivity));
  return {
    metric,
    isRelative,
    views: views.map(({ name }, view) => ({ name, traces: at(unified, view) })),
    frequencies,
    pairs,
    notes: [
      ...(wanted === undefined && metric === 'time'
        ? ['The traces have no numbers of instructions: times are compared, which vary from run to run.']
        : []),
      ...viewNotes(prepared, pairs),
    ],
  };
}

/** The source of a trace that was read. */
export interface KnownSource extends TraceSource, Pick<CallTrace, 'size' | 'isMerged'> {}

/** Views before a metric and a sensitivity are chosen. Alignments are made when they are first asked for. */
export interface PreparedViews {
  /** With one name for each function, and with the partners that were asked for. */
  readonly views: readonly (readonly KnownSource[])[];
  readonly frequencies: readonly CallTrace[];
  /** Of the first trace of view k with the first one of view k + 1. */
  readonly alignments: readonly Alignment[];
  /** Of view k with view k + 1. */
  readonly pairs: readonly {
    readonly tree: PairTree;
    readonly orders: readonly OrderDifference[];
    readonly formerNames: PairWords['formerNames'];
  }[];
}

/** Number of processes whose threads these are. */
export function processesOf(traces: readonly TraceSource[]): number {
  return new Set(traces.map(({ rank }) => rank)).size;
}

/** All of a comparison that is the same for each metric and sensitivity. Traces are read one after the other, once to sum them up and once for the order of their calls, a step each time. */
export function* prepareViews(
  views: readonly TraceView[],
  table: KeyTable,
  isRelative: boolean,
): Steps<PreparedViews> {
  const placed = views.map(({ traces }) =>
    isRelative ? traces.map((source) => changed(source, (trace) => relativeTrace(trace, table))) : traces,
  );
  const facts = views.map((): Omit<KnownSource, keyof TraceSource>[] => []);
  const readings = placed.reduce((sum, { length }) => sum + length, 0);
  const toOrder = mostReadForOrders(placed);
  let [read, hasOrders] = [0, true];
  const done = (): number => Math.min(1, read / (readings + (hasOrders ? toOrder : 0)));
  const summed: CallTrace[] = [];
  for (const [view, { name }] of views.entries()) {
    const known = seen(reading(at(placed, view)), ({ size, isMerged }) => {
      at(facts, view).push({ size, ...present({ isMerged }) });
      read++;
      // Where one trace is too large for its order, most are.
      hasOrders &&= isMerged !== true;
    });
    summed.push(yield* partOf(frequencySteps(known, table, { name }), done));
  }
  const { keys: names, formerNames } = unifyNames(summed, table);
  const distances = isRelative ? commonDistances(summed, table) : [];
  const keys = names.map((own, view) => new Map([...own, ...(distances[view] ?? [])]));
  const renamed = (trace: CallTrace, view: number): CallTrace => {
    const own = at(keys, view);
    return own.size === 0 ? trace : rekeyed(trace, (key) => own.get(key) ?? key);
  };
  const unified = placed.map((traces, view) =>
    traces.map((source, thread) => ({
      ...changed(source, (trace) => renamed(trace, view)),
      ...at(at(facts, view), thread),
    })),
  );
  const frequencies = summed.map((trace, view) =>
    at(keys, view).size === 0 ? trace : frequencyTrace([renamed(trace, view)], table),
  );
  const alignments = lazily(() =>
    unified
      .slice(1)
      .map((traces, pair) => alignTraces(at(at(unified, pair), 0).read(), at(traces, 0).read())),
  );
  const pairs: PreparedViews['pairs'][number][] = [];
  for (const [pair, right] of frequencies.slice(1).entries()) {
    const tree = pairTree(at(frequencies, pair), right);
    const processes = firstThreads(at(unified, pair), at(unified, pair + 1));
    const aligned = processes.map(([left, right]) => (): AlignedProcess => {
      const known = left === at(unified, pair)[0] ? at(alignments(), pair) : undefined;
      const traces = { left: left.read(), right: right.read() };
      read += 2;
      return { ...traces, alignment: known ?? alignTraces(traces.left, traces.right) };
    });
    const orders = yield* partOf(orderDifferences(aligned, tree), done);
    pairs.push({ tree, orders, formerNames: at(formerNames, pair) });
  }
  return {
    ...{ views: unified, frequencies, pairs },
    get alignments() {
      return alignments();
    },
  };
}

/** Traces that are read for the order of their calls, at most. */
function mostReadForOrders(views: readonly (readonly TraceSource[])[]): number {
  const processes = views.map(processesOf);
  return processes.slice(1).reduce((sum, right, pair) => sum + 2 * Math.min(at(processes, pair), right), 0);
}

function* seen(traces: Iterable<CallTrace>, see: (trace: CallTrace) => void): Generator<CallTrace> {
  for (const trace of traces) {
    see(trace);
    yield trace;
  }
}

/** First threads whose order of calls is compared: of each process, and where there are more processes in one view, of the first one; and only if it is known. */
function firstThreads(
  left: readonly KnownSource[],
  right: readonly KnownSource[],
): readonly (readonly [KnownSource, KnownSource])[] {
  const firstsOf = (traces: readonly KnownSource[]): readonly KnownSource[] => {
    const ranks = new Set<number>();
    return traces.filter(({ rank }) => ranks.size < ranks.add(rank).size);
  };
  const [firsts, others] = [firstsOf(left), firstsOf(right)];
  const compared = firsts.length === others.length ? firsts : firsts.slice(0, 1);
  return compared
    .map((first, position) => [first, at(others, position)] as const)
    .filter((both) => both.every(({ isMerged }) => isMerged !== true));
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Compares a view with the next one. @param metric one that all views have */
export function comparePair(
  { views, pairs }: PreparedViews,
  pair: number,
  metric: string,
  sensitivity: number,
): ComparedTracePair {
  const { tree, orders, formerNames } = at(pairs, pair);
  const values = new PairValues(tree, metric, [
    processesOf(at(views, pair)),
    processesOf(at(views, pair + 1)),
  ]);
  const words = { tree, metric, formerNames };
  const comparison = compareViews(tree, values, sensitivity, orders);
  return {
    comparison,
    words,
    values,
    characteristics: characteristics(comparison.differences, words, values),
  };
}

/** `time`, and the counters that all views have. */
export function commonMetrics(frequencies: readonly CallTrace[]): readonly string[] {
  const [first, ...others] = frequencies.map(({ counters }) => [...counters.keys()]);
  return ['time', ...(first ?? []).filter((name) => others.every((names) => names.includes(name)))];
}

/** Sentences about what makes the views hard to compare. */
export function viewNotes(
  { views, frequencies }: PreparedViews,
  pairs: readonly ComparedTracePair[],
): readonly string[] {
  return [
    ...pairs.flatMap(({ comparison }, pair) =>
      pairNotes(comparison, processesOf(at(views, pair)), processesOf(at(views, pair + 1))),
    ),
    ...pairs.flatMap((pair) => timeNotes(pair)),
    ...(isSameUnit(frequencies)
      ? []
      : ['Sizes of messages are bytes in one trace and elements in another, and are not compared.']),
  ];
}

function pairNotes(
  { matched, added, deleted, unnamed }: TraceComparison,
  before: number,
  after: number,
): readonly string[] {
  const all = matched + added + deleted;
  return [
    ...(before === after ? [] : [`Of ${before} and ${after} processes: numbers are per process.`]),
    ...(matched >= leastMatched * all
      ? []
      : [`Only ${matched} of ${all} call paths are in both: these may be traces of two different programs.`]),
    ...(unnamed === 0
      ? []
      : [
          `${unnamed} of ${added + deleted} call paths that are new or gone are not named: those with the least at stake, and those below others that are new or gone.`,
        ]),
  ];
}

/** Of those with messages. */
function isSameUnit(traces: readonly CallTrace[]): boolean {
  const units = traces
    .filter(({ bytes }) => bytes.some((value) => value > 0))
    .map(({ sizeUnit }) => sizeUnit);
  return new Set(units).size < 2;
}
