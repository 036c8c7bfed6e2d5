import { formatPercent, formatSeconds } from '../../../src/core/format';
import { eachRange, type ProcessRanges } from '../../../src/core/views/ranks/processRanges';
import type { GroupRow, ProcessGroups } from '../../../src/core/views/groupSummary';

export const groupOrders = ['count', 'time', 'place'] as const;
export type GroupOrder = (typeof groupOrders)[number];

/** What the bars of groups span: each its own sections, or all of them the largest of these sums. */
export const groupScales = ['row', 'all'] as const;
export type GroupScale = (typeof groupScales)[number];

/** A part of a bar: positions in the bar (0…1) up to the least, mean and most time of a member, and its number among the functions. */
export interface Section {
  readonly place: number;
  readonly begin: number;
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

/** The groups as the view shows them; no DOM. Functions are numbers of sections, and the last number is that of all other functions. */
export class GroupModel {
  readonly rows: readonly GroupRow[];
  private readonly longest: number;

  constructor(
    private readonly groups: ProcessGroups,
    readonly names: readonly string[],
    order: GroupOrder,
    private readonly scale: GroupScale,
    /** Which groups are shown: their names, or functions that they call. */
    isShown: (row: GroupRow) => boolean,
  ) {
    const first = (row: GroupRow): number => row.members[0] ?? 0;
    const compare = {
      count: (a: GroupRow, b: GroupRow) => b.count - a.count,
      time: (a: GroupRow, b: GroupRow) => (b.whole?.mean ?? 0) - (a.whole?.mean ?? 0),
      place: () => 0,
    }[order];
    this.rows = groups.groups.filter(isShown).sort((a, b) => compare(a, b) || first(a) - first(b));
    this.longest = groups.groups.reduce((most, row) => Math.max(most, lengthOf(row)), 0);
  }

  get noun(): string {
    return this.groups.hasThreads ? 'threads' : 'processes';
  }

  /** `1 process` */
  counted(count: number): string {
    return count === 1 ? `1 ${this.groups.hasThreads ? 'thread' : 'process'}` : `${count} ${this.noun}`;
  }

  get processes(): number {
    return this.groups.numbers.length;
  }

  /** `62 of 64 processes` */
  countText({ count }: GroupRow): string {
    return `${count} of ${this.processes} ${this.noun}`;
  }

  sections(row: GroupRow): readonly Section[] {
    const length = this.scale === 'row' ? lengthOf(row) : this.longest;
    let begin = 0;
    return row.sections.flatMap((range, place) => {
      if (range === undefined) return [];
      const end = (seconds: number): number => begin + seconds / length;
      const section = {
        place,
        begin,
        least: end(range.minimum),
        mean: end(range.mean),
        most: end(range.maximum),
      };
      begin = section.most;
      return [section];
    });
  }

  rowText(row: GroupRow): string {
    const { whole, sentence, similarity } = row;
    const alike = similarity < 1 ? `, at least ${formatPercent(similarity)} alike` : '';
    const time = whole === undefined ? '' : `, each ${rangeText(whole)}`;
    const note = sentence === undefined ? '' : `. ${sentence}`;
    return `${row.text}: ${this.countText(row)}${alike}${time}${note}`;
  }

  sectionText(row: GroupRow, place: number): string {
    const range = row.sections[place];
    if (range === undefined) return this.rowText(row);
    return `${this.names[place] ?? '?'}: ${rangeText(range)}. ${row.text}, ${this.countText(row)}`;
  }
}

function lengthOf({ sections }: GroupRow): number {
  return sections.reduce((sum, range) => sum + (range?.maximum ?? 0), 0);
}

/** `1.2 s on average, from 1 s to 2 s` */
function rangeText({ minimum, mean, maximum }: NonNullable<GroupRow['whole']>): string {
  if (minimum === maximum) return formatSeconds(mean);
  return `${formatSeconds(mean)} on average, from ${formatSeconds(minimum)} to ${formatSeconds(maximum)}`;
}

/** Which part (0…1) of the processes that share a column of pixels is in the ranges. */
export function densities(members: ProcessRanges, processes: number, columns: number): Float64Array {
  const parts = new Float64Array(columns);
  const perColumn = processes / columns;
  for (const [first, last] of eachRange(members)) {
    const [from, to] = [first / perColumn, (last + 1) / perColumn];
    for (let column = Math.floor(from); column < Math.min(columns, to); column++)
      parts[column] = (parts[column] ?? 0) + Math.min(to, column + 1) - Math.max(from, column);
  }
  return parts;
}
