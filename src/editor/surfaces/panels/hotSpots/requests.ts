import path from 'node:path';
import type { PathSets } from '../../../../core/views/pathSets';
import { areRanges, type ProcessRanges } from '../../../../core/views/ranks/processRanges';
import { blockOrders } from '../../../../core/groups/differences/blocks';
import { fallbackSteps } from '../../../../core/groups/graph/fallbacks';
import {
  bytes,
  finiteNumber,
  flag,
  listOf,
  nothing,
  oneOf,
  positions32,
  record,
  text,
  type Guard,
  numberBelow,
  numberFrom,
  partial,
} from '../../../../protocol/guards';
import {
  drawingFormats,
  maximumEntries,
  maximumMeans,
  maximumPaths,
  maximumGroupName,
  maximumGroups,
  maximumPictureBytes,
  maximumRankRows,
  maximumRanges,
  maximumRegions,
  maximumRows,
  maximumSpreads,
  spreadScores,
  maximumState,
  type HotSpotsRequests,
  type Side,
} from '../../../../protocol/hotSpots';

type Parameters<Name extends keyof HotSpotsRequests> = HotSpotsRequests[Name]['parameters'];

const side: Guard<Side> = oneOf('main', 'compare');

/** Call paths and regions have 32-bit numbers. */
const position = numberBelow(2 ** 32);

/** −1: none. */
const orNone: Guard<number> = (value) => (value === -1 ? -1 : position(value));

const converted = record({ kind: oneOf('csv', 'json', 'speedscope'), side });
const drawing = record({
  kind: oneOf('drawing'),
  format: oneOf(...drawingFormats),
  name: text(200),
  content: bytes(maximumPictureBytes),
});
const similarity: Guard<number> = (value) => {
  const given = finiteNumber(value);
  return given !== undefined && given >= 0 && given <= 1 ? given : undefined;
};
const grouping = partial({
  kind: oneOf('pairs', 'functions'),
  closure: flag,
  threshold: similarity,
  kMeans: (value): number | 'structure' | undefined =>
    value === 'structure' ? value : numberFrom(1, maximumMeans)(value),
  coarser: oneOf(...fallbackSteps),
});
const picture = record({ kind: oneOf('png'), content: bytes(maximumPictureBytes) });

const extent = oneOf('exclusive', 'inclusive');
const metric = numberBelow(1000);
const score = oneOf(...spreadScores);
const rowsOf = (maximum: number): Guard<PathSets> =>
  record({ paths: positions32(maximumPaths), ends: positions32(maximum) });
const place = { side, region: position };
const groupName = text(maximumGroupName);
const toChosen = record({ ...place, to: oneOf('chosen'), among: listOf(groupName, maximumGroups) });
const toGroup = record({ ...place, to: oneOf('group'), group: groupName });
const toOwn = record({ ...place, to: oneOf('own') });

/** Checks of the parameters of the webview's requests. */
export const hotSpotsGuards: { readonly [Name in keyof HotSpotsRequests]: Guard<Parameters<Name>> } = {
  open: nothing,
  rows: record({ side, first: position, count: numberBelow(maximumRows + 1) }),
  regions: record({ side, first: position, count: numberBelow(maximumRegions + 1) }),
  locations: record({ side, callPath: position, metric }),
  rankRows: record({
    metric,
    extent,
    regions: listOf(position, maximumRankRows),
  }),
  rankTimes: record({ region: orNone }),
  spreads: record({ side, metric, extent, rows: rowsOf(maximumSpreads), outliers: flag }),
  rowValues: record({ side, metric, extent, rows: rowsOf(1) }),
  spreadScores: record({ side, metric, extent, rows: rowsOf(maximumPaths), score }),
  pathScores: record({ side, metric, extent, score }),
  communication: record({ first: position, count: numberBelow(maximumEntries + 1) }),
  groups: record({ grouping }),
  groupMatrix: record({ grouping }),
  groupDetails: record({ grouping, one: position, other: position, order: oneOf(...blockOrders) }),
  groupGraph: record({ grouping, isWhole: flag }),
  groupFile: record({ grouping, isWhole: flag, format: oneOf('json', 'dot', 'svg') }),
  choose: record({ processes: listOf(position, maximumRanges) }),
  openSource: record(place),
  regroup: (value) => toChosen(value) ?? toGroup(value) ?? toOwn(value),
  remember: record({ state: text(maximumState) }),
  pin: record({ ...place, state: oneOf('in', 'out', 'none') }),
  compare: record({ experiment: orNone }),
  chooseBaseline: nothing,
  changes: nothing,
  save: (value) => converted(value) ?? picture(value) ?? drawing(value),
};

/** What a panel shows. */
export interface HotSpotsShown {
  /** Absolute paths of the profiles. */
  readonly main: string;
  readonly compare?: string;
  /** Processes of the main profile whose values are shown; default: all. */
  readonly processes?: ProcessRanges;
}

/** Identifies a panel in the state that its page keeps over reloads. */
export function panelName({ main, compare = '', processes = [] }: HotSpotsShown): string {
  return [main, compare, processes.join()].join('\n');
}

/**
 * Reads what was shown from the state that the webview stored. A forged path is harmless, because profiles are only read and shown; so are forged
 * processes, which the engine compares with those of the profile.
 */
export function shownBefore(state: unknown): HotSpotsShown | undefined {
  if (typeof state !== 'object' || state === null || !('panel' in state)) return undefined;
  if (typeof state.panel !== 'string') return undefined;
  const [main, compare, ranges = ''] = state.panel.split('\n');
  if (!isProfile(main)) return undefined;
  const processes = ranges.split(',').map(Number);
  return {
    main,
    ...(isProfile(compare) ? { compare } : {}),
    ...(areRanges(processes, Infinity) ? { processes } : {}),
  };
}

function isProfile(file: string | undefined): file is string {
  return file !== undefined && path.isAbsolute(file) && file.toLowerCase().endsWith('.cubex');
}
