import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { at } from '../../core/at';
import type { Side } from '../../core/compare/sides';
import { KymoError } from '../../core/errors';
import { getOrMake } from '../../core/getOrMake';
import { present } from '../../core/present';
import { rankSet } from '../../core/properties/rankSet';
import type { CallTrace } from '../../core/trace/callTrace';
import type { TraceView } from '../../core/trace/views/compareTraces';
import { FoldSink } from '../../core/trace/build/foldSink';
import { IterationSink, PhaseSink } from '../../core/trace/build/iterations';
import { KeyTable } from '../../core/trace/keyTable';
import { TraceBuilder, type TraceSink } from '../../core/trace/build/traceBuilder';
import { isWaiting } from '../../core/trace/waiting';
import { readMvtrace, readMvtraceHeader } from '../../formats/mvtrace/read';
import { Otf2Calls } from '../../formats/otf2/callTraces';
import { losesBegin, recordedIterations } from '../../formats/otf2/completeness';
import { openOtf2 } from '../../formats/otf2/open';
import type { NoteReason } from '../../formats/otf2/problems/notes';
import { folderFiles, type FolderFiles } from '../../measurement/files/archiveFiles';
import { anchorOf } from '../trace/openTrace';
import { recordedOnceNote } from './notes';
import { partText, type Part } from './part';

/** A trace, or a part of it, that is compared. */
export interface TraceInput {
  /** `traces.otf2`, a `.mvtrace`, or a folder of these. */
  readonly given: string;
  readonly name: string;
  readonly part: Part;
  /** Whether the measurement was to record a function (`withRecorded`); undefined: it does not say. */
  readonly isRecorded?: Side['isRecorded'];
}

/** What was read of an input. */
export interface ReadView extends TraceView {
  /** Processes of the whole run. */
  readonly ranks: number;
  /** Number of the last iteration that the first process began; 0: none. */
  readonly iterations: number;
}

export interface ReadViews {
  readonly table: KeyTable;
  readonly views: readonly ReadView[];
  /** Sentences. */
  readonly notes: readonly string[];
}

/** Notes on traces that lack events. */
const losses: readonly NoteReason[] = ['truncated', 'damaged', 'missing-events', 'count'];

/** The trace that is meant, if it is one: folders with a profile are compared by that. */
export function traceOf(given: string): 'otf2' | 'mvtrace' | undefined {
  if (/\.otf2$/i.test(given)) return 'otf2';
  if (/\.mvtrace$/i.test(given)) return 'mvtrace';
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  if (existsSync(path.join(given, 'profile.cubex'))) return undefined;
  if (existsSync(path.join(given, 'traces.otf2'))) return 'otf2';
  return mvtracesIn(given).length > 0 ? 'mvtrace' : undefined;
}

/**
 * Reads traces for a comparison, one process after the other.
 * @param phase function each of whose calls is an iteration; default: the marks of the trace
 * @throws KymoError `no-such-process`, `no-iterations`, `no-such-iteration`, and those of the formats
 */
export function readTraces(inputs: readonly TraceInput[], phase?: string): ReadViews {
  const table = new KeyTable();
  const notes = new Set<string>();
  const views = inputs.map((input) => {
    const { given, name, part } = input;
    const folded = new Folded(input, inputs, table);
    const run = new Run({ given, part, folded }, table, phase, notes);
    const traces = traceOf(given) === 'otf2' ? run.readOtf2() : run.readTexts();
    if (folded.names.length > 0) notes.add(recordedOnceNote(name, folded.names));
    return { name: `${name}${partText(part)}`, traces, ranks: run.ranks, iterations: run.iterations };
  });
  return { table, views, notes: [...notes] };
}

function mvtracesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((file) => /\.mvtrace$/i.test(file))
    .sort();
}

/** Functions that this measurement recorded and another one was not to (a filter left them out, or a compiler has none of their calls): they are left out of this one too. */
class Folded {
  readonly #names = new Set<string>();
  readonly #known = new Map<number, boolean>();

  constructor(
    private readonly own: TraceInput,
    private readonly inputs: readonly TraceInput[],
    private readonly table: KeyTable,
  ) {}

  /** Whether there may be some. */
  get isAny(): boolean {
    return (
      this.own.isRecorded !== undefined && this.inputs.some(({ isRecorded }) => isRecorded !== undefined)
    );
  }

