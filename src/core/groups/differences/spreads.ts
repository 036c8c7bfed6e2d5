import { at, atFloat } from '../../at';
import type { ProcessContext } from '../context';
import { type Percentiles, percentilesOf } from '../percentiles';
import { membersOf } from '../sets/bitSet';
import { membersOfGroups } from '../words';
import type { ProcessTimes } from './processTimes';

/** How unevenly the exclusive time of an attribute is spread over the processes of a group. */
export interface Spread {
  readonly attribute: number;
  /** Accumulated time × relative spread: number of processes × (98th − 2nd percentile). */
  readonly score: number;
  /** Seconds of all processes together. */
  readonly sum: number;
  readonly percentiles: Percentiles;
}

export function spreadScore(seconds: readonly number[]): Pick<Spread, 'score' | 'percentiles'> {
  const percentiles = percentilesOf(seconds);
  return {
    percentiles,
    score: seconds.length === 0 ? 0 : seconds.length * (percentiles.p98 - percentiles.p2),
  };
}

/** The attributes of a group, the largest score first. */
export function rankedSpreads(
  context: ProcessContext,
  group: number,
  times: ProcessTimes,
): readonly Spread[] {
  const members = at(membersOfGroups(context), group);
  return membersOf(at(context.sets, group))
    .map((attribute): Spread => {
      const column = times.exclusiveOf(attribute);
      const seconds = members.map((process) => atFloat(column, process));
      return { attribute, ...spreadScore(seconds), sum: seconds.reduce((sum, value) => sum + value, 0) };
    })
    .sort((a, b) => b.score - a.score || b.sum - a.sum || a.attribute - b.attribute);
}
