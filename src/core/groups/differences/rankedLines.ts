import { at } from '../../at';
import { counted, formatCount, formatPercent, formatSeconds } from '../../format';
import type { ProcessContext } from '../context';
import { capitalised, listOf, pairText, processNoun, type ProcessNames } from '../words';
import type { AnchorPoint } from './anchors';
import type { Block } from './blocks';
import type { Spread } from './spreads';

/** Lines for people on what was ranked, the same ones wherever they stand. */
export interface RankedLines {
  /** `Rank 2, not ranks 1, 3–4: work → repair; 11.9 ms inclusive, 1 of 19 pairs (5.3 %)` */
  readonly block: (block: Block) => string;
  /** `work → solve: 0.4 s to 0.9 s exclusive, 2.1 s together` */
  readonly spread: (spread: Pick<Spread, 'attribute' | 'percentiles' | 'seconds'>) => string;
  /** `work → MPI_Barrier: 30 visits of each rank, 1.2 s inclusive of all together` */
  readonly anchor: (anchor: AnchorPoint) => string;
}

export function rankedLines(
  { attributes, kind, processes }: Pick<ProcessContext, 'attributes' | 'kind' | 'processes'>,
  names: readonly ProcessNames[],
): RankedLines {
  const called = new Set(attributes.flatMap(({ caller, callee }) => (caller === undefined ? [] : [callee])));
  const textOf = (attribute: number): string => {
    const pair = at(attributes, attribute);
    // Others call it too: threads in traces begin with the parallel region that another thread calls.
    const isBeginning = kind === 'pairs' && pair.caller === undefined && called.has(pair.callee);
    return pairText(pair) + (isBeginning ? ' (without a caller)' : '');
  };
  const noun = processNoun(processes);
  return {
    block: ({ group, without, attributes: own, share, seconds }) => {
      const who = `${capitalised(at(names, group).text)}, not ${at(names, without).text}`;
      const time = seconds === undefined ? '' : `${formatSeconds(seconds)} inclusive, `;
      const all = Math.round(own.length / share);
      const part = `${own.length} of ${counted(all, kind === 'pairs' ? 'pair' : 'function')} (${formatPercent(share)})`;
      return `${who}: ${listOf(own, textOf, 3)}; ${time}${part}`;
    },
    spread: ({ attribute, percentiles: { p2, p98 }, seconds }) =>
      `${textOf(attribute)}: ${formatSeconds(p2)} to ${formatSeconds(p98)} exclusive, ${formatSeconds(seconds)} together`,
    anchor: ({ attribute, visits, seconds }) =>
      `${textOf(attribute)}: ${formatCount(visits)} ${visits === 1 ? 'visit' : 'visits'} of each ${noun}, ${formatSeconds(seconds)} inclusive of all together`,
  };
}
