import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExtrapModeler, type ExtrapOptions } from '../../../../src/core/modeling/extrap';
import type { CombinationOptions, SearchOptions } from '../../../../src/core/modeling/extrap/options';
import { fractionText, parseFraction } from '../../../../src/core/modeling/fraction';
import type { Formula } from '../../../../src/core/modeling/formula';
import { measuredPoint, type Measure } from '../../../../src/core/modeling/measurements';
import { modelValue, type Model } from '../../../../src/core/modeling/model';
import { oracleRows, pointsOf, type OracleModel, type OracleRun } from './oracle';

/** Rows that the specification leaves out: rounding decides there (performance-models.md, 2.7 and 9). */
const undecided = ['H-first-zero', 'H-mostly-zero', 'A28-n00', 'relearn_data.txt#8'];
const rows = oracleRows()?.filter(({ id }) => !undecided.some((name) => id.includes(name)));

describe.skipIf(rows === undefined)('models of the real Extra-P 4.2.5', () => {
  const compared = (rows ?? []).flatMap((row) =>
    row.runs
      .filter((run) => run.error === undefined && run.ambiguous !== true)
      .map((run) => ({ id: `${row.id} ${JSON.stringify(run.config)}`, row, run })),
  );
  const models = compared.map(({ id, row, run }) => ({
    id,
    run,
    model: modelerOf(run, row.parameters.length).model(pointsOf(row)),
  }));

  const agreeing = models.filter(({ model, run }) => termsOf(model) === oracleTerms(run.model));

  test('are the same terms in at least 99.5 % of the runs where rounding does not decide', () => {
    const others = models.filter(({ model, run }) => termsOf(model) !== oracleTerms(run.model));
    expect(models.length).toBeGreaterThan(1100);
    expect(
      others.length,
      others.map(({ id, model, run }) => `${id}: ${termsOf(model)} for ${oracleTerms(run.model)}`).join('\n'),
    ).toBeLessThanOrEqual(models.length * 0.005);
  });

  test('have the same SMAPE and predictions to a millionth where the terms are the same', () => {
    for (const { id, model, run } of agreeing) {
      expect(Math.abs(model.smape - number(run.smape)), id).toBeLessThanOrEqual(
        1e-6 * Math.abs(model.smape) + 1e-6,
      );
      for (const { point, prediction } of run.extrapolation ?? []) {
        const [value, theirs] = [modelValue(model, point), number(prediction)];
        if (Number.isNaN(theirs)) expect(value, id).toBeNaN();
        else expect(Math.abs(value - theirs), id).toBeLessThanOrEqual(1e-6 * Math.abs(theirs) + 1e-9);
      }
    }
  });

  test('have the same adjusted R² and relative squares to a hundred-thousandth', () => {
    for (const { id, model, run } of agreeing.filter(
      ({ run: { model: theirs } }) => theirs?.kind === 'single',
    )) {
      expect(model.ar2, id).toBeCloseTo(number(run.ar2), 5);
      expect(model.rrss, id).toBeCloseTo(number(run.rrss), 5);
    }
  });
});

describe('the search of Extra-P', () => {
  const points = [2, 4, 8, 16, 32].map((x) => measuredPoint([x], [3 + 2 * x * Math.log2(x)]));

  test('finds a growth of its search space in exact values', () => {
    const model = new ExtrapModeler().model(points);
    expect(termsOf(model)).toBe('0:1,1');
    expect(modelValue(model, [1024])).toBeCloseTo(3 + 2 * 1024 * 10, 6);
  });

  test('refines the integer exponents that it starts from', () => {
    const halves = [2, 4, 8, 16, 32].map((x) => measuredPoint([x], [1 + x ** 1.5]));
    expect(termsOf(new ExtrapModeler('mean', { single: 'refining' }).model(halves))).toBe('0:3/2,0');
  });

  test('splits a series whose behaviour changes', () => {
    const xs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const series = xs.map((x) => measuredPoint([x], [x <= 6 ? 5 + x : 3 * x * x]));
    const model = new ExtrapModeler('mean', { single: 'segmented' }).model(series);
    expect('segments' in model && model.segments.map(({ to, from }) => [from, to])).toEqual([
      [undefined, 6],
      [7, undefined],
    ]);
  });

  test('has no growth where all values are equal, and no logarithm of values below 1', () => {
    expect(termsOf(new ExtrapModeler().model([1, 2, 3].map((x) => measuredPoint([x], [7]))))).toBe('');
    const small = [0.125, 0.25, 0.5, 1, 2].map((x) => measuredPoint([x], [Math.log2(16 * x)]));
    expect(termsOf(new ExtrapModeler().model(small))).not.toContain(',1');
  });

  test('of two parameters combines the growths of both', () => {
    const grid = [2, 4, 8, 16, 32].flatMap((p) =>
      [10, 20, 30, 40, 50].map((n) => measuredPoint([p, n], [1 + p * n * n])),
    );
    expect(termsOf(new ExtrapModeler().model(grid))).toBe('0:1,0*1:2,0');
  });

  test('does not depend on the unit of the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 100, noNaN: true }), { minLength: 5, maxLength: 8 }),
        fc.integer({ min: -20, max: 20 }),
        (ys, power) => {
          const of = (scale: number) =>
            new ExtrapModeler().model(ys.map((y, i) => measuredPoint([2 ** (i + 1)], [y * scale])));
          expect(termsOf(of(2 ** power))).toBe(termsOf(of(1)));
        },
      ),
    );
  });
});

