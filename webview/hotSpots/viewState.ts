import {
  anything,
  choice,
  flag,
  type Kept,
  position,
  positions,
  record,
  share,
  sort,
  text,
} from '../ui/page/keptState';
import { units } from './columns';

export const tabIds = ['tree', 'functions', 'flame'] as const;
export type TabId = (typeof tabIds)[number];

/** Maximum number of expanded call paths that are saved. */
export const mostExpandedKept = 5000;

/** What the user is looking at; VS Code saves it over reloads, and it is checked when it is read. */
const fields = {
  /** Name that the extension gave to this panel. */
  panel: text(),
  /** Id of the profile that the numbers of call paths below belong to. */
  profile: text(),
  tab: choice(tabIds, 'tree'),
  metric: text(),
  unit: choice(units, 'auto'),
  treeSort: sort('inclusive', 'descending'),
  flatSort: sort('exclusive', 'descending'),
  treeLayout: anything,
  flatLayout: anything,
  expanded: positions(mostExpandedKept),
  selected: position,
  /** The last wish of the extension to select a function that was fulfilled. */
  revealed: text(),
  zoom: position,
  search: record({ text: text('', 1000), regex: flag }),
  fullNames: flag,
  showsThreads: flag,
  share: share(0.7),
};

export type ViewState = Kept<typeof fields>;
export const readViewState = record(fields);
