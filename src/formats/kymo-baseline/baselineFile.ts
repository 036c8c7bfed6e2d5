import { at, atFloat } from '../../core/at';
import type { ComparedRun } from '../../core/compare/run';
import { timeMetric } from '../../core/compare/run';
import type { MeasuredHow } from '../../core/compare/sides';
import { KymoError } from '../../core/errors';
import type { RunGrowth } from '../../core/gate/growth';
import { plainCommand, type GateFacts, type GateSide } from '../../core/gate/side';
import type { Base } from '../../core/functions/base';
import { getOrMake } from '../../core/getOrMake';
import { laterVersion } from '../../core/fileVersion';
import { JsonSchema } from '../../core/jsonSchema';
import { present } from '../../core/present';
import type { Region } from '../../core/profile/profile';
import { baselineSchema } from './baselineSchema';

/** The version that Kymo writes. */
const currentVersion = 1;

/** Times have noise: more digits would only make the file longer. */
const digits = 6;

/** A side of a gate as it is in the file. */
interface BaselineFile {
  readonly kymoBaseline: typeof currentVersion;
  readonly facts: GateFacts;
  readonly functions: readonly FileFunction[];
  /** Names and files of functions that were to be recorded, as `name@file`; absent: not known. */
  readonly recorded?: readonly string[];
  readonly runs: readonly FileRun[];
}

interface FileFunction {
  readonly key: string;
  readonly name: string;
  readonly mangledName?: string;
  readonly file?: string;
  readonly line?: number;
  readonly paradigm: string;
  readonly role: string;
}

/** `seconds`, `visits` and `doubts` have an element for each function. */
interface FileRun {
  readonly measured: MeasuredHow;
  readonly base: Base;
  readonly processes: number;
  readonly locations: number;
  readonly memoryBytes?: number;
  readonly imbalance?: number;
  readonly overhead?: number;
  /** Second half of the iterations ÷ first half: of all together, and of each function; null: not known. */
  readonly growth?: { readonly whole: number; readonly functions: readonly (number | null)[] };
  readonly visits: readonly number[];
  readonly seconds: readonly number[];
  readonly doubts: readonly number[];
}

const baselines = new JsonSchema<BaselineFile>(baselineSchema);

/** How a function is found again in another build: by its name and the name of its file, for folders and lines change. */
export function nameInFile(name: string, file: string | undefined): string {
  return `${name}@${file?.replace(/^.*\//, '') ?? ''}`;
}

/**
 * @param measured how each run was
 * @param root folder of the program: places in it are relative to it, so that the file says nothing of the machine's folders
 */
export function writeBaseline(
  side: GateSide,
  {
    facts,
    measured,
    root,
  }: { readonly facts: GateFacts; readonly measured: readonly MeasuredHow[]; readonly root: string },
): string {
  const functions = new Map<string, FileFunction>();
  for (const { regions, keys } of side.runs)
    regions.forEach(
      (region, own) =>
        void getOrMake(functions, at(keys, own), () => fileFunction(region, at(keys, own), root)),
    );
  const keys = [...functions.keys()];
  const recorded = [...functions.values()].flatMap(({ key, name, file }) =>
    side.isRecorded?.({ key, name, ...present({ file }) }) === true ? [nameInFile(name, file)] : [],
  );
  const content: BaselineFile = {
    ...{ kymoBaseline: currentVersion, facts, functions: [...functions.values()] },
    ...(side.isRecorded === undefined ? {} : { recorded: [...new Set(recorded)].sort() }),
    runs: side.runs.map((run, index): FileRun => {
      const columns = functionColumns(run, keys);
      const { buildId, host, command, startedAt, wallSeconds, cpuSeconds } = at(measured, index);
      return {
        measured: {
          buildId,
          host,
          command: plainCommand(command),
          startedAt,
          wallSeconds,
          ...present({ cpuSeconds }),
        },
        ...{ base: run.base, processes: run.processes, locations: run.locations },
        ...present({
          memoryBytes: side.figures.memory?.[index],
          imbalance: side.figures.imbalance?.[index],
          overhead: side.figures.overhead?.[index],
          growth: growthColumn(side.growth?.[index], keys),
        }),
        ...columns,
      };
    }),
  };
  return `${JSON.stringify(content, undefined, 1)}\n`;
}

function fileFunction(region: Region, key: string, root: string): FileFunction {
  const { name, mangledName, file, firstLine: line, paradigm, role } = region;
  const inside = (text: string): string => text.replaceAll(`${root}/`, '');
  return {
    ...{ key: inside(key), name },
    ...present({
      // Of the program itself, this is its path.
      mangledName: mangledName === undefined ? undefined : inside(mangledName),
      file: file === undefined ? undefined : inside(file),
      line,
    }),
    ...{ paradigm, role },
  };
}

