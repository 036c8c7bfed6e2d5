import { at } from '../at';
import { samplingAttribute, timedOneIn } from '../profile/metrics';
import type { Profile, Region } from '../profile/profile';

export interface FunctionRegions {
  readonly profile: Profile;
  /** Function key per region. */
  readonly keys: readonly string[];
  /** Per region, the positions of its original regions. */
  readonly regionsOf: readonly (readonly number[])[];
}

/**
 * The same profile with one region per function: clones of a template or of an inline function in several units are one function, whose
 * recursion through another clone must not count twice. `keys` are function keys per region.
 */
export function oneRegionPerFunction(profile: Profile, keys: readonly string[]): FunctionRegions {
  const positions = new Map<string, number>();
  const regions: Region[] = [];
  const regionsOf: number[][] = [];
  const position = profile.regions.map((region, index) => {
    const key = at(keys, index);
    const known = positions.get(key);
    if (known === undefined) {
      positions.set(key, regions.length);
      regionsOf.push([index]);
      return regions.push(region) - 1;
    }
    at(regionsOf, known).push(index);
    regions[known] = withSampling(at(regions, known), region);
    return known;
  });
  const keyOf = [...positions.keys()];
  if (regions.length === profile.regions.length) return { profile, keys: keyOf, regionsOf };
  const region = profile.callPaths.region.map((index) => at(position, index));
  return {
    profile: { ...profile, regions, callPaths: { ...profile.callPaths, region } },
    keys: keyOf,
    regionsOf,
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
