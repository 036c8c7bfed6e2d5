import {
  cubeCallPaths,
  cubeIsSame,
  cubeLocations,
  cubeRegions,
  cubeSystem,
  cubeTotal,
  cubeValues,
  openCubeView,
} from '../../workflows/views/cubeView';
import { query } from './request';

const home = 'document';

/** A Cube profile as an editor asks for it, piece by piece. */
export const cubeRequests = {
  /** Definitions; no value is read. */
  openCube: query(({ file }: { readonly file: string }) => openCubeView(file), { home }),
  /** Whether a file still has the content of that id. */
  cubeIsSame: query(cubeIsSame),
  cubeCallPaths: query(cubeCallPaths, { home }),
  cubeRegions: query(cubeRegions, { home }),
  cubeSystem: query(cubeSystem, { home }),
  cubeValues: query(cubeValues, { home }),
  cubeTotal: query(cubeTotal, { home }),
  cubeLocations: query(cubeLocations, { home }),
};
