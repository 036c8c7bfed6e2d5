import { newestParameterStudy } from '../../workflows/models/newestParameterStudy';
import { modelsInSource } from '../../workflows/views/modelsInSource';
import {
  modelCurve,
  modelDetail,
  modelPlane,
  modelPredictions,
  modelRegion,
  modelRows,
  openModels,
  saveModels,
} from '../../workflows/views/modelsView';
import { query } from './request';

const home = 'document';

/** Performance models. A process keeps the last ones, and makes them again if it does not have them any more. */
export const modelRequests = {
  newestParameterStudy: query(({ workspace }: { readonly workspace: string }, context) =>
    newestParameterStudy(workspace, context),
  ),
  /** What the newest study over parameters of a workspace shows of its functions. */
  modelsInSource: query(modelsInSource),
  openModels: query(openModels, { home }),
  modelRows: query(modelRows, { home }),
  modelPredictions: query(modelPredictions, { home }),
  modelDetail: query(modelDetail, { home }),
  modelCurve: query(modelCurve, { home }),
  modelPlane: query(modelPlane, { home }),
  modelRegion: query(modelRegion, { home }),
  /** Writes all models as the command line does. */
  saveModels: query(saveModels, { home, writes: true }),
};
