import { at } from '../../../src/core/at';
import { groupedRows } from '../../ui/search/rowGroups';
import { searchedRows, sortedRows } from '../../ui/search/rowSearch';
import type { PropertyRow } from '../../../src/core/views/dynamicsPieces';
import type { SortOrder } from '../../ui/grid/columns';
import { kindName, shortRegion } from '../base/words';

export const groupings = ['kind', 'region', 'file', 'ranks', 'none'] as const;
export type Grouping = (typeof groupings)[number];

/** Settings of the list of findings. */
export interface FindingView {
  readonly search: string;
  readonly regex: boolean;
  readonly group: Grouping;
  /** Minimum share (0…1) of the phase time. */
  readonly threshold: number;
  readonly sort: SortOrder;
  /** Names of groups that are closed. */
  readonly closed: readonly string[];
}

export const defaultFindingView: FindingView = {
  search: '',
  regex: false,
  group: 'kind',
  threshold: 0,
  sort: { column: 'excess', direction: 'descending' },
  closed: [],
};

export interface FindingGroup {
  readonly name: string;
  readonly count: number;
  /** Largest severity and excess of its members. */
  readonly severity: number;
  readonly excess: number;
}

export interface ShownFindings {
  /** Positions of properties; values from their number on are positions in `groups`, offset by that number. */
  readonly rows: Uint32Array;
  readonly groups: readonly FindingGroup[];
  readonly shown: number;
  /** Error of the search expression. */
  readonly error?: string;
}

/** Thresholds of the slider, with finer steps where most properties are. */
export const thresholds: readonly number[] = [
  0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5,
];

/** The larger of severity and excess, which is compared with the threshold. */
export function weight({ severity = 0, excess = 0 }: PropertyRow): number {
  return Math.max(severity, excess);
}

/** The shown properties in their order, with their groups. */
export function shownFindings(properties: readonly PropertyRow[], view: FindingView): ShownFindings {
  const query = { text: view.search, regex: view.regex };
  const { matches, error } = searchedRows(properties, query, texts);
  if (error !== undefined) return { rows: new Uint32Array(0), groups: [], shown: 0, error };
  const heavy = matches.filter((position) => weight(at(properties, position)) >= view.threshold);
  const sorted = sortedRows(properties, heavy, view.sort, keys, (a, b) => weight(b) - weight(a));
  if (view.group === 'none') return { rows: Uint32Array.from(sorted), groups: [], shown: sorted.length };
  return grouped(properties, sorted, view, view.group);
}

function texts({ title, region, ranks = '' }: PropertyRow): readonly string[] {
  return [title, region?.name ?? '', region?.file ?? '', ranks === '' ? '' : `ranks ${ranks}`];
}

/** Groups in the order of their first member. */
function grouped(
  properties: readonly PropertyRow[],
  sorted: readonly number[],
  { closed }: FindingView,
  by: Exclude<Grouping, 'none'>,
): ShownFindings {
  const { rows, groups } = groupedRows(
    properties.length,
    sorted,
    (position) => groupOf(at(properties, position), by),
    closed,
  );
  return {
    rows,
    groups: groups.map(({ name, members }) => {
      const most = (of: (row: PropertyRow) => number): number =>
        members.reduce((largest, position) => Math.max(largest, of(at(properties, position))), 0);
      return {
        name,
        count: members.length,
        severity: most(({ severity = 0 }) => severity),
        excess: most(({ excess = 0 }) => excess),
      };
    }),
    shown: sorted.length,
  };
}

function groupOf({ kind, region, ranks }: PropertyRow, by: Exclude<Grouping, 'none'>): string {
  switch (by) {
    case 'kind':
      return kindName(kind);
    case 'region':
      return region?.name ?? 'Whole program';
    case 'file':
      return region?.file ?? 'File not known';
    case 'ranks':
      return ranks === undefined || ranks === '' ? 'All ranks' : `Ranks ${ranks}`;
  }
}

/** The part of a title that differs inside a group; the tooltip has the whole title. */
export function rowName({ kind, title, region }: PropertyRow, group: Grouping): string {
  if (region === undefined) return title;
  switch (group) {
    case 'kind':
      return shortRegion(region.name);
    case 'region':
      return title;
    case 'file':
    case 'ranks':
    case 'none':
      return `${kindName(kind)} · ${shortRegion(region.name)}`;
  }
}

const keys = {
  what: ({ title }: PropertyRow) => title,
  severity: ({ severity = -1 }: PropertyRow) => severity,
  iterations: ({ iterations }: PropertyRow) => iterations?.[0]?.[0] ?? 0,
  ranks: ({ ranks = '' }: PropertyRow) => Number.parseInt(ranks, 10) || 0,
  region: ({ region }: PropertyRow) => region?.name ?? '',
  place: ({ region }: PropertyRow) => region?.file ?? '',
  usual: ({ excess = -1 }: PropertyRow) => excess,
};

/** `1–92` or `1–1028, 1650–2048`; only the first few of many, and `25–19975 (400)` of more than is listed. */
export function iterationsText(
  { iterations, all }: Pick<PropertyRow, 'iterations' | 'all'>,
  most = 3,
): string {
  if (all !== undefined) return `${all.range.join('–')} (${all.iterations})`;
  const listed = (iterations ?? []).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  return listed.length > most
    ? `${listed.slice(0, most).join(', ')}, … (${listed.length})`
    : listed.join(', ');
}
