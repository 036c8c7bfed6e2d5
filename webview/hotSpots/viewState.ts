import { present } from '../../src/core/present';
import { KeptFields } from '../ui/page/keptState';
import type { SortOrder } from '../ui/grid/columns';
import { units, type Unit } from './columns';

export const tabIds = ['tree', 'functions', 'flame'] as const;
export type TabId = (typeof tabIds)[number];

/** What the user is looking at; kept over reloads by the webview, and checked when it comes back. */
export interface ViewState {
  /** Name that the extension gave to this panel. */
  readonly panel?: string;
  /** Id of the profile that the numbers of call paths below belong to. */
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

export function readViewState(value: unknown): ViewState {
  const kept = new KeptFields(value);
  const search = kept.within('search');
  return {
    ...present({
      panel: kept.text('panel'),
      profile: kept.text('profile'),
      metric: kept.text('metric'),
      revealed: kept.text('revealed'),
      selected: kept.position('selected'),
      zoom: kept.position('zoom'),
    }),
    tab: kept.choice('tab', tabIds, 'tree'),
    unit: kept.choice('unit', units, 'auto'),
    treeSort: kept.sort('treeSort') ?? { column: 'inclusive', direction: 'descending' },
    flatSort: kept.sort('flatSort') ?? { column: 'exclusive', direction: 'descending' },
    treeLayout: kept.value('treeLayout'),
    flatLayout: kept.value('flatLayout'),
    expanded: kept.positions('expanded', mostExpandedKept),
    search: { text: search.text('text', 1000) ?? '', regex: search.flag('regex') },
    fullNames: kept.flag('fullNames'),
    showsThreads: kept.flag('showsThreads'),
    share: kept.share('share', 0.7),
  };
}
