import {
  cubeCallPaths,
  cubeIsSame,
  cubeLocations,
  cubeRegions,
  cubeSystem,
  cubeTotal,
  cubeValues,
  openCubeView,
} from '../../workflows/views/cube/cubeView';
import { cubeTopology } from '../../workflows/views/cube/cubeTopology';
import { query } from './request';

const home = 'document';

/** A Cube profile as an editor asks for it, piece by piece. */
export const cubeRequests = {
  /** Reads the definitions, but no values. */
  openCube: query(({ file }: { readonly file: string }) => openCubeView(file), { home }),
  /** Whether the content of a file still has the given id. */
  cubeIsSame: query(cubeIsSame),
  cubeCallPaths: query(cubeCallPaths, { home }),
  cubeRegions: query(cubeRegions, { home }),
  cubeSystem: query(cubeSystem, { home }),
  cubeTopology: query(cubeTopology, { home }),
  cubeValues: query(cubeValues, { home }),
  cubeTotal: query(cubeTotal, { home }),
  cubeLocations: query(cubeLocations, { home }),
};