function modelerOf({ config }: OracleRun, parameters: number): ExtrapModeler {
  const measure = config.measure.toLowerCase() as Measure;
  return new ExtrapModeler(measure, parameters > 1 ? combination(config) : single(config));
}

function single({ modeler, options = {} }: OracleRun['config']): ExtrapOptions {
  return { single: singleName(modeler), singleOptions: searchOptions(options) };
}

function combination(config: OracleRun['config']): ExtrapOptions {
  const {
    options = {},
    single_parameter_modeler: modeler = 'Default',
    single_parameter_options: own = {},
  } = config;
  return defined({
    single: singleName(modeler),
    singleOptions: searchOptions(own),
    compareWithRss: options.compare_with_RSS as boolean | undefined,
    sumsAndProducts: options.allow_combinations_of_sums_and_products as boolean | undefined,
    pointSelection: options.single_parameter_point_selection as CombinationOptions['pointSelection'],
  });
}

function singleName(modeler: string): 'default' | 'refining' | 'segmented' {
  return modeler === 'Refining' ? 'refining' : modeler === 'Segmented' ? 'segmented' : 'default';
}

function searchOptions(options: Readonly<Record<string, unknown>>): SearchOptions {
  return defined({
    crossValidation: options.use_crossvalidation as boolean | undefined,
    compareWithRss: options.compare_with_RSS as boolean | undefined,
    minimumTermContribution: options.minimum_term_contribution as number | undefined,
    exponents: options.poly_exponents as string | undefined,
    logExponents: options.log_exponents as string | undefined,
    onlyCombinations: options.force_combination_exponents as boolean | undefined,
    keepDefaults: options.retain_default_exponents as boolean | undefined,
    negativeExponents: options.allow_negative_exponents as boolean | undefined,
    logTerms: options.allow_log_terms as boolean | undefined,
  });
}

/** The options that a run has. */
function defined<Options extends object>(options: {
  [Name in keyof Options]: Options[Name] | undefined;
}): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** Exponents of a model, in an order of their own. */
function termsOf(model: Model): string {
  if ('segments' in model) return model.segments.map(({ formula }) => formulaTerms(formula)).join(' | ');
  return formulaTerms(model.formula);
}

function formulaTerms({ terms }: Formula): string {
  return joined(
    terms.map(({ factors }) =>
      factors.map(
        ({ parameter, exponent, logExponent }) =>
          `${parameter}:${fractionText(exponent)},${fractionText(logExponent)}`,
      ),
    ),
  );
}

function oracleTerms(model: OracleModel | undefined): string {
  if (model?.segments !== undefined) return model.segments.map(oracleTerms).join(' | ');
  return joined(
    (model?.terms ?? []).map(({ factors }) =>
      factors.map(({ param, poly, log }) => `${param}:${reduced(poly)},${reduced(log)}`),
    ),
  );
}

function joined(terms: readonly (readonly string[])[]): string {
  return terms
    .map((factors) => [...factors].sort().join('*'))
    .sort()
    .join('+');
}

function reduced(exponent: string): string {
  const fraction = parseFraction(exponent);
  return fraction === undefined ? exponent : fractionText(fraction);
}

/** Numbers that JSON does not have are texts in the reference. */
function number(value: number | string | undefined): number {
  return Number(value);
}
