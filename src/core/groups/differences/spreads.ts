import { at, atFloat } from '../../at';
import type { ProcessContext } from '../context';
import { type Percentiles, percentilesOf } from '../percentiles';
import { hasMember } from '../sets/bitSet';
import { membersOfGroups } from '../words';
import type { ProcessTimes } from './processTimes';

/** How unevenly the exclusive time of an attribute is spread over the processes of a group. */
export interface Spread {
  readonly attribute: number;
  /** Accumulated time × relative spread: number of processes × (98th − 2nd percentile). */
  readonly score: number;
  /** Seconds of all processes together. */
  readonly seconds: number;
  readonly percentiles: Percentiles;
}

export function spreadScore(seconds: readonly number[]): Pick<Spread, 'score' | 'percentiles'> {
  const percentiles = percentilesOf(seconds);
  return {
    percentiles,
    score: seconds.length === 0 ? 0 : seconds.length * (percentiles.p98 - percentiles.p2),
  };
}

/** Of each of some groups, the attributes that are spread unevenly, the largest score first. */
export function rankedSpreads(
  context: ProcessContext,
  times: ProcessTimes,
  groups: readonly number[],
): readonly (readonly Spread[])[] {
  const members = membersOfGroups(context);
  const spreads = groups.map((): Spread[] => []);
  context.attributes.forEach((_, attribute) => {
    const having = [...groups.keys()].filter((place) =>
      hasMember(at(context.sets, at(groups, place)), attribute),
    );
    if (having.length === 0) return;
    const column = times.exclusiveOf(attribute);
    for (const place of having) {
      const own = at(members, at(groups, place)).map((process) => atFloat(column, process));
      const { score, percentiles } = spreadScore(own);
      const seconds = own.reduce((sum, value) => sum + value, 0);
      if (score > 0) at(spreads, place).push({ attribute, score, seconds, percentiles });
    }
  });
  return spreads.map((own) =>
    own.sort((a, b) => b.score - a.score || b.seconds - a.seconds || a.attribute - b.attribute),
  );
}
