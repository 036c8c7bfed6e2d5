import {
  comparisonFind,
  comparisonOverview,
  comparisonPlace,
  comparisonRows,
  comparisonSummary,
  openComparison,
  saveComparison,
} from '../../workflows/views/traceComparisonView';
import { query } from './request';

const home = 'document';

/** Compared traces. A process keeps the last ones, and reads them again if it does not have them any more. */
export const comparisonRequests = {
  openComparison: query(openComparison, { home }),
  comparisonSummary: query(comparisonSummary, { home }),
  comparisonRows: query(comparisonRows, { home }),
  comparisonOverview: query(comparisonOverview, { home }),
  comparisonFind: query(comparisonFind, { home }),
  comparisonPlace: query(comparisonPlace, { home }),
  /** Writes what the command line prints, or the rows. */
  saveComparison: query(saveComparison, { home, writes: true }),
};
