import type { SortOrder } from '../ui/grid/columns';
import { units, type Unit } from './columns';

export const tabIds = ['tree', 'functions', 'flame'] as const;
export type TabId = (typeof tabIds)[number];

/** What the user is looking at; kept over reloads by the webview, and checked when it comes back. */
export interface ViewState {
  /** Name that the extension gave to this panel. */
  readonly panel?: string;
  /** Of the profile that the numbers of call paths below belong to. */
  readonly profile?: string;
  readonly tab: TabId;
  readonly metric?: string;
  readonly unit: Unit;
  readonly treeSort: SortOrder;
  readonly flatSort: SortOrder;
  readonly treeLayout?: unknown;
  readonly flatLayout?: unknown;
  readonly expanded: readonly number[];
  readonly selected?: number | undefined;
  /** The last wish of the extension to select a function that was fulfilled. */
  readonly revealed?: string | undefined;
  readonly zoom?: number | undefined;
  readonly search: { readonly text: string; readonly regex: boolean };
  readonly fullNames: boolean;
  readonly showsThreads: boolean;
  readonly share: number;
}

/** More expanded call paths are not kept. */
export const mostExpandedKept = 5000;

const usual: ViewState = {
  tab: 'tree',
  unit: 'auto',
  treeSort: { column: 'inclusive', direction: 'descending' },
  flatSort: { column: 'exclusive', direction: 'descending' },
  expanded: [],
  search: { text: '', regex: false },
  fullNames: false,
  showsThreads: false,
  share: 0.7,
};

/** A state from an earlier time: whatever does not fit is as if it was never changed. */
export function readViewState(value: unknown): ViewState {
  if (typeof value !== 'object' || value === null) return usual;
  const given = value as Readonly<Record<string, unknown>>;
  const text = (key: string): Record<string, string> =>
    typeof given[key] === 'string' ? { [key]: given[key] } : {};
  const number = (key: string): Record<string, number> =>
    Number.isSafeInteger(given[key]) && Number(given[key]) >= 0 ? { [key]: Number(given[key]) } : {};
  const expanded = Array.isArray(given.expanded) ? given.expanded.filter(isPosition) : [];
  return {
    ...usual,
    ...text('panel'),
    ...text('profile'),
    ...text('metric'),
    ...text('revealed'),
    ...number('selected'),
    ...number('zoom'),
    tab: tabIds.find((one) => one === given.tab) ?? usual.tab,
    unit: units.find((one) => one === given.unit) ?? usual.unit,
    treeSort: readSort(given.treeSort) ?? usual.treeSort,
    flatSort: readSort(given.flatSort) ?? usual.flatSort,
    treeLayout: given.treeLayout,
    flatLayout: given.flatLayout,
    expanded: expanded.slice(0, mostExpandedKept),
    search: readSearch(given.search),
    fullNames: given.fullNames === true,
    showsThreads: given.showsThreads === true,
    share:
      typeof given.share === 'number' && given.share > 0.1 && given.share < 0.9 ? given.share : usual.share,
  };
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function readSort(value: unknown): SortOrder | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { column, direction } = value as Partial<Record<keyof SortOrder, unknown>>;
  return typeof column === 'string' && (direction === 'ascending' || direction === 'descending')
    ? { column, direction }
    : undefined;
}

function readSearch(value: unknown): ViewState['search'] {
  if (typeof value !== 'object' || value === null) return usual.search;
  const { text, regex } = value as Partial<Record<'text' | 'regex', unknown>>;
  return typeof text === 'string' ? { text: text.slice(0, 1000), regex: regex === true } : usual.search;
}
