/**
 * How a parameter is extrapolated: `linear` adds the mean difference of its values, as PIRA II does; `geometric` multiplies by their mean
 * ratio; a number is the value itself.
 */
export const extrapolations = ['linear', 'geometric'] as const;
export type Extrapolation = (typeof extrapolations)[number] | number;

/** How values of several call paths become one of their function; all but `sum` as PIRA offers them. */
export const aggregations = ['sum', 'maximum', 'average', 'first'] as const;
export type Aggregation = (typeof aggregations)[number];

/** What the predicted time of a function must reach. */
export const keepRules = [
  /** `threshold`: share (0…1) of the predicted time of all functions */
  'share',
  /** `threshold`: seconds, as in PIRA II */
  'seconds',
  /** It grows faster than `growth`, more probably than not. */
  'growth',
] as const;
export type KeepRule = (typeof keepRules)[number];

export const constantRules = ['keep', 'drop'] as const;

/** Parameters of the strategy `model` (instrumentation-refinement §2.7 and §6.2). */
export interface ModelOptions {
  /** By parameter, `ranks` or `threads`; default: `linear` for parameters, `geometric` for numbers of ranks and threads. */
  readonly extrapolate: Readonly<Record<string, Extrapolation>>;
  readonly keep: KeepRule;
  /** Least share or seconds. */
  readonly threshold: number;
  /** Rule `growth`: such as `O(n log n)`, with the names of the study's parameters. */
  readonly growth: string;
  /** `drop`: functions with a constant model are not kept, whatever they take. */
  readonly constants: (typeof constantRules)[number];
  readonly aggregate: Aggregation;
  /** Mode `filter-and-expand`: least statements, with callees, of a callee without a model that is looked into. */
  readonly statements: number;
}

/** The share is that from which `hotspot` calls a function hot, the seconds are PIRA's, and the statements those of the static selection. */
export const defaultModelOptions: ModelOptions = {
  extrapolate: {},
  keep: 'share',
  threshold: 0.02,
  growth: 'O(1)',
  constants: 'keep',
  aggregate: 'sum',
  statements: 10,
};

const defaultSeconds = 2.1;

export function defaultModelThreshold(keep: KeepRule): number {
  return keep === 'seconds' ? defaultSeconds : defaultModelOptions.threshold;
}
