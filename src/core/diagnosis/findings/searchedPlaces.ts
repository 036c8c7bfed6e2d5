import type { Base } from '../../functions/base';
import type { RegionPlace } from '../../profile/place';
import type { Focus, ResourcePath } from '../resources/focus';

/** What the resources of a search are in the program, for those who read of them: a finished measurement knows it, and so do the agents of a running program. */
export interface SearchedPlaces {
  /** The function that a resource of `Code` is, with its key; undefined for modules and the root. */
  readonly functionOf: (code: ResourcePath) => SearchedFunction | undefined;
  /** What shares of the metric are of, in the whole program. */
  readonly base: (metric: string) => Base;
  /** The part (0…1) of the base that a part of the machine has. */
  readonly partOf: (metric: string, focus: Focus) => number;
  /** Ranks of a part of the machine; of an imbalance those that compute longest there. */
  readonly ranks: (metric: string, focus: Focus) => readonly number[];
  /** Number of processes. */
  readonly processes: number;
}

interface SearchedFunction {
  readonly key: string;
  /** For sentences. */
  readonly name: string;
  readonly place: RegionPlace;
}
