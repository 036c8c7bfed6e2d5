import { isRecord, stringsOf, type JsonObject } from './asking/json';

export interface MappedArguments {
  readonly arguments: readonly string[];
  readonly parameters: Readonly<Record<string, readonly (string | number)[]>>;
  readonly ranks?: readonly number[];
}

/**
 * PIRA's argument mappers. On the command line it writes name and value without a blank ("-s " brings its own); `np` of
 * `MPILinear` is the number of processes; of `pira-file`, the name is what the program gets and the value what models see.
 */
export function piraArguments(item: string, argmap: JsonObject, notes: string[]): MappedArguments {
  const { mapper, ...rest } = argmap;
  const fileMap = rest['pira-file'];
  if (isRecord(fileMap)) return filesOf(item, fileMap, notes);
  const isMpi = mapper === 'MPILinear';
  const ranks = isMpi
    ? stringsOf(rest.np)
        .map(Number)
        .filter((count) => Number.isSafeInteger(count) && count > 0)
    : [];
  const named = Object.entries(rest).filter(([name]) => !(isMpi && name === 'np'));
  const words: string[] = [];
  const parameters: Record<string, readonly (string | number)[]> = {};
  for (const [name, values] of named) {
    const list = valuesOf(values);
    if (list.length === 0) {
      notes.push(`${item}: the parameter ${JSON.stringify(name)} has no list of values and is left out.`);
      continue;
    }
    const parameter = parameterName(name, parameters);
    parameters[parameter] = list;
    words.push(...argumentWords(name, parameter));
  }
  if (named.length + (isMpi ? 1 : 0) > 1 && mapper !== 'CartesianProduct')
    notes.push(
      `${item}: the mapper ${String(mapper)} goes through its lists side by side; Kymo measures every combination. Shorten the lists if that is too much.`,
    );
  if (!['Linear', 'CartesianProduct', 'MPILinear'].includes(String(mapper)))
    notes.push(
      `${item}: the mapper ${String(mapper)} is not known; every combination of values is measured.`,
    );
  notes.push(`${item}: check the spelling of the arguments; PIRA left it to the runner functor.`);
  return { arguments: words, parameters, ...(ranks.length === 0 ? {} : { ranks }) };
}

function filesOf(item: string, fileMap: JsonObject, notes: string[]): MappedArguments {
  const names = stringsOf(fileMap.names);
  notes.push(
    `${item}: of "pira-file" the files became the parameter "file"; the values that stand for them in models cannot be taken over.`,
  );
  return names.length === 0
    ? { arguments: [], parameters: {} }
    : { arguments: ['${file}'], parameters: { file: names } };
}

/** `-s ` becomes two words, `--n=` one. */
function argumentWords(name: string, parameter: string): readonly string[] {
  const trimmed = name.trim();
  if (/\s$/.test(name)) return [...trimmed.split(/\s+/), `\${${parameter}}`];
  return [`${trimmed}\${${parameter}}`];
}

function parameterName(name: string, taken: Readonly<Record<string, unknown>>): string {
  const base = name.replace(/[^A-Za-z0-9_]+/g, '').replace(/^[^A-Za-z]+/, '') || 'value';
  let candidate = base === 'ranks' ? 'ranks_' : base.slice(0, 50);
  while (Object.hasOwn(taken, candidate)) candidate += '_';
  return candidate;
}

function valuesOf(values: unknown): readonly (string | number)[] {
  return stringsOf(values)
    .filter((text) => text.trim() !== '')
    .map((text) => (/^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text));
}
