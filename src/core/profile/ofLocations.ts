import { at } from '../at';
import { present } from '../present';
import { pickColumns } from '../sums';
import type { Profile } from './profile';

/**
 * The profile of some of the locations: what the others did is not in it, nor who sent what to whom. All call paths stay.
 * @param locations their positions, ascending
 */
export function profileOfLocations(profile: Profile, locations: Uint32Array): Profile {
  const width = profile.locations.length;
  const picked = (cells: Float64Array): Float64Array => pickColumns(cells, width, locations);
  const each = <Column, Made>(columns: ReadonlyMap<string, Column>, make: (column: Column) => Made) =>
    new Map([...columns].map(([name, column]) => [name, make(column)]));
  const { attributes, metrics, regions, callPaths, system, mirrors, exact, components } = profile;
  return {
    attributes,
    metrics,
    regions,
    callPaths,
    system,
    ...present({ mirrors }),
    locations: Array.from(locations, (location) => at(profile.locations, location)),
    stored: each(profile.stored, picked),
    ...(components === undefined ? {} : { components: each(components, (parts) => parts.map(picked)) }),
    ...(exact === undefined
      ? {}
      : {
          exact: each(exact, (cells) =>
            BigInt64Array.from({ length: (cells.length / width) * locations.length }, (_, cell) =>
              at(cells, Math.floor(cell / locations.length) * width + at(locations, cell % locations.length)),
            ),
          ),
        }),
  };
}
