import { pushTo } from '../../core/remembered';
import { pooledRepetitions, type PooledSource } from '../../core/series/repetitions';
import { contextKey, type SeriesSource } from '../../core/series/series';
import { KymoError } from '../../core/errors';
import { rankSet } from '../../core/properties/rankSet';
import { sha256Of } from './analysisLog';
import type { OpenedInput } from './openInput';
import { together } from './together';

/** Iterations that tell which series a file has. */
const looked = 16;

/** The inputs as one source, and notes for the reader. */
export interface Combined {
  readonly source: SeriesSource;
  /** Inputs by repetition: of a run in several files, all of them. */
  readonly repetitions: readonly (readonly OpenedInput[])[];
  /** Once all iterations were read: how many there were. */
  readonly notes: (iterations: number) => readonly string[];
}

/**
 * Combines inputs: files with other series, such as those of other ranks, are one run; runs with the same series are repetitions of one
 * experiment.
 * @throws KymoError `usage`, `series-conflict`
 */
export async function combined(inputs: readonly OpenedInput[]): Promise<Combined> {
  const repetitions = await byRepetition(inputs);
  const sources = repetitions.map((files) => together(files));
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return { source: only, repetitions, notes: () => [] };
  // Refuses other units.
  together(inputs);
  const source = pooledRepetitions(sources);
  return { source, repetitions, notes: (iterations) => notesOf(source, sources.length, iterations) };
}

async function byRepetition(inputs: readonly OpenedInput[]): Promise<readonly (readonly OpenedInput[])[]> {
  if (inputs.length < 2) return [inputs];
  const series = inputs.filter(({ kind }) => kind === 'series');
  const run = inputs.find(({ kind }) => kind !== 'series');
  if (run !== undefined && series.length > 0)
    throw new KymoError(
      'usage',
      `${run.file} is a run of its own, and ${series[0]?.file ?? ''} a file with series. Give several of one kind, or use --compare for two runs.`,
    );
  if (run === undefined) refuseCopies(inputs);
  const groups: Group[] = [];
  for (const input of inputs) {
    const { keys, ranks } = await seriesIn(input);
    const group = groups.find((one) => [...keys].every((key) => !one.keys.has(key)));
    if (group === undefined || run !== undefined) {
      groups.push({ files: [input], keys, ranks });
      continue;
    }
    group.files.push(input);
    for (const key of keys) group.keys.add(key);
    for (const rank of ranks) group.ranks.add(rank);
  }
  const [first, ...others] = groups;
  const different = others.find((other) => first !== undefined && !isRepetition(other, first));
  if (first !== undefined && different !== undefined) throw conflict(different, first);
  return groups.map(({ files }) => files);
}

interface Group {
  readonly files: OpenedInput[];
  /** Of its series. */
  readonly keys: Set<string>;
  readonly ranks: Set<number>;
}

/** The same ranks, and most series in both. */
function isRepetition(a: Group, b: Group): boolean {
  const common = [...a.keys].filter((key) => b.keys.has(key)).length;
  return rankSet([...a.ranks]) === rankSet([...b.ranks]) && 2 * common > Math.max(a.keys.size, b.keys.size);
}

function conflict(group: Group, other: Group): KymoError {
  const [file = '', otherFile = ''] = [group, other].map(({ files }) => files[0]?.file ?? '');
  return new KymoError(
    'series-conflict',
    `${file} has a series that is in ${otherFile}, too, but not the same ranks and series. Files that are given together are one run, with each ` +
      'rank, thread and metric once, or repetitions of one experiment, each with all of them.',
    { file },
  );
}

async function seriesIn({ source }: OpenedInput): Promise<{ keys: Set<string>; ranks: Set<number> }> {
  const keys = new Set<string>();
  const ranks = new Set<number>();
  for await (const { series } of source.bursts(looked)) {
    for (const { context } of series) {
      keys.add(contextKey(context));
      ranks.add(context.rank);
    }
    break;
  }
  return { keys, ranks };
}

/** The same measurement twice would prove itself. */
function refuseCopies(inputs: readonly OpenedInput[]): void {
  const byHash = new Map<string, string[]>();
  for (const { file, bytes } of inputs) pushTo(byHash, sha256Of(bytes), file);
  const copies = [...byHash.values()].find(({ length }) => length > 1);
  if (copies === undefined) return;
  const [first = '', second = ''] = copies;
  throw new KymoError(
    'usage',
    first === second
      ? `${first} is given twice. Give each repetition once.`
      : `${first} and ${second} have the same content, so they are no two repetitions. Give each repetition once.`,
  );
}

function notesOf(source: PooledSource, count: number, iterations: number): readonly string[] {
  return [
    `${count} repetitions together: what computes in an iteration takes the least that it took in one of them, what waits the median. What one repetition alone shows is noise of the machine.`,
    ...(source.isCut()
      ? [
          `The repetitions have different numbers of iterations: the first ${iterations}, which all of them have, are analysed.`,
        ]
      : []),
  ];
}
