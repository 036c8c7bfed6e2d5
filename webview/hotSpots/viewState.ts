import {
  anything,
  choice,
  flag,
  numberWithin,
  wholeWithin,
  type Saved,
  position,
  positions,
  record,
  share,
  sort,
  text,
  texts,
} from '../ui/page/savedState';
import { mostNamedCharacters, mostNamedRows } from '../../src/core/views/namedRows';
import { communicationValues } from '../../src/core/communication/communicationMatrix';
import { maximumMeans } from '../../src/protocol/hotSpots';
import { units } from './data/columns';
import { blockOrders } from '../../src/core/groups/differences/blocks';
import {
  coarserWays,
  comparedThings,
  groupPictures,
  leastThreshold,
  waysOfGrouping,
} from './groups/groupChoices';
import { directions } from './functions/functionRows';
import { groupOrders, groupScales } from './groups/groupModel';
import { rankScales } from './ranks/mapDrawing';
import { rankOrders } from './ranks/rankAxis';
import { spreadScales } from './spread/spreads';
import { extents, rankScopes } from './ranks/ranksView';

const tabIds = ['tree', 'functions', 'flame', 'groups', 'ranks', 'communication', 'changes'] as const;
export type TabId = (typeof tabIds)[number];

/** Maximum number of expanded call paths that are saved. */
export const mostExpandedKept = 5000;

/** What the table of functions starts with. */
export const shownFunctions = ['functions', 'groups', 'visits'] as const;
export type ShownFunctions = (typeof shownFunctions)[number];

/** Rows by their names, which another profile of the program has, too: expanded ones, and the selected one. */
const rowNames = record({
  names: texts(mostNamedCharacters),
  above: positions(mostNamedRows),
  /** Positions in `names`. */
  expanded: positions(mostNamedRows),
  selected: position,
  /** Of the flame graph. */
  zoom: position,
});
export type SavedRows = ReturnType<typeof rowNames>;

/** The state of the view that VS Code saves over reloads; it is checked when read. */
const fields = {
  /** Identifier that the extension assigned to the panel. */
  panel: text(),
  /** Id of the profile to which the numbers of call paths below belong. */
  profile: text(),
  tab: choice(tabIds, 'tree'),
  metric: text(),
  unit: choice(units, 'auto'),
  treeSort: sort('inclusive', 'descending'),
  flatSort: sort('exclusive', 'descending'),
  groupSort: sort('exclusive', 'descending'),
  visitsSort: sort('visits', 'descending'),
  show: choice(shownFunctions, 'functions'),
  direction: choice(directions, 'callers'),
  treeLayout: anything,
  flatLayout: anything,
  expanded: positions(mostExpandedKept),
  selected: position,
  /** The same as names, for another profile of the program. */
  treeRows: rowNames,
  functionRows: rowNames,
  /** First visible rows. */
  treeTop: position,
  functionsTop: position,
  /** Id of the extension's last fulfilled request to select a function. */
  revealed: text(),
  zoom: position,
  search: record({ text: text('', 1000), regex: flag }),
  fullNames: flag,
  showsThreads: flag,
  share: share(0.7),
  spreadOutliers: flag,
  spreadScale: choice(spreadScales, 'table'),
  extent: choice(extents, 'exclusive'),
  rankScale: choice(rankScales, 'all'),
  rankOrder: choice(rankOrders, 'rank'),
  rankScope: choice(rankScopes, 'function'),
  groupOrder: choice(groupOrders, 'count'),
  groupScale: choice(groupScales, 'row'),
  groupPicture: choice(groupPictures, 'times'),
  groupBy: choice(waysOfGrouping, 'structure'),
  groupThreshold: numberWithin(leastThreshold, 1, 0.95),
  /** Number of groups by time; 0: as many as by structure. */
  groupCount: wholeWithin(maximumMeans),
  groupKind: choice(comparedThings, 'pairs'),
  groupClosure: flag,
  groupCoarser: choice(coarserWays, 'automatic'),
  groupRanking: choice(blockOrders, 'time'),
  groupLattice: flag,
  communicationValue: choice(communicationValues, 'bytes'),
};

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
