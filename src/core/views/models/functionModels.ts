import { getOrMake } from '../../getOrMake';
import { at } from '../../at';
import { equalFactors, type Formula, type Segment, type Term } from '../../modeling/formula';
import type { Measure, MeasuredPoint } from '../../modeling/measurements';
import { costsAt } from '../../modeling/model';
import { regionsOf } from '../../modeling/regionsOf';
import type { Verdict } from '../../modeling/verdict';
import { present } from '../../present';
import type { ServedModel } from './servedModels';

/** The least reliable first. */
const verdicts: readonly Verdict['kind'][] = [
  'unusable',
  'not-enough-data',
  'does-not-fit',
  'noise-too-large',
  'ambiguous',
  'two-regimes',
  'clear',
];

/** Models of functions: of each metric the sum over the call paths that end with the function, in the order of their first ones. */
export function functionModels(models: readonly ServedModel[], measure: Measure): readonly ServedModel[] {
  const paths = new Map<string, ServedModel[]>();
  for (const model of models) {
    const name = regionsOf(model.callPath).at(-1) ?? '';
    getOrMake(paths, `${model.metric}\n${name}`, () => []).push({ ...model, callPath: name });
  }
  return [...paths.values()].map((all) => (all.length === 1 ? at(all, 0) : sumOf(all, measure)));
}

function sumOf(models: readonly ServedModel[], measure: Measure): ServedModel {
  const { callPath, metric } = at(models, 0);
  const measured = sumsOf(models);
  const predict: ServedModel['predict'] = (point) => {
    const all = models.map((model) => model.predict(point));
    // As if all errors had the same direction: the true range is not wider.
    const sum = (of: (one: (typeof all)[number]) => number | undefined): number | undefined =>
      all.reduce<number | undefined>((total, one) => {
        const value = of(one);
        return total === undefined || value === undefined ? undefined : total + value;
      }, 0);
    return {
      value: sum(({ value }) => value) ?? NaN,
      ...present({ low: sum(({ low }) => low), high: sum(({ high }) => high) }),
    };
  };
  const segments = sumOfSegments(models);
  const formula = at(segments, 0).formula;
  const ys = Float64Array.from(measured, (one) => one[measure]);
  const factors = formula.terms.reduce((count, term) => count + term.factors.length, 0);
  const { smape, ar2 } = costsAt(
    measured.map(({ point }) => predict(point).value),
    ys,
    factors,
  );
  const worst = [...models].sort(
    (a, b) => verdicts.indexOf(a.verdict?.kind ?? 'clear') - verdicts.indexOf(b.verdict?.kind ?? 'clear'),
  );
  const expected = models
    .flatMap((model) => model.expected ?? [])
    .reduce<ServedModel['expected']>(
      (most, one) => (one.worse > (most?.worse ?? -1) ? one : most),
      undefined,
    );
  return {
    callPath,
    metric,
    callPaths: models.length,
    formula,
    ...(segments.length > 1 && { segments }),
    ...present({ verdict: worst[0]?.verdict, noise: noiseOf(measured), expected }),
    smape,
    ar2,
    measured,
    predict,
  };
}

/** What was measured of any of the call paths: at points that one of them lacks, the program did not call the function by it. */
function sumsOf(models: readonly ServedModel[]): readonly MeasuredPoint[] {
  const points = new Map<string, MeasuredPoint[]>();
  for (const { measured } of models)
    for (const one of measured) getOrMake(points, one.point.join(), () => []).push(one);
  return [...points.values()].map((all) => {
    const add = (of: (one: MeasuredPoint) => number): number => all.reduce((sum, one) => sum + of(one), 0);
    const repetitions = Math.max(...all.map((one) => one.repetitions));
    const values = at(all, 0).values?.map((_, repetition) => add((one) => one.values?.[repetition] ?? NaN));
    return {
      point: at(all, 0).point,
      mean: add(({ mean }) => mean),
      median: add(({ median }) => median),
      minimum: add(({ minimum }) => minimum),
      maximum: add(({ maximum }) => maximum),
      deviation: Math.sqrt(add(({ deviation }) => deviation ** 2)),
      repetitions,
      ...(values?.every(Number.isFinite) === true && { values }),
    };
  });
}

/** Standard deviation of repetitions relative to their mean, of all points together. */
function noiseOf(measured: readonly MeasuredPoint[]): number | undefined {
  const shares = measured.flatMap(({ repetitions, deviation, mean }) =>
    repetitions > 1 && mean > 0 ? [deviation / mean] : [],
  );
  if (shares.length === 0) return undefined;
  return Math.sqrt(shares.reduce((sum, share) => sum + share ** 2, 0) / shares.length);
}

/** The formulas of all parts of the range in which no model changes. */
function sumOfSegments(models: readonly ServedModel[]): readonly Segment[] {
  return models.reduce<readonly Segment[]>(
    (sum, { formula, segments = [{ formula }] }) =>
      sum.flatMap((one) =>
        segments.flatMap((other) => {
          const from = largest(one.from, other.from);
          const to = smallest(one.to, other.to);
          if (from !== undefined && to !== undefined && from > to) return [];
          return [{ ...present({ from, to }), formula: sumOfFormulas(one.formula, other.formula) }];
        }),
      ),
    [{ formula: { constant: 0, terms: [] } }],
  );
}

function largest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

function smallest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function sumOfFormulas(one: Formula, other: Formula): Formula {
  const terms = [...one.terms];
  for (const term of other.terms) {
    const same = terms.findIndex((candidate) => growsAlike(candidate, term));
    const before = terms[same];
    if (before === undefined) terms.push(term);
    else terms[same] = { ...before, coefficient: before.coefficient + term.coefficient };
  }
  return { constant: one.constant + other.constant, terms };
}

function growsAlike({ factors }: Term, other: Term): boolean {
  return (
    factors.length === other.factors.length &&
    factors.every((factor) => other.factors.some((candidate) => equalFactors(factor, candidate)))
  );
}
