import { readableModel } from '../../src/core/modeling/formulaText';
import { formatPercent, formatValue } from '../../src/core/format';
import { metricUnit } from '../../src/core/modeling/metricUnit';
import { numberOf, parseFraction, type Fraction } from '../../src/core/modeling/fraction';
import type { Formula } from '../../src/core/modeling/formula';
import type { Property } from '../../src/core/properties/property';
import type { ProfileJson } from '../../src/formats/exports/json';
import { sameNumber } from './numbers';
import { differs, tableAfter } from './texts';

interface Terms {
  readonly constant: number;
  readonly terms: readonly {
    readonly coefficient: number;
    readonly factors: readonly {
      readonly parameter: string;
      readonly exponent: string;
      readonly logExponent: string;
    }[];
  }[];
}

type ModelOutput = {
  readonly callPath: string;
  readonly metric: string;
  readonly smape: number;
  readonly share?: number;
  readonly verdict?: { readonly kind: string; readonly message: string };
  readonly predictions: readonly {
    readonly point: readonly number[];
    readonly value: number;
    readonly low?: number | null;
    readonly high?: number | null;
  }[];
} & (Terms | { readonly segments: readonly (Terms & { readonly from?: number; readonly to?: number })[] });

/** `kymo model --json`. */
export interface ModelsOutput {
  readonly parameters: readonly string[];
  readonly constants: Readonly<Record<string, number | string>>;
  readonly models: readonly ModelOutput[];
  readonly properties: readonly Property[];
  readonly notes: readonly string[];
}

/** What a profile of the study shows, with its values of parameters. */
export interface ProfileAtPoint {
  readonly coordinates: Readonly<Record<string, string>>;
  /** `kymo profile show --per-location --json` */
  readonly perLocation: ProfileJson;
}

/** Where the same models are seen. */
export interface ModelsElsewhere {
  /** `kymo model`, of all models. */
  readonly text: string;
  /** `kymo model --format csv` */
  readonly csv: string;
  readonly profiles: readonly ProfileAtPoint[];
  /** The number of measured points. */
  readonly points: number;
}

/** Models against what they predict, what was measured, and what is printed for people. */
export function modelContradictions(
  output: ModelsOutput,
  { text, csv, profiles, points }: ModelsElsewhere,
): readonly string[] {
  return [
    ...output.models.flatMap((model) => ofModel(model, output)),
    ...ofShares(output),
    ...profiles.flatMap((profile) => ofProfile(profile, output, points)),
    ...ofText(text, output),
    ...sameNumber(
      'models, and lines of their CSV',
      output.models.length,
      csv.trimEnd().split('\n').length - 1,
    ),
    // What grows is what the table is about.
    ...output.properties.flatMap(({ title, kind }) =>
      kind === 'growth' || text.includes(`${title}.`) ? [] : [`“${title}” is not printed`],
    ),
    ...output.notes.flatMap((note) => (text.includes(note) ? [] : [`“${note}” is not printed`])),
  ];
}

function ofModel(model: ModelOutput, { parameters }: ModelsOutput): readonly string[] {
  const what = nameOf(model);
  return model.predictions.flatMap(({ point, value, low, high }) => {
    const at = Object.fromEntries(parameters.map((name, i) => [name, point[i] ?? NaN]));
    const isOutside = (low ?? -Infinity) > value || (high ?? Infinity) < value;
    return [
      ...sameNumber(`${what}: the prediction, and its formula there`, value, valueAt(model, at)),
      ...(isOutside ? [`${what}: ${value} is not between ${String(low)} and ${String(high)}`] : []),
    ];
  });
}

function ofShares({ models }: ModelsOutput): readonly string[] {
  const metrics = [...new Set(models.map(({ metric }) => metric))];
  return metrics.flatMap((metric) => {
    const rows = models.filter((model) => model.metric === metric);
    const total = rows.reduce((sum, model) => sum + Math.max(0, firstValue(model)), 0);
    return rows.flatMap((model) =>
      sameNumber(
        `${nameOf(model)}: share of all predictions, and the prediction`,
        (model.share ?? 0) * total,
        Math.max(0, firstValue(model)),
        total * 1e-9,
      ),
    );
  });
}