  get names(): readonly string[] {
    return [...this.#names].sort();
  }

  has(number: number): boolean {
    return getOrMake(this.#known, number, () => {
      const key = at(this.table.keys, number);
      if (key.kind !== 'context' || isWaiting(key)) return false;
      const { name } = key;
      const seen = { key: '', name, ...present({ file: key.place.file }) };
      const isFolded =
        this.own.isRecorded?.(seen) === true &&
        this.inputs.some(({ isRecorded }) => isRecorded?.(seen) === false);
      if (isFolded) this.#names.add(name);
      return isFolded;
    });
  }
}

/** One run that is read. */
class Run {
  ranks = 0;
  iterations = 0;
  /** Its number in the run. */
  private firstIteration = 1;

  private readonly given: string;
  private readonly part: Part;
  private readonly folded: Folded;

  constructor(
    { given, part, folded }: Pick<TraceInput, 'given' | 'part'> & { readonly folded: Folded },
    private readonly table: KeyTable,
    private readonly phase: string | undefined,
    private readonly notes: Set<string>,
  ) {
    this.given = given;
    this.part = part;
    this.folded = folded;
  }

  readOtf2(): readonly CallTrace[] {
    const file = anchorOf(this.given);
    return this.#inFolder(path.dirname(file), (files) => {
      const archive = openOtf2(files, path.basename(file));
      const calls = new Otf2Calls(archive, this.table);
      this.ranks = calls.processes.length;
      const wanted = this.#wanted(calls.processes.map(({ rank }) => rank));
      const phases = new Set(calls.phases(this.phase));
      if (this.phase !== undefined && phases.size === 0) throw this.#noPhase();
      const isPhase = phases.size === 0 ? undefined : (key: number) => phases.has(key);
      const marked = new Set(calls.phases(undefined));
      if ([...phases].every((key) => marked.has(key)))
        this.firstIteration = recordedIterations(archive.anchor)?.first ?? 1;
      if (this.part.iterations !== undefined && losesBegin(archive.anchor))
        this.notes.add(
          `${file} has lost the events of its begin: its iterations are counted from the first one that it has, in each process.`,
        );
      const problems = { unmatchedLeaves: 0, missingLeaves: 0, others: 0 };
      const traces = wanted.flatMap((position) => {
        const { rank, threads } = at(calls.processes, position);
        // Iterations are those of the first thread: others have no marks of them.
        const compared = this.part.iterations === undefined ? threads : threads.slice(0, 1);
        problems.others += threads.length - compared.length;
        return compared.map((location, number) => {
          const { builder, sink, iterations } = this.#sinks(calls.counters, isPhase);
          const { unmatchedLeaves, missingLeaves } = calls.read(location, sink);
          if (number === 0) this.#finishIterations(iterations);
          problems.unmatchedLeaves += unmatchedLeaves;
          problems.missingLeaves += missingLeaves;
          return this.#trace(builder, rank, 'bytes', location.thread);
        });
      });
      const { unmatchedLeaves, missingLeaves, others } = problems;
      this.#note(unmatchedLeaves, `${file}: leaves of functions that were not entered are ignored`);
      this.#note(missingLeaves, `${file}: calls without an end end with their callers`);
      this.#note(
        others,
        `${this.given}: of iterations, only the first thread of each process is compared; other threads`,
      );
      const faults = archive.notes();
      for (const { message } of faults) this.notes.add(message);
      if (faults.some(({ reason }) => losses.includes(reason)))
        this.notes.add(`What ${this.given} lacks is among the differences: they are not all of the program.`);
      return traces;
    });
  }

  readTexts(): readonly CallTrace[] {
    const isFolder = statSync(this.given, { throwIfNoEntry: false })?.isDirectory() === true;
    const folder = isFolder ? this.given : path.dirname(this.given);
    return this.#inFolder(folder, (files) => {
      const sources = (isFolder ? mvtracesIn(folder) : [path.basename(this.given)])
        .map((name) => {
          const source = files.open(name);
          if (source === undefined)
            throw new KymoError('no-trace', `${path.join(folder, name)} is missing.`, { file: this.given });
          return { source, header: readMvtraceHeader(source) };
        })
        .sort((a, b) => a.header.rank - b.header.rank);
      this.#requireOneRun(sources.map(({ source: { file }, header }) => ({ file, ...header })));
      this.ranks = at(sources, 0).header.ranks;
      if (isFolder && sources.length < this.ranks)
        this.notes.add(`${this.given} has traces of ${sources.length} of its ${this.ranks} processes.`);
      return this.#wanted(sources.map(({ header }) => header.rank)).map((position) => {
        const { source } = at(sources, position);
        const { builder, sink, iterations } = this.#sinks(['instructions'], this.#phaseOfTable());
        const read = readMvtrace(source, this.table, () => sink);
        this.#finishIterations(iterations);
        for (const note of read.notes) this.notes.add(`${source.file}: ${note}`);
        const trace = this.#trace(builder, read.rank, read.sizeUnit);
        return read.hasInstructions ? trace : { ...trace, counters: new Map() };
      });
    });
  }

  #inFolder<T>(folder: string, action: (files: FolderFiles) => T): T {
    const files = folderFiles(folder);
    try {
      return action(files);
    } finally {
      files.close();
    }
  }

  /** Positions of the ranks that were asked for. */
  #wanted(ranks: readonly number[]): readonly number[] {
    const { ranks: ranges } = this.part;
    const wanted = [...ranks.keys()].filter((position) =>
      (ranges ?? [[0, Infinity]]).some(([first, last]) => {
        const rank = at(ranks, position);
        return rank >= first && rank <= last;
      }),
    );
    if (wanted.length > 0) return wanted;
    throw new KymoError(
      'no-such-process',
      ranks.length === 0
        ? `${this.given} has no processes.`
        : `${this.given} has none of these ranks: it has ${rankSet(ranks)}.`,
      { file: this.given },
    );
  }

  #sinks(
    counters: readonly string[],
    isPhase: ((key: number) => boolean) | undefined,
  ): { readonly builder: TraceBuilder; readonly sink: TraceSink; readonly iterations: IterationSink } {
    const builder = new TraceBuilder(this.table, { counters });
    const range = this.part.iterations;
    const iterations = new IterationSink(
      this.folded.isAny ? new FoldSink(builder, (key) => this.folded.has(key)) : builder,
      range === undefined ? undefined : { first: range[0], last: range[1] },
      this.firstIteration,
    );
    return {
      builder,
      iterations,
      sink: isPhase === undefined ? iterations : new PhaseSink(iterations, isPhase),
    };
  }

  /** Contexts of traces in text form are known once they are met. */
  #phaseOfTable(): ((key: number) => boolean) | undefined {
    const { phase } = this;
    if (phase === undefined) return undefined;
    const known: (boolean | undefined)[] = [];
    return (number) =>
      (known[number] ??= ((): boolean => {
        const key = at(this.table.keys, number);
        return (
          key.kind === 'context' && (key.name === phase || `${key.name}:${key.place.line ?? ''}` === phase)
        );
      })());
  }

  #finishIterations(sink: IterationSink): void {
    sink.end();
    const range = this.part.iterations;
    const first = this.firstIteration;
    const last = sink.iterations === 0 ? 0 : first - 1 + sink.iterations;
    this.iterations ||= last;
    this.#note(sink.cut, `${this.given}: calls that an iteration’s end cuts off have no time`);
    if (range === undefined || (range[0] >= first && range[1] <= last)) return;
    if (last > 0)
      throw new KymoError(
        'no-such-iteration',
        `${this.given} has iterations ${first}–${last} and no iteration ${range[0] < first ? range[0] : range[1]}.`,
        { file: this.given },
      );
    throw this.phase === undefined
      ? new KymoError(
          'no-iterations',
          `${this.given} has no marks of iterations. Name the function that is called once for each: --phase FUNCTION.`,
          { file: this.given },
        )
      : this.#noPhase();
  }

  #noPhase(): KymoError {
    return new KymoError('no-iterations', `${this.given} has no call of “${this.phase ?? ''}”.`, {
      file: this.given,
    });
  }

  #note(count: number, what: string): void {
    if (count > 0) this.notes.add(`${what}: ${count}.`);
  }

  #trace(builder: TraceBuilder, rank: number, sizeUnit: CallTrace['sizeUnit'], thread = 0): CallTrace {
    const name = `rank ${rank}${thread === 0 ? '' : `, thread ${thread}`}`;
    for (const note of builder.notes) this.notes.add(`${this.given}, ${name}: ${note}`);
    return builder.finish({ name, rank, ranks: this.ranks, sizeUnit });
  }

  #requireOneRun(
    traces: readonly { readonly file: string; readonly rank: number; readonly ranks: number }[],
  ): void {
    traces.forEach(({ file, rank, ranks }, position) => {
      const before = traces[position - 1];
      if (before === undefined) return;
      if (before.rank === rank)
        throw new KymoError('invalid-mvtrace', `${before.file} and ${file} are both of rank ${rank}.`, {
          file,
        });
      if (before.ranks !== ranks)
        throw new KymoError(
          'invalid-mvtrace',
          `${before.file} is of ${before.ranks} processes and ${file} of ${ranks}: these are two runs.`,
          { file },
        );
    });
  }
}
