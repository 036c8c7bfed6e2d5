import { readFile } from 'node:fs/promises';
import { KymoError } from '../../core/errors';
import { foldIterations } from '../../core/profile/foldIterations';
import type { Metric, Profile } from '../../core/profile/profile';
import { subtreeEnds } from '../../core/profile/tree';
import { exclusive, inclusive } from '../../core/profile/values';
import type { PropertyInput } from '../../core/properties/makeContext';
import { readCube } from '../../formats/cube4/read';
import { profileIdentity, RecentResults } from '../recentResults';
import type { FunctionReport } from '../studies';
import { asMeasured, profileOrigin, type ProfileOrigin } from '../profileOrigin';

/** A profile as a viewer asks for it piece by piece. */
export interface CachedProfile extends Omit<ProfileOrigin, 'functions'> {
  /** Changes with the file. */
  readonly id: string;
  readonly file: string;
  readonly profile: Profile;
  /** Those with values that can be shown. */
  readonly metrics: readonly Metric[];
  /** Per metric, one value per call path, combined over locations. */
  readonly inclusive: readonly Float64Array[];
  readonly exclusive: readonly Float64Array[];
  readonly subtreeEnds: Uint32Array;
  readonly functions: FunctionsByRegion;
  /** As the analyses take it. */
  readonly input: PropertyInput;
}

/** More metrics (hardware counters) than this are left out. */
const mostMetrics = 32;
/** Two are compared; a third one is where the user comes from. */
const mostProfiles = 3;

const recent = new RecentResults<CachedProfile>(mostProfiles);

/**
 * The profile in a file, parsed once as long as the file does not change.
 * @param id of the profile that is meant; another one by now is an error (`profile-changed`)
 * @throws KymoError `profile-missing`, `profile-changed`, and what `readCube` throws
 */
export async function cachedProfile(file: string, id?: string): Promise<CachedProfile> {
  const now = await profileIdentity(file);
  if (id !== undefined && id !== now)
    throw new KymoError('profile-changed', `${file} has changed since it was opened. It is read again.`, {
      file,
    });
  const key = `${file}\n${now}`;
  return recent.get(key, () => parse(file, now));
}

async function parse(file: string, id: string): Promise<CachedProfile> {
  const read = readCube(await readFile(file), file);
  // Where a function is the phase, its visits are in its iterations; these have a view of their own.
  const profile = read.attributes.has('kymo::selection') ? foldIterations(read) : read;
  const usable = profile.metrics.filter(({ stored, ghost }) => stored !== 'derived' && ghost !== true);
  const metrics = usable
    .filter(({ name }) => name === 'time' || name === 'visits' || profile.stored.has(name))
    .slice(0, mostMetrics);
  const origin = await profileOrigin(file, profile);
  return {
    id,
    file,
    profile,
    metrics,
    inclusive: metrics.map(({ name }) => inclusive(profile, name)),
    exclusive: metrics.map(({ name }) => exclusive(profile, name)),
    subtreeEnds: subtreeEnds(profile.callPaths),
    ...origin,
    functions: new FunctionsByRegion(origin.functions),
    input: asMeasured(profile, origin),
  };
}

/** What is known of the functions behind regions: by mangled name, else by name and place. */
export class FunctionsByRegion {
  private readonly known = new Map<string, FunctionReport>();

  constructor(functions: readonly FunctionReport[]) {
    for (const one of functions) {
      if (one.mangledName !== undefined) this.known.set(one.mangledName, one);
      this.known.set(placeKey(one.name, one.file, one.line), one);
    }
  }

  of({ name, mangledName, file, firstLine }: Profile['regions'][number]): FunctionReport | undefined {
    return this.known.get(mangledName ?? '') ?? this.known.get(placeKey(name, file, firstLine));
  }
}

function placeKey(name: string, file = '', line = 0): string {
  return `${name}\n${file}\n${line}`;
}
