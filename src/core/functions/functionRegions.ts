import { samplingAttribute, timedOneIn } from '../profile/metrics';
import type { Profile, Region } from '../profile/profile';

/**
 * The same profile with one region per function: clones of a template or of an inline function in several units are one function, whose
 * recursion through another clone must not count twice. `keys` are function keys per region.
 */
export function oneRegionPerFunction(
  profile: Profile,
  keys: readonly string[],
): { readonly profile: Profile; readonly keys: readonly string[] } {
  const positions = new Map<string, number>();
  const regions: Region[] = [];
  const position = profile.regions.map((region, index) => {
    const key = keys[index] ?? region.name;
    const known = positions.get(key);
    if (known === undefined) {
      positions.set(key, regions.length);
      return regions.push(region) - 1;
    }
    regions[known] = withSampling(regions[known] ?? region, region);
    return known;
  });
  if (regions.length === profile.regions.length) return { profile, keys };
  const region = profile.callPaths.region.map((index) => position[index] ?? 0);
  return {
    profile: { ...profile, regions, callPaths: { ...profile.callPaths, region } },
    keys: [...positions.keys()],
  };
}

/** A function is estimated when one of its regions is. */
function withSampling(kept: Region, other: Region): Region {
  const interval = timedOneIn(other);
  if (interval === undefined || timedOneIn(kept) !== undefined) return kept;
  return {
    ...kept,
    attributes: new Map([...(kept.attributes ?? []), [samplingAttribute, String(interval)]]),
  };
}
