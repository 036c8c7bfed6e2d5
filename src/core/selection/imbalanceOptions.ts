/** Measure of imbalance over ranks and threads (instrumentation-refinement §2.8); `core/strategies/imbalance/metric.ts` has the formulas. */
export const imbalanceMetrics = ['imbalance-percentage', 'efficiency', 'variation'] as const;
export type ImbalanceMetric = (typeof imbalanceMetrics)[number];

/** Which functions around an unbalanced one are recorded with it. */
export const imbalanceContexts = [
  'none',
  /** All functions on any path from the entry function to it. */
  'all-paths',
  /** Of these, those that runs have recorded. */
  'major-paths',
  /** Of the recorded ones, those that lead to it in at most `contextSteps` calls. */
  'major-parents',
  /** Functions that call MPI where others may wait for it, below the nearest balanced functions that lead to it. */
  'synchronisation',
] as const;
export type ImbalanceContext = (typeof imbalanceContexts)[number];

/** Least statements (with callees) of a callee that is looked into. */
export const childRelevances = [
  'all',
  /** `childConstantThreshold` */
  'constant',
  /** `childFraction` of the statements of its caller, and at least the constant. */
  'relative-to-parent',
  /** `childFraction` of the statements of the entry function, and at least the constant. */
  'relative-to-main',
] as const;
export type ChildRelevance = (typeof childRelevances)[number];

/** Parameters of the strategy `imbalance`: PIRA’s LIDe. */
export interface ImbalanceOptions {
  readonly metric: ImbalanceMetric;
  /** From this value of the metric on a function is unbalanced; 1 is perfect for `efficiency`, 0 for the others. */
  readonly imbalanceThreshold: number;
  /** Least inclusive share (0…1) of the entry function's time of a function that is looked at. */
  readonly relevanceThreshold: number;
  readonly childRelevance: ChildRelevance;
  readonly childConstantThreshold: number;
  readonly childFraction: number;
  readonly context: ImbalanceContext;
  readonly contextSteps: number;
}

/** As PIRA suggests to begin with; the constant is the least number of statements that Kymo's static selection takes. */
export const defaultImbalanceOptions: ImbalanceOptions = {
  metric: 'imbalance-percentage',
  imbalanceThreshold: 0.05,
  relevanceThreshold: 0.05,
  childRelevance: 'constant',
  childConstantThreshold: 10,
  childFraction: 0.001,
  context: 'major-paths',
  contextSteps: 2,
};

/** Default threshold of a metric: 5 % off. */
export function defaultImbalanceThreshold(metric: ImbalanceMetric): number {
  const { imbalanceThreshold } = defaultImbalanceOptions;
  return metric === 'efficiency' ? 1 + imbalanceThreshold : imbalanceThreshold;
}
