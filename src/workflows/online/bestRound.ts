import type { Knowledge } from '../../core/knowledge/knowledge';
import { selectedKeys, type Selection } from '../../core/selection/selection';

/** What a round recorded, and what that cost. */
export interface TriedRound {
  readonly index: number;
  readonly selection: Selection;
  readonly overheadPercent: number;
}

/** A round is better than a later one when its functions have this part more of the time; less is noise. */
const clearly = 0.02;

/**
 * The round to end with: of those that held the target, the one whose functions have the most time of their own, by all that is known now. A program that
 * does other things now and then gives rounds of different worth, so it need not be the last one. Of rounds that are alike, it is the last.
 * @returns undefined when no round held the target
 */
export function bestRound(
  rounds: readonly TriedRound[],
  { functions, runSeconds }: Pick<Knowledge, 'functions' | 'runSeconds'>,
  targetPercent: number,
): TriedRound | undefined {
  const seconds = ({ selection }: TriedRound): number =>
    selectedKeys(selection).reduce((sum, key) => sum + (functions.get(key)?.exclusiveSeconds ?? 0), 0);
  const held = rounds.filter(({ overheadPercent }) => overheadPercent <= targetPercent);
  const most = Math.max(...held.map(seconds));
  return held.filter((round) => seconds(round) >= most - clearly * runSeconds).at(-1);
}