/** Visits do not change from run to run: a formula misses them at no point by more than its SMAPE, a mean over all points, allows. */
function ofProfile(
  { coordinates, perLocation }: ProfileAtPoint,
  output: ModelsOutput,
  points: number,
): readonly string[] {
  const isThere = Object.entries(output.constants).every(
    ([name, value]) => coordinates[name] === undefined || coordinates[name] === String(value),
  );
  if (!isThere) return [];
  const at = Object.fromEntries(Object.entries(coordinates).map(([name, text]) => [name, Number(text)]));
  const measured = visitsOf(perLocation);
  return output.models
    .filter(({ metric }) => metric === 'visits')
    .flatMap((model) => {
      const visits = measured.get(model.callPath) ?? 0;
      const value = valueAt(model, at);
      const miss = (200 * Math.abs(value - visits)) / (Math.abs(value) + Math.abs(visits) || 1);
      return miss <= points * model.smape + 1e-4
        ? []
        : [`${nameOf(model)}: ${value} by its formula, ${visits} measured, with a SMAPE of ${model.smape}`];
    });
}

/** Visits of each call path on a location that it is on, on average. */
function visitsOf({ callTree, regions, values }: ProfileJson): ReadonlyMap<string, number> {
  const names: string[] = [];
  return new Map(
    callTree.map(({ parent, region }, path) => {
      const name = regions[region]?.name ?? '';
      names[path] = parent < 0 ? name : `${names[parent] ?? ''}->${name}`;
      const visits = (values.visits!.exclusive[path] as readonly number[]).filter((count) => count > 0);
      return [names[path], visits.reduce((sum, count) => sum + count, 0) / Math.max(1, visits.length)];
    }),
  );
}

function ofText(text: string, { models, parameters }: ModelsOutput): readonly string[] {
  const metrics = [...new Set(models.map(({ metric }) => metric))];
  return metrics.flatMap((metric) => {
    const rows = tableAfter(text.slice(text.indexOf(`${metric}, predicted for`)), /^ *share +/);
    const expected = models.filter((model) => model.metric === metric && firstValue(model) !== 0);
    if (rows.length !== expected.length)
      return [`${rows.length} of ${expected.length} models of ${metric} are printed`];
    return expected.flatMap((model, at) => ofRow(rows[at] ?? {}, model, parameters));
  });
}

function ofRow(
  row: Readonly<Record<string, string>>,
  model: ModelOutput,
  parameters: readonly string[],
): readonly string[] {
  const what = nameOf(model);
  const { verdict, share } = model;
  const value = (number: number): string => formatValue(number, metricUnit(model.metric));
  const own = verdict?.kind === 'clear' ? '' : (verdict?.kind ?? '');
  const isMean = own === 'not-enough-data' || own === 'unusable';
  const shape =
    'segments' in model
      ? model.segments.map((part) => ({ ...part, formula: formulaOf(part, parameters) }))
      : undefined;
  const formula = 'segments' in model ? { constant: 0, terms: [] } : formulaOf(model, parameters);
  const readable = readableModel(
    { formula, ...(shape === undefined ? {} : { segments: shape }) },
    parameters,
    value,
  );
  return [
    ...differs(`${what}: share`, row.share, isMean || share === undefined ? '' : formatPercent(share)),
    ...differs(`${what}: prediction`, row.predicted, isMean ? '' : value(firstValue(model))),
    ...differs(`${what}: SMAPE`, row.SMAPE, `${model.smape.toFixed(1)} %`),
    ...differs(`${what}: formula`, row.model, `${isMean ? 'mean ' : ''}${readable}`),
    ...differs(`${what}: verdict`, row.verdict ?? '', own),
  ];
}

function formulaOf({ constant, terms }: Terms, parameters: readonly string[]): Formula {
  return {
    constant,
    terms: terms.map(({ coefficient, factors }) => ({
      coefficient,
      factors: factors.map(({ parameter, exponent, logExponent }) => ({
        parameter: parameters.indexOf(parameter),
        exponent: exactly(exponent),
        logExponent: exactly(logExponent),
      })),
    })),
  };
}

function valueAt(model: ModelOutput, at: Readonly<Record<string, number>>): number {
  const value = ({ constant, terms }: Terms): number =>
    terms.reduce(
      (sum, { coefficient, factors }) =>
        sum +
        factors.reduce((product, { parameter, exponent, logExponent }) => {
          const x = at[parameter] ?? NaN;
          return product * x ** numberOf(exactly(exponent)) * Math.log2(x) ** numberOf(exactly(logExponent));
        }, coefficient),
      constant,
    );
  if (!('segments' in model)) return value(model);
  const x = Object.values(at)[0] ?? NaN;
  const part = model.segments.find(({ from = -Infinity, to = Infinity }) => from <= x && x <= to);
  return part === undefined ? NaN : value(part);
}

/** `3/2` */
function exactly(text: string): Fraction {
  return parseFraction(text) ?? { numerator: NaN, denominator: 1 };
}

function firstValue({ predictions }: ModelOutput): number {
  return predictions[0]?.value ?? NaN;
}

function nameOf({ callPath, metric }: ModelOutput): string {
  return `${metric} of ${callPath}`;
}
