import { diagnosisInSource } from '../../workflows/views/diagnosisInSource';
import {
  diagnosisLayout,
  diagnosisNodes,
  diagnosisPlace,
  followDiagnosis,
  openDiagnosis,
  saveDiagnosis,
} from '../../workflows/views/diagnosisView';
import { diagnoseRun, steerDiagnosis } from '../../workflows/views/searchUnderWay';
import { query, stream } from './request';

const home = 'document';

/** Searches for what makes a program slow. A process keeps the last one, and repeats it if it does not have it any more. */
export const diagnosisRequests = {
  /** What a search in the measurement that is shown found in its functions. */
  diagnosisInSource: query(diagnosisInSource, { home }),
  openDiagnosis: query(openDiagnosis, { home }),
  /** The states of a search in a run that is under way. */
  followDiagnosis: stream(followDiagnosis, { home }),
  /** Has a run that is under way searched. */
  diagnoseRun: query(diagnoseRun, { runsCommands: true, writes: true }),
  /** Changes its thresholds, pauses or stops it. */
  steerDiagnosis: query(steerDiagnosis, { runsCommands: true, writes: true }),
  diagnosisNodes: query(diagnosisNodes, { home }),
  diagnosisPlace: query(diagnosisPlace, { home }),
  diagnosisLayout: query(diagnosisLayout),
  /** Writes the search as the command line does. */
  saveDiagnosis: query(saveDiagnosis, { home, writes: true }),
};
