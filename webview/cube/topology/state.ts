import { flag, positions, record, wholeWithin } from '../../ui/page/savedState';
import { mostDimensions } from './grid';

/** Positions of the shown topology and of its dimensions; equal ones: the usual choice. Slices are coordinates plus 1, and 0 for all. */
export const topologyState = record({
  shown: wholeWithin(99),
  rows: wholeWithin(mostDimensions),
  columns: wholeWithin(mostDimensions),
  slices: positions(mostDimensions),
  /** Whether the table is in place of the picture. */
  table: flag,
});

export type TopologyState = ReturnType<typeof topologyState>;
