import { at, atFloat } from '../../at';
import { isMpiName } from '../../functions/activities';
import { mpiRole } from '../../names/mpiRoles';
import { sumOf } from '../../sums';
import type { ProcessContext } from '../context';
import { type BitSet, commonOf, membersOf } from '../sets/bitSet';
import type { ProcessTimes } from './processTimes';

/** Calls that surely correspond in all processes: a start for comparing these in detail. */
export interface AnchorPoint {
  readonly attribute: number;
  /** Of each process. */
  readonly visits: number;
  /** All take part at once: a collective operation or a barrier. */
  readonly isCollective: boolean;
  /** Callers above. */
  readonly depth: number;
  /** Inclusive, of all processes together. */
  readonly seconds: number;
}

const collectiveRoles = new Set(['barrier', 'one2all', 'all2one', 'all2all', 'other collective']);
const barriers = /^(!\$omp (implicit )?barrier|GOMP_barrier|p?shmem_(barrier|sync)(_all)?)\b/;

/** By name, which is all that an attribute has of its function. */
function isCollective(name: string): boolean {
  // Fortran's names end with an underscore; a program's own `reduce` is no operation of MPI.
  return (isMpiName(name) && collectiveRoles.has(mpiRole(name.replace(/_$/, '')))) || barriers.test(name);
}

/**
 * Attributes of all compared processes with equal visits: collective ones first, then those with the fewest callers above, then those that take longest.
 * None where visits are not counted.
 * @param groups that are compared; default: all
 */
export function anchorPoints(
  { sets, groupOf, attributes }: ProcessContext,
  times: ProcessTimes,
  groups: readonly number[] = [...sets.keys()],
): readonly AnchorPoint[] {
  if (!times.hasVisits || groups.length === 0) return [];
  const chosen = new Set(groups);
  const processes = [...groupOf.keys()].filter((process) => chosen.has(at(groupOf, process)));
  const common = groups.map((group) => at(sets, group)).reduce<BitSet>(commonOf, at(sets, at(groups, 0)));
  return membersOf(common)
    .flatMap((attribute): AnchorPoint[] => {
      const column = times.visitsOf(attribute);
      const visits = atFloat(column, at(processes, 0));
      if (processes.some((process) => atFloat(column, process) !== visits)) return [];
      const inclusive = times.inclusiveOf([attribute]);
      return [
        {
          attribute,
          visits,
          isCollective: isCollective(at(attributes, attribute).callee),
          depth: times.depthOf(attribute),
          seconds: sumOf(Float64Array.from(processes, (process) => atFloat(inclusive, process))),
        },
      ];
    })
    .sort(
      (a, b) =>
        Number(b.isCollective) - Number(a.isCollective) ||
        a.depth - b.depth ||
        b.seconds - a.seconds ||
        a.attribute - b.attribute,
    );
}
