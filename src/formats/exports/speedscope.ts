import { atFloat, atInt, atUint } from '../../core/at';
import { present } from '../../core/present';
import { metricNamed } from '../../core/profile/metrics';
import type { Profile } from '../../core/profile/profile';
import { subtreeEnds } from '../../core/profile/tree';
import { exclusive, exclusivePerLocation } from '../../core/profile/values';

/** The file format of speedscope: https://www.speedscope.app/file-format-schema.json */
export interface SpeedscopeFile {
  readonly $schema: 'https://www.speedscope.app/file-format-schema.json';
  readonly name: string;
  readonly exporter: string;
  readonly activeProfileIndex: number;
  readonly shared: { readonly frames: readonly SpeedscopeFrame[] };
  readonly profiles: readonly SpeedscopeProfile[];
}

interface SpeedscopeFrame {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

interface SpeedscopeProfile {
  readonly type: 'evented';
  readonly name: string;
  readonly unit: 'seconds' | 'bytes' | 'none';
  readonly startValue: number;
  readonly endValue: number;
  readonly events: readonly {
    readonly type: 'O' | 'C';
    readonly frame: number;
    readonly at: number;
  }[];
}

/** Maximum number of locations: nobody can choose from a longer list. */
const mostLocations = 256;

/**
 * A metric's call tree for speedscope: a profile of all locations together, then one of each (up to 256, if there are
 * several). A profile has no times, so the children of a call path follow each other from its beginning, and its own
 * share comes last. Negative exclusive values (broken counters) count as 0. Throws `KymoError` for unknown or derived metrics.
 */
export function speedscopeFile(profile: Profile, name: string, metric = 'time'): SpeedscopeFile {
  const { unit } = metricNamed(profile, metric);
  const speedscopeUnit = unit === 'sec' ? 'seconds' : unit === 'bytes' ? 'bytes' : 'none';
  const ends = subtreeEnds(profile.callPaths);
  const profiles = [oneProfile(profile, 'all locations', exclusive(profile, metric), ends, speedscopeUnit)];
  const width = profile.locations.length;
  if (width > 1 && width <= mostLocations) {
    const values = exclusivePerLocation(profile, metric);
    profile.locations.forEach(({ rank, thread, name: location }, l) => {
      const exclusive = Float64Array.from({ length: profile.callPaths.count }, (_, i) =>
        atFloat(values, i * width + l),
      );
      profiles.push(
        oneProfile(profile, `rank ${rank}, thread ${thread} (${location})`, exclusive, ends, speedscopeUnit),
      );
    });
  }
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name,
    exporter: 'kymo',
    activeProfileIndex: 0,
    shared: {
      frames: profile.regions.map((region) => ({
        name: region.name,
        ...present({ file: region.file, line: region.firstLine }),
      })),
    },
    profiles,
  };
}

function oneProfile(
  profile: Profile,
  name: string,
  exclusive: Float64Array,
  ends: Uint32Array,
  unit: SpeedscopeProfile['unit'],
): SpeedscopeProfile {
  const { count, parent, region } = profile.callPaths;
  const executed = subtreesWithValues(exclusive, ends);
  const events: { type: 'O' | 'C'; frame: number; at: number }[] = [];
  let now = 0;
  let open = -1;
  const closeUntil = (ancestor: number): void => {
    while (open !== ancestor) {
      now += Math.max(0, atFloat(exclusive, open));
      events.push({ type: 'C', frame: atUint(region, open), at: now });
      open = atInt(parent, open);
    }
  };
  for (let i = 0; i < count; i++) {
    if (executed[i] !== 1) continue;
    closeUntil(atInt(parent, i));
    events.push({ type: 'O', frame: atUint(region, i), at: now });
    open = i;
  }
  closeUntil(-1);
  return { type: 'evented', name, unit, startValue: 0, endValue: now, events };
}

/** 1 for call paths with a positive value in their subtree; the bars of others would have no width. */
function subtreesWithValues(exclusive: Float64Array, ends: Uint32Array): Uint8Array {
  const result = new Uint8Array(exclusive.length);
  // The next call path with a value, in a scan from the end of the tree.
  let following = Infinity;
  for (let i = exclusive.length - 1; i >= 0; i--) {
    if (atFloat(exclusive, i) > 0) following = i;
    if (following < atUint(ends, i)) result[i] = 1;
  }
  return result;
}
