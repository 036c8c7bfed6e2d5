import {
  anything,
  choice,
  flag,
  position,
  positions,
  record,
  share,
  text,
  type Saved,
} from '../ui/page/savedState';

export const searchTabs = ['tree', 'graph'] as const;
export const detailTabs = ['details', 'thresholds'] as const;

/** More open rows are not kept. */
export const mostOpenKept = 20_000;

/** The view's state; VS Code saves it over hiding and reloads. The extension reads `panel` from it, too. */
const fields = {
  panel: text(),
  /** Id of the search that the positions of rows belong to. */
  id: text(),
  tab: choice(searchTabs, 'tree'),
  detail: choice(detailTabs, 'details'),
  query: record({ text: text('', 1000), regex: flag }),
  onlyTrue: flag,
  /** Each process by itself; else what differs in names of hosts and processes alone is folded. */
  isUnfolded: flag,
  /** Positions of open rows. */
  open: positions(mostOpenKept),
  /** Whether `open` is of this search; else the rows that lead to what is true are opened. */
  isOpened: flag,
  selected: position,
  layout: anything,
  listShare: share(0.64),
};

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
