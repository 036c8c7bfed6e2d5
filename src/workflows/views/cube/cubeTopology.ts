import type { Profile, Topology } from '../../../core/profile/profile';
import type { CubePlaces, CubeTopology } from '../../../core/views/cubePieces';
import { withCube } from '../../opened/openedCubes';
import type { CubeRange } from './cubeName';

/** Topologies beyond these are not offered, and dimensions of one not described: no tool writes so many. */
const mostTopologies = 100;
const mostDimensions = 1000;
const longestName = 200;

/** The topologies of a profile, without the places. */
export function describeTopologies({ topologies = [], system }: Profile): readonly CubeTopology[] {
  return topologies.slice(0, mostTopologies).map((topology) => {
    const { name = '', dimensions, coordinates, nodeCoordinates } = topology;
    const placed = placesOf(topology, system.length).length;
    return {
      name: name.slice(0, longestName),
      dimensions: dimensions
        .slice(0, mostDimensions)
        .map(({ name: title = '', size, periodic }, position) => ({
          name: title === '' ? `dimension ${position}` : title.slice(0, longestName),
          size,
          periodic,
        })),
      placed,
      outside: coordinates.size + (nodeCoordinates?.size ?? 0) - placed,
    };
  });
}

/**
 * Places of a topology, in pieces. Nodes are those of the system tree, where locations follow the other nodes.
 * @throws KymoError `profile-changed` when the file is another one by now
 */
export function cubeTopology({
  file,
  id,
  topology,
  first,
  count,
}: CubeRange & { readonly topology: number }): Promise<CubePlaces> {
  return withCube(file, id, ({ cube: { definitions } }) => {
    const { topologies = [], system } = definitions;
    const found = topologies[topology];
    const places = found === undefined ? [] : placesOf(found, system.length).slice(first, first + count);
    return {
      first,
      nodes: Uint32Array.from(places, ([node]) => node),
      coordinates: Uint32Array.from(places.flatMap(([, place]) => place)),
    };
  });
}

/** What has a place within the dimensions, by node of the system tree. */
function placesOf(
  { dimensions, coordinates, nodeCoordinates = new Map() }: Topology,
  nodes: number,
): readonly (readonly [node: number, place: readonly number[]])[] {
  const isInside = (place: readonly number[]): boolean =>
    place.every((coordinate, at) => coordinate >= 0 && coordinate < (dimensions[at]?.size ?? 0));
  const places: [number, readonly number[]][] = [];
  for (const [location, place] of coordinates) if (isInside(place)) places.push([nodes + location, place]);
  for (const [node, place] of nodeCoordinates) if (isInside(place)) places.push([node, place]);
  return places;
}
