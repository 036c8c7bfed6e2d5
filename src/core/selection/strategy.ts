import type { OverheadKind } from '../cost/overheadModel';

/**
 * How a refinement decides. `hotspot`: the functions that tell most under a target for the overhead of the whole run. The others are
 * performance-dynamics §13.4: `tor` (total overhead reduction) and `por` (prolog overhead reduction) record everything once and then leave
 * out each function whose own overhead is excessive; `agor` (analysis guided) makes a black list that way, and then records only what
 * the analysis asks for next.
 */
export type Strategy = 'hotspot' | OverheadReduction | 'agor';

export type OverheadReduction = 'tor' | 'por';

export const strategies = ['hotspot', 'tor', 'por', 'agor'] as const satisfies readonly Strategy[];
export const overheadReductions = ['tor', 'por'] as const satisfies readonly OverheadReduction[];

/** Measured iterations after which a strategy may be ended by a limit: before, it has not yet done what it is for. */
export const leastIterations: Readonly<Record<Strategy, number>> = { hotspot: 1, tor: 2, por: 2, agor: 3 };

/** Which part of the overhead is tested. */
export const testedOverhead: Readonly<Record<OverheadReduction, OverheadKind>> = {
  tor: 'total',
  por: 'prolog',
};
