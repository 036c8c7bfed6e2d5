import { metricNamed } from '../../profile/metrics';
import type { Profile } from '../../profile/profile';
import { exclusivePerLocation, hasVisits, inclusivePerLocation } from '../../profile/values';

/** Values of one call path, one per location. */
export interface LocationValues {
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
}

/**
 * One call path at each location, from its subtree alone: the columns of a large profile are not computed for it.
 * Throws `KymoError` as `values.ts` does. `end`: one past its subtree (`subtreeEnds`).
 */
export function locationValues(
  profile: Profile,
  name: string,
  callPath: number,
  end: number,
): LocationValues {
  const part = subtree(profile, [metricNamed(profile, name).name, 'visits'], callPath, end);
  const width = profile.locations.length;
  // The whole profile decides, because the part of a subtree that was never visited has no visits.
  const masking = hasVisits(profile) ? 'visited-only' : 'as-stored';
  return {
    inclusive: inclusivePerLocation(part, name, masking).slice(0, width),
    exclusive: exclusivePerLocation(part, name, masking).slice(0, width),
  };
}

/** The subtree of a call path as a profile of its own, with the given metrics only. */
function subtree(profile: Profile, metrics: readonly string[], first: number, end: number): Profile {
  const width = profile.locations.length;
  const cells = (column: Float64Array): Float64Array => column.subarray(first * width, end * width);
  const { parent, region, fileId } = profile.callPaths;
  const chosen = <Column>(columns: ReadonlyMap<string, Column>, map: (column: Column) => Column) =>
    new Map(
      [...columns].flatMap(([name, column]) =>
        metrics.includes(name) ? [[name, map(column)] as const] : [],
      ),
    );
  return {
    ...profile,
    callPaths: {
      count: end - first,
      parent: parent.slice(first, end).map((above) => Math.max(-1, above - first)),
      region: region.subarray(first, end),
      fileId: fileId.subarray(first, end),
    },
    stored: chosen(profile.stored, cells),
    ...(profile.components === undefined
      ? {}
      : {
          components: chosen(profile.components, (parts) => parts.map(cells)),
        }),
  };
}
