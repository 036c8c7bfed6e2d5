import { byShare } from '../../../core/functions/shareOrder';
import type { FunctionRow } from '../../../core/functions/functionRow';

const byInclusive = byShare('inclusiveShare');

/** Share of the run time below which a function is no time-step loop. */
const leastShare = 0.01;
/** Maximum number of candidates. */
const mostCandidates = 200;

/** Functions that run at least twice, ordered by share of the run time; of equal shares the one with fewer calls first. */
export function phaseCandidates(functions: readonly FunctionRow[]): readonly FunctionRow[] {
  return functions
    .filter(({ visits = 0, inclusiveShare = 0 }) => visits >= 2 && inclusiveShare >= leastShare)
    .sort((a, b) => byInclusive(a, b) || (a.visits ?? 0) - (b.visits ?? 0))
    .slice(0, mostCandidates);
}
