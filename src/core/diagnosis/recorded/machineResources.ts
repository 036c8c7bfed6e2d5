import { at } from '../../at';
import type { Profile } from '../../profile/profile';
import { isSummed } from '../../profile/summed';
import { workGroups } from '../../profile/workGroups';
import { getOrMake } from '../../getOrMake';
import type { ResourcePath } from '../resources/focus';
import { pathKey } from '../resources/pathKey';

/** Hosts, processes and threads of a profile. */
export interface MachineResources {
  /** Positions of the locations below each resource, by `pathKey`; the root has all that do the program's work. */
  readonly locations: ReadonlyMap<string, Uint32Array>;
  /** Names below each resource, by `pathKey`. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** The locations one by one, process by process. */
  readonly threads: readonly { readonly location: number; readonly machine: ResourcePath }[];
}

/** A process of one thread has no thread below it. */
export function machineResources(profile: Profile): MachineResources {
  const locations = new Map<string, number[]>([[pathKey([]), []]]);
  const children = new Map<string, Set<string>>();
  const threads: { readonly location: number; readonly machine: ResourcePath }[] = [];
  for (const { rank, locations: own } of workGroups(profile.locations).ranks)
    for (const location of own) {
      const { process, thread } = at(profile.locations, location);
      const name = isSummed(profile) ? at(profile.system, process).name : `rank ${rank}`;
      const whole = [hostOf(profile, process), name, ...(own.length > 1 ? [`thread ${thread}`] : [])];
      threads.push({ location, machine: whole });
      whole.forEach((part, depth) => {
        getOrMake(children, pathKey(whole.slice(0, depth)), () => new Set<string>()).add(part);
      });
      for (let depth = 0; depth <= whole.length; depth++)
        getOrMake(locations, pathKey(whole.slice(0, depth)), (): number[] => []).push(location);
    }
  return {
    locations: new Map([...locations].map(([key, own]) => [key, Uint32Array.from(own)])),
    children: new Map([...children].map(([key, own]) => [key, [...own]])),
    threads,
  };
}

function hostOf({ system }: Profile, process: number): string {
  const parent = at(system, process).parent;
  return parent === undefined ? 'host' : at(system, parent).name;
}
