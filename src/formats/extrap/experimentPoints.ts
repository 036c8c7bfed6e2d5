import { at } from '../../core/at';
import { invalidFile, quoted } from './errors';

/** An experiment with the values of its parameters; a text that is no number must be the same everywhere, or follow from the numbers. */
export interface ParameterValues<Experiment> {
  readonly experiment: Experiment;
  /** Path for messages. */
  readonly file: string;
  readonly parameters: ReadonlyMap<string, number | string>;
}

export interface ExperimentPoints<Experiment> {
  /** Parameters with several values, in the order of the first experiment. */
  readonly parameters: readonly string[];
  /** Parameters that are the same everywhere. */
  readonly constants: ReadonlyMap<string, number | string>;
  /** By their values; each has its repetitions. */
  readonly points: readonly {
    readonly point: readonly number[];
    readonly experiments: readonly Experiment[];
  }[];
}

/**
 * Which experiments are repetitions, and of which points. Parameters with one value only are none for models.
 * @throws KymoError `measurements-invalid` when experiments have different parameters, and when none has several values
 */
export function experimentPoints<Experiment>(
  experiments: readonly [ParameterValues<Experiment>, ...ParameterValues<Experiment>[]],
): ExperimentPoints<Experiment> {
  const [first] = experiments;
  const names = [...first.parameters.keys()];
  for (const { file, parameters } of experiments)
    if (parameters.size !== names.length || !names.every((name) => parameters.has(name)))
      throw invalidFile(
        file,
        `the parameters ${quoted(names.join(', '))}, as in ${first.file}, were expected, but ${quoted([...parameters.keys()].join(', '))} were found`,
      );
  const changing = names.filter((name) =>
    experiments.some(({ parameters }) => parameters.get(name) !== first.parameters.get(name)),
  );
  const varied = withoutNamesOfValues(experiments, changing);
  if (changing.length === 0)
    throw invalidFile(
      first.file,
      `no parameter has several values (${names.map((name) => `${name} is ${first.parameters.get(name) ?? ''}`).join(', ')}); measure with other values, too`,
    );
  const points = new Map<string, { readonly point: readonly number[]; readonly experiments: Experiment[] }>();
  for (const { file, parameters, experiment } of experiments) {
    const point = varied.map((name) => numberIn(parameters.get(name), name, file));
    const key = point.join(' ');
    const known = points.get(key);
    if (known === undefined) points.set(key, { point, experiments: [experiment] });
    else known.experiments.push(experiment);
  }
  return {
    parameters: varied,
    constants: new Map([...first.parameters].filter(([name]) => !changing.includes(name))),
    points: [...points.values()].sort((a, b) => comparePoints(a.point, b.point)),
  };
}

/** Texts that follow from the numbers, such as the input file for a size, say nothing more to models. */
function withoutNamesOfValues(
  experiments: readonly ParameterValues<unknown>[],
  changing: readonly string[],
): readonly string[] {
  const numbers = changing.filter((name) =>
    experiments.every(({ parameters }) => typeof parameters.get(name) === 'number'),
  );
  const texts = changing.filter((name) => !numbers.includes(name));
  const seen = new Map<string, string>();
  const follow = experiments.every(({ parameters }) => {
    const key = numbers.map((name) => parameters.get(name)).join(' ');
    const text = JSON.stringify(texts.map((name) => parameters.get(name)));
    const known = seen.get(key);
    seen.set(key, text);
    return known === undefined || known === text;
  });
  return follow ? numbers : changing;
}

function numberIn(value: number | string | undefined, name: string, file: string): number {
  if (typeof value === 'number') return value;
  throw invalidFile(
    file,
    `a number was expected as ${name}, which has several values, but ${quoted(value ?? '')} was found`,
  );
}

function comparePoints(one: readonly number[], other: readonly number[]): number {
  const position = one.findIndex((value, at) => value !== other[at]);
  return position < 0 ? 0 : at(one, position) - at(other, position);
}
