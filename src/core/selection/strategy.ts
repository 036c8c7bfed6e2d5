import type { OverheadKind } from '../cost/overheadModel';

/**
 * How a refinement decides. `hotspot`: the most informative functions under a target for the overhead of the whole run. The others are
 * performance-dynamics §13.4: `tor` (total overhead reduction) and `por` (prolog overhead reduction) record everything once and then leave
 * out each function whose own overhead is excessive; `agor` (analysis guided) makes a black list that way, and then records only what
 * the analysis asks for next. `imbalance` is PIRA's LIDe: from the entry function down to what is unbalanced over ranks and threads.
 * `model` is PIRA II: what matters at a larger point by performance models, which each round measures at all points of a study.
 */
export type Strategy = 'hotspot' | OverheadReduction | 'agor' | 'imbalance' | 'model';

export type OverheadReduction = 'tor' | 'por';

export const strategies = [
  'hotspot',
  'tor',
  'por',
  'agor',
  'imbalance',
  'model',
] as const satisfies readonly Strategy[];
export const overheadReductions = ['tor', 'por'] as const satisfies readonly OverheadReduction[];

/** Measured rounds after which a limit may end a strategy: before, it has not yet done what it is for. */
export const leastRounds: Readonly<Record<Strategy, number>> = {
  hotspot: 1,
  tor: 2,
  por: 2,
  agor: 3,
  imbalance: 2,
  model: 2,
};

/** Strategies whose first run records everything, so that its times are disturbed. */
export function recordsEverything(strategy: Strategy): boolean {
  return !['hotspot', 'imbalance', 'model'].includes(strategy);
}

/** The part of the overhead that is tested. */
export const testedOverhead: Readonly<Record<OverheadReduction, OverheadKind>> = {
  tor: 'total',
  por: 'prolog',
};
