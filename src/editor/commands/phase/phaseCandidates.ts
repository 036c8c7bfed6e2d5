import { byShare } from '../../../core/functions/shareOrder';
import type { FunctionRow } from '../../../core/functions/functionRow';

const byInclusive = byShare('inclusiveShare');

/** Of the run time: what takes less is no time-step loop. */
const leastShare = 0.01;
/** More are no help in choosing. */
const mostCandidates = 200;

/** Functions that run at least twice, those that take most of the run time first; of equals the one that is called least. */
export function phaseCandidates(functions: readonly FunctionRow[]): readonly FunctionRow[] {
  return functions
    .filter(({ visits = 0, inclusiveShare = 0 }) => visits >= 2 && inclusiveShare >= leastShare)
    .sort((a, b) => byInclusive(a, b) || (a.visits ?? 0) - (b.visits ?? 0))
    .slice(0, mostCandidates);
}
