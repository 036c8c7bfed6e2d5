import type { OverheadKind } from '../cost/overheadModel';

/**
 * How a refinement decides. `hotspot`: the most informative functions under a target for the overhead of the whole run. The others are
 * performance-dynamics §13.4: `tor` (total overhead reduction) and `por` (prolog overhead reduction) record everything once and then leave
 * out each function whose own overhead is excessive; `agor` (analysis guided) makes a black list that way, and then records only what
 * the analysis asks for next.
 */
export type Strategy = 'hotspot' | OverheadReduction | 'agor';

export type OverheadReduction = 'tor' | 'por';

export const strategies = ['hotspot', 'tor', 'por', 'agor'] as const satisfies readonly Strategy[];
export const overheadReductions = ['tor', 'por'] as const satisfies readonly OverheadReduction[];

/** Measured rounds after which a limit may end a strategy: before, it has not yet done what it is for. */
export const leastRounds: Readonly<Record<Strategy, number>> = { hotspot: 1, tor: 2, por: 2, agor: 3 };

/** The part of the overhead that is tested. */
export const testedOverhead: Readonly<Record<OverheadReduction, OverheadKind>> = {
  tor: 'total',
  por: 'prolog',
};
