import {
  bytes,
  finiteNumber,
  nothing,
  oneOf,
  record,
  text,
  type Guard,
  numberBelow,
  absolutePath,
  flag,
  listOf,
} from '../../../../protocol/guards';
import {
  dynamicsActions,
  maximumDynamicsRows,
  maximumMapCells,
  type DynamicsExport,
  type DynamicsRequests,
} from '../../../../protocol/dynamics';
import { maximumPictureBytes } from '../../../../protocol/hotSpots';
import type { DynamicsInput } from '../../../state/dynamics/dynamicsSession';
import { inputBefore } from '../panelInput';

export { panelName } from '../panelInput';

type Parameters<Name extends keyof DynamicsRequests> = DynamicsRequests[Name]['parameters'];

const position = numberBelow(2 ** 32);
const id = text(200);
const rows = record({ id, first: position, count: numberBelow(maximumDynamicsRows + 1) });
const series = record({ id, series: position });
const share: Guard<number> = (value) => {
  const given = finiteNumber(value);
  return given !== undefined && given >= 0 && given <= 1 ? given : undefined;
};

const drawn = record({
  kind: oneOf('png', 'svg', 'csv'),
  name: text(200),
  content: bytes(maximumPictureBytes),
});
const report = record({ kind: oneOf('report-csv', 'report-markdown', 'report-json'), threshold: share });
const saved: Guard<DynamicsExport> = (value) => drawn(value) ?? report(value);

/** Checks of the parameters of the webview's requests. */
export const dynamicsGuards: { readonly [Name in keyof DynamicsRequests]: Guard<Parameters<Name>> } = {
  open: nothing,
  properties: rows,
  series: rows,
  report: rows,
  values: series,
  map: record({ id, first: position, count: numberBelow(maximumMapCells + 1), map: numberBelow(2 ** 20) }),
  trace: series,
  openSource: record({ id, of: oneOf('property', 'series', 'report'), row: position }),
  analyse: record({ settings: record({ burst: numberBelow(2 ** 24), improvements: flag }) }),
  cancel: nothing,
  save: saved,
  act: record({ action: oneOf(...dynamicsActions) }),
};

const files = record({ kind: oneOf('files'), files: listOf(absolutePath, 4096) });
const folder = record({ kind: oneOf('folder'), folder: absolutePath });

function inputOf(value: unknown): DynamicsInput | undefined {
  const several = files(value);
  return several === undefined ? folder(value) : several.files.length > 0 ? several : undefined;
}

/** The input that a panel showed before a reload. */
export const shownBefore = inputBefore(inputOf);
