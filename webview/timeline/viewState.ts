import { isRecord } from '../../src/core/present';
import type { TimelineRange } from '../../src/protocol/timeline';
import {
  anything,
  choice,
  flag,
  isPosition,
  numberWithin,
  position,
  record,
  share,
  sort,
  text,
  type Saved,
} from '../ui/page/savedState';

export const leastRowHeight = 2;
export const mostRowHeight = 40;

/** The view's state; VS Code saves it over hiding and reloads. The extension reads `panel` from it, too. */
const fields = {
  panel: text(),
  /** What is in sight; absent: the whole trace. */
  from: seconds,
  to: seconds,
  /** The selected row, whose call stack is shown. */
  row: position,
  /** The first row in sight. */
  top: position,
  /** Pixels; absent: as all rows fit. */
  rowHeight: (value: unknown): number | undefined =>
    value === undefined ? undefined : numberWithin(leastRowHeight, mostRowHeight, 18)(value),
  /** What the profile is of; absent: what is in sight. */
  range,
  onlyRow: flag,
  search: record({ text: text('', 1000), regex: flag }),
  /** `auto`: unless there are too many. */
  messages: choice(['auto', 'on', 'off'], 'auto'),
  sort: sort('exclusive', 'descending'),
  layout: anything,
  pictureShare: share(0.66),
  rowsShare: share(0.68),
};

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

function range(value: unknown): TimelineRange | undefined {
  if (!isRecord(value)) return undefined;
  const { firstRow, rowCount } = value;
  const [from, to] = [seconds(value.from), seconds(value.to)];
  if (from === undefined || to === undefined || to <= from) return undefined;
  if (!isPosition(firstRow) || !isPosition(rowCount)) return undefined;
  return { firstRow, rowCount, from, to };
}

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
