import { at } from '../../core/at';
import { KymoError } from '../../core/errors';
import { formatPercent } from '../../core/format';
import { functionRows } from '../../core/groups/clusters/timeClusters';
import { representative } from '../../core/groups/clusters/representative';
import { readingOptions, type Comparison } from '../../core/groups/comparison/compareGroups';
import { anchorPoints } from '../../core/groups/differences/anchors';
import { differingBlocks, type BlockOrder } from '../../core/groups/differences/blocks';
import { rankedLines } from '../../core/groups/differences/rankedLines';
import { groupNames, readDifference } from '../../core/groups/differences/readings';
import { rankedSpreads } from '../../core/groups/differences/spreads';
import { temporalSimilarities } from '../../core/groups/temporal';
import { capitalised } from '../../core/groups/words';
import type { GroupDetails } from '../../core/views/groupSummary';

export interface DetailsAsked {
  /** Positions of groups; the same one twice: the group by itself. */
  readonly one: number;
  readonly other: number;
  readonly order: BlockOrder;
}

/** More lines are nothing that people read beside a picture; `kymo groups --json` has all. */
const mostLines = 12;

/** @throws KymoError `no-such-group` */
export function groupDetails(comparison: Comparison, { one, other, order }: DetailsAsked): GroupDetails {
  const { groups, comparable } = comparison;
  if (one >= groups.sets.length || other >= groups.sets.length)
    throw new KymoError('no-such-group', 'The comparison does not have these groups. Group again.');
  if (one === other) return within(comparison, one);
  const { times } = comparison;
  const options = readingOptions(comparison);
  const lines = rankedLines(groups, groupNames(groups, options));
  const anchors = times === undefined ? [] : anchorPoints(groups, times, [one, other]);
  if (comparable.step === 'equality')
    return { title: 'Only equal processes are grouped: how groups differ is not compared.', lists: [] };
  return {
    title: readDifference(groups, { a: one, b: other }, options).sentence,
    lists: [
      ...list(
        times === undefined
          ? 'What only one of both calls'
          : 'What only one of both calls (times with callees and waiting)',
        differingBlocks(groups, times)(one, other, order).map((block) => lines.block(block)),
      ),
      ...list(
        'Calls that both make equally often',
        anchors.map((anchor) => lines.anchor(anchor)),
      ),
    ],
  };
}

/** How alike the members of a group are. */
function within(comparison: Comparison, group: number): GroupDetails {
  const { groups, clustering, times } = comparison;
  const { processes, similarity } = at(clustering.clusters, group);
  const names = groupNames(groups, readingOptions(comparison));
  const lines = rankedLines(groups, names);
  const name = capitalised(at(names, group).text);
  if (processes.length === 1) return { title: `${name} is alone in its group.`, lists: [] };
  const alike =
    similarity.least < 1
      ? `call nearly the same: at least ${formatPercent(similarity.least)} of what most of them call`
      : 'call the same';
  if (times === undefined) return { title: `${name} ${alike}.`, lists: [] };
  const rows = functionRows(groups, times);
  const standsFor = representative(
    { processes: times.totals.length, rows: times.exclusiveRows() },
    processes,
  );
  const { mean } = temporalSimilarities(rows, processes, standsFor);
  const [spreads = []] = rankedSpreads(groups, times, [group]);
  return {
    title: `${name} ${alike}, and spend their time ${formatPercent(mean)} alike on average.`,
    lists: list('Times that differ most, 2nd to 98th percentile', spreads.map(lines.spread)),
  };
}

function list(title: string, lines: readonly string[]): GroupDetails['lists'] {
  return lines.length === 0 ? [] : [{ title, lines: lines.slice(0, mostLines) }];
}
