import { at } from '../../at';
import type { Formula } from '../formula';
import type { Measure, MeasuredPoint } from '../measurements';
import type { Model } from '../model';
import type { SingleModel } from './candidates';
import type { CombinationOptions, SingleModelerName } from './options';
import type { SegmentedModel } from './segmented';
import { CombinationSearch } from './several';
import { SingleSearch } from './single';
import type { Value } from './slices';

/** How models are made: of one parameter by `single` with `singleOptions`, of several by all options. */
export type ExtrapOptions = Omit<CombinationOptions, 'single'> & { readonly single?: SingleModelerName };

/** Models as Extra-P 4.2.5 makes them. A modeler serves many series. */
export class ExtrapModeler {
  readonly #single: SingleSearch;
  readonly #combination: CombinationSearch;

  constructor(
    readonly measure: Measure = 'mean',
    { single = 'default', ...options }: ExtrapOptions = {},
  ) {
    this.#single = new SingleSearch(options.singleOptions, single);
    this.#combination = new CombinationSearch({
      ...options,
      single: single === 'segmented' ? 'default' : single,
    });
  }

  /** The model of a series with one point at least. @throws RangeError for values that are no numbers */
  model(points: readonly MeasuredPoint[]): Model {
    const values = points.map((measured) => valueOf(measured, this.measure));
    if (at(values, 0).point.length > 1) return this.#combination.model(values);
    const xs = Float64Array.from(values, ({ point }) => at(point, 0));
    const ys = Float64Array.from(values, ({ y }) => y);
    const model = this.#single.model(xs, ys);
    return 'first' in model ? ofSegments(model) : ofOne(model);
  }
}

function valueOf(measured: MeasuredPoint, measure: Measure): Value {
  const y = measured[measure];
  const isExtreme = measure === 'minimum' || measure === 'maximum';
  return { point: measured.point, y, ...(isExtreme ? { ofMean: y / measured.mean } : {}) };
}

function ofOne(model: SingleModel): Model {
  const { smape, rss, rrss, ar2, re } = model;
  return { formula: formulaOf(model), smape, rss, rrss, ar2, re };
}

function ofSegments({ first, until, second, from, smape, rss, rrss, ar2, re }: SegmentedModel): Model {
  const segments = [
    { to: until, formula: formulaOf(first) },
    { from, formula: formulaOf(second) },
  ];
  return { segments, smape, rss, rrss, ar2, re };
}

function formulaOf({ constant, coefficient, growth }: SingleModel): Formula {
  const terms = growth === undefined ? [] : [{ coefficient, factors: [{ parameter: 0, ...growth }] }];
  return { constant, terms };
}
