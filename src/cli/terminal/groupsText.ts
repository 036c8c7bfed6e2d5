import { counted, formatPercent } from '../../core/format';
import type { Comparison } from '../../core/groups/comparison/compareGroups';
import { rankedBlocks, type BlockOrder } from '../../core/groups/differences/blocks';
import { rankedLines } from '../../core/groups/differences/rankedLines';
import { groupsHeading } from '../../core/groups/comparison/heading';
import { groupNames } from '../../core/groups/differences/readings';
import { present } from '../../core/present';
import type { GroupsReport } from '../../workflows/groups';
import { rowsText, table, type Rows } from './table';

/** Lines with a title, the most important first; there may be none. */
export interface Ranking {
  readonly title: string;
  readonly items: readonly string[];
}

export const mostGroups = 40;
const mostInMatrix = 12;
/** Lines of a ranking. */
export const mostLines = 8;

export function groupsText(report: GroupsReport, comparison: Comparison, order: BlockOrder): string {
  const { groups: found, sentences, notes } = report;
  const omitted = found.length - mostGroups;
  return [
    `${groupsHeading(comparison, report)}:`,
    '',
    rowsText(groupRows(report)),
    ...(omitted > 0 ? [`${counted(omitted, 'more group')}: --json`] : []),
    ...(report.similarity.length < 2 || found.length > mostInMatrix ? [] : ['', matrices(report)]),
    ...(sentences.length === 0 ? [] : ['', ...sentences]),
    ...groupRankings(report, comparison, order).flatMap(({ title, items }) => list(title, items)),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n');
}

/** A row for each of the first groups. */
export function groupRows(report: GroupsReport): Rows {
  const { groups: found, measure } = report;
  const isTimed = found[0]?.timeSimilarity !== undefined;
  return {
    heads: [
      'group',
      'processes',
      measure,
      'similarity',
      ...(isTimed ? ['time alike'] : []),
      'representative',
      'which processes',
    ],
    cells: found
      .slice(0, mostGroups)
      .map((group, index) => [
        String(index + 1),
        String(group.members.length),
        String(group.attributes.length),
        formatPercent(group.similarity.mean),
        ...(isTimed ? [formatPercent(group.timeSimilarity?.mean ?? 1)] : []),
        processName(report, group.representative),
        group.processes,
      ]),
    numbers: isTimed ? 5 : 4,
    longest: { 'which processes': 100 },
  };
}

export function processName({ processes }: GroupsReport, position: number): string {
  const { run, name, rank, thread } = processes[position] ?? { name: '', rank: 0, thread: 0 };
  const own = rank < 0 ? name : `${rank}:${thread}`;
  return run === undefined ? own : `${run} ${own}`;
}

/** What differs most between groups and within them, and calls that correspond in all processes. */
export function groupRankings(
  report: GroupsReport,
  { groups, comparable }: Comparison,
  order: BlockOrder,
): readonly Ranking[] {
  const lines = rankedLines(groups, groupNames(groups, present({ combined: comparable.combined })));
  // What a group has is missing in several others.
  const seen = new Set<string>();
  const blocks = rankedBlocks(
    report.differences.flatMap(({ blocks: own }) => own),
    order,
  ).filter(({ attributes }) => seen.size < seen.add(attributes.join()).size);
  const spreads = report.groups.flatMap(({ spreads: own }, group) =>
    own.map((spread) => ({ spread, text: `group ${group + 1}, ${lines.spread(spread)}` })),
  );
  spreads.sort((a, b) => b.spread.score - a.spread.score);
  return [
    { title: 'Between groups, what differs most:', items: blocks.map(lines.block) },
    {
      title: 'Within groups, times that differ most (2nd to 98th percentile):',
      items: spreads.map(({ text }) => text),
    },
    { title: 'Calls that all make equally often:', items: report.anchors.map(lines.anchor) },
  ];
}

function list(title: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const rest = items.length - mostLines;
  return [
    '',
    title,
    ...items.slice(0, mostLines).map((item) => `  ${item}`),
    ...(rest > 0 ? [`  ${rest} more: --json`] : []),
  ];
}

function matrices({ similarity, subsumption }: GroupsReport): string {
  const matrix = (title: string, rows: readonly (readonly number[])[]): string =>
    table(
      [title, ...rows.map((_, group) => String(group + 1))],
      rows.map((row, group) => [String(group + 1), ...row.map((value) => value.toFixed(2))]),
      rows.length + 1,
    );
  return [
    matrix('similar', similarity),
    '',
    matrix('does all of', subsumption),
    'Row: the degree to which the group does at least the work of the group of the column.',
  ].join('\n');
}
