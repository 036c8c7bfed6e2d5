import type { Frames } from '../index/callStack';
import type { RowIndex } from '../index/rowIndex';
import type { Scale } from '../paint/spanList';

/** What questions are answered from. */
export interface TimelineIndex {
  readonly scale: Scale;
  /** Functions + 1. */
  readonly slots: number;
  /** Time of the last event in ticks. */
  readonly end: number;
  readonly rowCount: number;
  /** Undefined: the row has no events. */
  row(row: number): RowIndex | undefined;
}

/** A part of the picture in ticks. */
export interface TickWindow {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly from: number;
  readonly to: number;
  readonly pixels: number;
}

/** Between the rows of long work. @throws when it is cancelled */
export type Turn = () => Promise<void>;

export const nothingOpen: Pick<Frames, 'depth' | 'slot' | 'begin'> = {
  depth: 0,
  slot: new Uint32Array(0),
  begin: new Float64Array(0),
};