function growthColumn(growth: RunGrowth | undefined, keys: readonly string[]): FileRun['growth'] {
  if (growth === undefined) return undefined;
  const { whole, functions } = growth;
  return { whole: rounded(whole), functions: keys.map((key) => rounded(functions.get(key) ?? NaN)) };
}

/** NaN is null in the file. */
function rounded(value: number): number {
  return Number(value.toPrecision(digits));
}

/** Sums over the call paths of each function. */
function functionColumns(
  { callPaths, keys, visits, seconds, doubts }: ComparedRun,
  all: readonly string[],
): Pick<FileRun, 'visits' | 'seconds' | 'doubts'> {
  const position = new Map(all.map((key, index) => [key, index]));
  const sums = (values: Float64Array): readonly number[] => {
    const column = new Float64Array(all.length);
    values.forEach((value, path) => {
      const own = position.get(at(keys, callPaths.region[path] ?? 0)) ?? 0;
      column[own] = atFloat(column, own) + value;
    });
    return Array.from(column, rounded);
  };
  return { visits: sums(visits), seconds: sums(seconds), doubts: sums(doubts) };
}

/**
 * @param file for messages
 * @throws KymoError `baseline-invalid`, which names the place, or `baseline-newer`
 */
export function readBaseline(text: string, file: string): GateSide {
  const content = parsed(text, file);
  const later = laterVersion(content, 'kymoBaseline', currentVersion);
  if (later !== undefined)
    throw new KymoError('baseline-newer', `${file} ${later}. Update Kymo, or measure the baseline again.`, {
      file,
    });
  if (!baselines.describes(content)) {
    const { place, rule } = baselines.mistake;
    throw invalid(file, place, rule);
  }
  const { facts, functions, recorded, runs } = content;
  runs.forEach((run, index) => {
    for (const name of ['visits', 'seconds', 'doubts'] as const)
      if (run[name].length !== functions.length)
        throw invalid(
          file,
          `/runs/${index}/${name}`,
          `must have ${functions.length} numbers, one for each function`,
        );
  });
  const ofAll = <Value>(valueOf: (run: FileRun) => Value | undefined): readonly Value[] | undefined => {
    const known = runs.map(valueOf).filter((value) => value !== undefined);
    return known.length === runs.length ? known : undefined;
  };
  const names = recorded && new Set(recorded);
  return {
    name: file,
    runs: runs.map((run) => comparedRun(run, functions)),
    ...(names === undefined ? {} : { isRecorded: ({ name, file: own }) => names.has(nameInFile(name, own)) }),
    measured: runs.map(({ measured }) => measured),
    facts,
    figures: present({
      memory: ofAll((run) => run.memoryBytes),
      imbalance: ofAll((run) => run.imbalance),
      overhead: ofAll((run) => run.overhead),
      dynamics: ofAll(({ growth }) => (growth === undefined ? undefined : growth.whole - 1)),
    }),
    growth: ofAll(({ growth }) => growth && readGrowth(growth, functions)),
  };
}

function readGrowth(
  { whole, functions }: NonNullable<FileRun['growth']>,
  of: readonly FileFunction[],
): RunGrowth {
  const known = of.flatMap(({ key }, own): readonly [string, number][] => {
    const value = functions[own] ?? null;
    return value === null ? [] : [[key, value]];
  });
  return { whole, functions: new Map(known) };
}

/** Each function is a call path of its own: who calls it is not in the file. */
function comparedRun(run: FileRun, functions: readonly FileFunction[]): ComparedRun {
  const seconds = Float64Array.from(run.seconds);
  return {
    callPaths: {
      count: functions.length,
      parent: new Int32Array(functions.length).fill(-1),
      region: Uint32Array.from(functions.keys()),
    },
    regions: functions.map(({ name, mangledName, file, line, paradigm, role }) => ({
      ...{ name, paradigm, role },
      ...present({ mangledName, file, firstLine: line }),
    })),
    keys: functions.map(({ key }) => key),
    names: functions.map(({ name }) => name),
    visits: Float64Array.from(run.visits),
    ...{ seconds, values: seconds, doubts: Float64Array.from(run.doubts), metric: timeMetric },
    ...{ processes: run.processes, locations: run.locations, base: run.base },
  };
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(file, '', `is not valid JSON (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

function invalid(file: string, place: string, rule: string): KymoError {
  return new KymoError(
    'baseline-invalid',
    `${file} is no baseline of Kymo: ${place === '' ? 'the content' : place} ${rule}. Write it again: kymo gate --save ${file}`,
    { file },
  );
}
