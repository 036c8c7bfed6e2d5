import { diagnosisInSource } from '../../workflows/views/diagnosisInSource';
import {
  diagnosisLayout,
  diagnosisNodes,
  diagnosisPlace,
  openDiagnosis,
  saveDiagnosis,
} from '../../workflows/views/diagnosisView';
import { query } from './request';

const home = 'document';

/** Searches for what makes a program slow. A process keeps the last one, and repeats it if it does not have it any more. */
export const diagnosisRequests = {
  /** What a search in the measurement that is shown found in its functions. */
  diagnosisInSource: query(diagnosisInSource, { home }),
  openDiagnosis: query(openDiagnosis, { home }),
  diagnosisNodes: query(diagnosisNodes, { home }),
  diagnosisPlace: query(diagnosisPlace, { home }),
  diagnosisLayout: query(diagnosisLayout),
  /** Writes the search as the command line does. */
  saveDiagnosis: query(saveDiagnosis, { home, writes: true }),
};
