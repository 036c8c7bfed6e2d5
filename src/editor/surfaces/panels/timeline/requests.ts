import {
  absolutePath,
  bytes,
  finiteNumber,
  flag,
  nothing,
  numberBelow,
  numberFrom,
  oneOf,
  record,
  text,
  type Guard,
} from '../../../../protocol/guards';
import { maximumPictureBytes } from '../../../../protocol/hotSpots';
import {
  maximumTimelineMessages,
  maximumTimelinePixels,
  maximumTimelineRows,
  type TimelineRequests,
} from '../../../../protocol/timeline';
import type { TimelineInput } from '../../../state/timeline/timelineSession';
import { inputBefore } from '../panelInput';

export { panelName } from '../panelInput';

type Parameters<Name extends keyof TimelineRequests> = TimelineRequests[Name]['parameters'];

const position = numberBelow(2 ** 32);
const id = text(200);
const range = { id, firstRow: position, from: finiteNumber, to: finiteNumber };
const window = record({
  ...range,
  rowCount: numberFrom(1, maximumTimelineRows),
  pixels: numberFrom(1, maximumTimelinePixels),
});

/** A part of the trace that is not empty. */
function ascending<Given extends { readonly from: number; readonly to: number }>(
  guard: Guard<Given>,
): Guard<Given> {
  return (value) => {
    const given = guard(value);
    return given !== undefined && given.from < given.to ? given : undefined;
  };
}

const withMost = record({ most: numberFrom(1, maximumTimelineMessages) });

/** Checks of the parameters of the webview's requests. */
export const timelineGuards: { readonly [Name in keyof TimelineRequests]: Guard<Parameters<Name>> } = {
  open: nothing,
  spans: ascending(window),
  stack: ascending(window),
  messages: (value) => {
    const given = ascending(window)(value);
    const most = withMost(value);
    return given === undefined || most === undefined ? undefined : { ...given, ...most };
  },
  profile: ascending(record({ ...range, rowCount: numberFrom(1, 2 ** 32) })),
  find: record({ id, function: position, row: position, seconds: finiteNumber, isBackwards: flag }),
  openSource: record({ id, function: position }),
  make: nothing,
  cancel: nothing,
  save: record({ kind: oneOf('png', 'csv'), name: text(200), content: bytes(maximumPictureBytes) }),
};

const input = record({ file: absolutePath });

/** The input that a panel showed before a reload. */
export const shownBefore: Guard<TimelineInput> = inputBefore(input);
