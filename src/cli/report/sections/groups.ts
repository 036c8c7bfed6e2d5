import { groupsHeading } from '../../../core/groups/comparison/heading';
import { graphSvg } from '../../../core/groups/graph/svg';
import { drawnGraph } from '../../../workflows/grouping/groupGraph';
import { groupsOf, reportOf } from '../../../workflows/groups';
import { groupRankings, groupRows, mostLines } from '../../terminal/groupsText';
import { listBlock, tableBlock, texts, type Section } from '../base/document';
import type { Reported } from '../base/reported';

/** Which processes and threads do the same; undefined for a run of one. */
export function groupsSection({ run }: Reported): Section | undefined {
  if (run === undefined || run.profile.locations.length < 2) return undefined;
  const inputs = [{ run: run.origin.run, measured: run.measured }];
  const order = 'time';
  const comparison = groupsOf(inputs, { kind: 'pairs', order });
  const report = reportOf(inputs, comparison, { kind: 'pairs', order });
  const drawing = report.groups.length > 1 ? drawnGraph(comparison) : { reason: '' };
  return {
    id: 'groups',
    title: 'Groups of processes',
    blocks: [
      ...texts([`${groupsHeading(comparison, report)}.`]),
      ...tableBlock('Groups', groupRows(report)),
      ...texts(report.sentences),
      ...('reason' in drawing
        ? []
        : [
            {
              kind: 'picture' as const,
              caption: 'What groups have in common, and what they do in addition',
              svg: graphSvg(drawing),
            },
          ]),
      ...groupRankings(report, comparison, order).flatMap(({ title, items }) =>
        listBlock(title.replace(/:$/, ''), items.slice(0, mostLines)),
      ),
      ...texts(report.notes, 'note'),
    ],
  };
}
