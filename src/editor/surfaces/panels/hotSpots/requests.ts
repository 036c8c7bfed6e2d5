import path from 'node:path';
import { areRanges, type ProcessRanges } from '../../../../core/views/processRanges';
import {
  bytes,
  listOf,
  nothing,
  oneOf,
  record,
  text,
  type Guard,
  numberBelow,
} from '../../../../protocol/guards';
import {
  maximumEntries,
  maximumGroupName,
  maximumGroups,
  maximumPictureBytes,
  maximumRankRows,
  maximumRanges,
  maximumRegions,
  maximumRows,
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
  format: oneOf('png', 'svg', 'csv'),
  name: text(200),
  content: bytes(maximumPictureBytes),
});
const picture = record({ kind: oneOf('png'), content: bytes(maximumPictureBytes) });

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
  locations: record({ side, callPath: position, metric: numberBelow(1000) }),
  rankRows: record({
    metric: numberBelow(1000),
    extent: oneOf('exclusive', 'inclusive'),
    regions: listOf(position, maximumRankRows),
  }),
  rankTimes: record({ region: orNone }),
  communication: record({ first: position, count: numberBelow(maximumEntries + 1) }),
  groups: nothing,
  choose: record({ processes: listOf(position, maximumRanges) }),
  openSource: record(place),
  regroup: (value) => toChosen(value) ?? toGroup(value) ?? toOwn(value),
  remember: record({ state: text(maximumState) }),
  pin: record({ ...place, state: oneOf('in', 'out', 'none') }),
  compare: record({ experiment: orNone }),
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
