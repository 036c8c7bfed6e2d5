import { at } from '../../core/at';
import type { StudyDraft } from './asking/draft';
import { isRecord, stringsOf, type JsonObject } from './asking/json';

export interface MappedArguments {
  readonly arguments: readonly string[];
  /** The first value of each parameter, which a refinement measures. */
  readonly parameters: Readonly<Record<string, readonly [string | number]>>;
  /** The first number of ranks. */
  readonly ranks?: readonly [number];
  /** What PIRA measures with Extra-P; absent if it is one point only. */
  readonly study?: StudyDraft;
}

/** A list of values, and the words of the command line in which they stand. */
interface Mapped {
  readonly name: string;
  readonly values: readonly [string | number, ...(string | number)[]];
  readonly words: readonly string[];
}

/**
 * PIRA's argument mappers. On the command line it writes name and value without a blank ("-s " brings its own). `Linear` goes through its
 * lists side by side, `CartesianProduct` through all pairs, and `MPILinear` is `Linear` with each number of processes `np`. Of `pira-file`
 * the program gets the names, and models the values beside them.
 */
export function piraArguments(item: string, argmap: JsonObject, notes: string[]): MappedArguments {
  const { mapper, 'pira-file': fileMap, ...rest } = argmap;
  const ofFiles = isRecord(fileMap);
  const { np, names: fileNames, ...lists }: JsonObject = ofFiles ? fileMap : { ...rest, names: undefined };
  const isMpi = mapper === 'MPILinear';
  const ranks = isMpi ? stringsOf(np).map(Number).filter(isCount) : [];
  const known = ['Linear', 'CartesianProduct', 'MPILinear'].includes(String(mapper));
  if (!known)
    notes.push(
      `${item}: the mapper ${String(mapper)} is not known; every combination of values is measured.`,
    );
  const plain = isMpi || np === undefined ? lists : { np, ...lists };
  const named = mappedLists(item, { ...(ofFiles ? { file: fileNames } : {}), ...plain }, ofFiles, notes);
  const lengths = new Set(named.map(({ values }) => values.length));
  const isSideBySide = known && mapper !== 'CartesianProduct' && named.length > 1;
  if (isSideBySide && lengths.size > 1)
    notes.push(
      `${item}: ${String(mapper)} needs lists of one length, and these differ; every combination of values is measured.`,
    );
  notes.push(`${item}: check the spelling of the arguments; PIRA left it to the runner functor.`);
  const study = studyOf(named, ranks, isSideBySide && lengths.size === 1);
  const [firstRanks] = ranks;
  return {
    arguments: named.flatMap(({ words }) => words),
    parameters: Object.fromEntries(named.map(({ name, values: [first] }) => [name, [first]])),
    ...(firstRanks === undefined ? {} : { ranks: [firstRanks] }),
    ...(study === undefined ? {} : { study }),
  };
}

function studyOf(
  lists: readonly Mapped[],
  ranks: readonly number[],
  isSideBySide: boolean,
): StudyDraft | undefined {
  const length = lists[0]?.values.length ?? 1;
  if (ranks.length < 2 && lists.every(({ values }) => values.length === 1)) return undefined;
  if (isSideBySide && ranks.length > 1) {
    const row = (position: number): Readonly<Record<string, string | number>> =>
      Object.fromEntries(lists.map(({ name, values }) => [name, at(values, position)]));
    const rows = Array.from({ length }, (_, position) => row(position));
    return { points: ranks.flatMap((count) => rows.map((values) => ({ ranks: count, ...values }))) };
  }
  return {
    parameters: Object.fromEntries(lists.map(({ name, values }) => [name, values])),
    ...(ranks.length > 0 ? { ranks } : {}),
    ...(isSideBySide ? { design: 'linear' } : {}),
  };
}

function mappedLists(item: string, lists: JsonObject, ofFiles: boolean, notes: string[]): readonly Mapped[] {
  const mapped: Mapped[] = [];
  for (const [written, list] of Object.entries(lists)) {
    const [first, ...others] = valuesOf(list);
    if (first === undefined) {
      notes.push(`${item}: the parameter ${JSON.stringify(written)} has no list of values and is left out.`);
      continue;
    }
    const name = parameterName(written, new Set(mapped.map((one) => one.name)));
    // Beside files, values are for models only.
    const words = !ofFiles ? argumentWords(written, name) : written === 'file' ? ['${file}'] : [];
    mapped.push({ name, values: [first, ...others], words });
  }
  return mapped;
}

/** `-s ` becomes two words, `--n=` one. */
function argumentWords(name: string, parameter: string): readonly string[] {
  const trimmed = name.trim();
  if (/\s$/.test(name)) return [...trimmed.split(/\s+/), `\${${parameter}}`];
  return [`${trimmed}\${${parameter}}`];
}

function parameterName(name: string, taken: ReadonlySet<string>): string {
  const base = name.replace(/[^A-Za-z0-9_]+/g, '').replace(/^[^A-Za-z]+/, '') || 'value';
  let candidate = base === 'ranks' ? 'ranks_' : base.slice(0, 50);
  while (taken.has(candidate)) candidate += '_';
  return candidate;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function valuesOf(values: unknown): readonly (string | number)[] {
  return stringsOf(values)
    .filter((text) => text.trim() !== '')
    .map((text) => (/^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text));
}
