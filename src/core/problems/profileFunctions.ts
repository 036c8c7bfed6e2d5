import { at, atFloat } from '../at';
import { present } from '../present';
import { waitingTimeMetric } from '../profile/metrics';
import { recordedPartOf, type RecordedPart } from '../profile/recordedPart';
import { flatProfile, type FlatProfile } from '../profile/regions';
import type { PropertyContext } from './context/propertyContext';
import { withWaitingOfBase } from '../functions/mpiStart';
import { shareOf, type Share } from '../functions/share';

/** A function of a profile with its times and their shares of the base; also other regions, such as MPI's and OpenMP's. */
export interface ProfileFunction {
  readonly key: string;
  readonly name: string;
  readonly mangled?: string;
  readonly file?: string;
  readonly line?: number;
  /** Over all threads and processes. */
  readonly visits: number;
  readonly inclusiveSeconds: number;
  readonly exclusiveSeconds: number;
  readonly inclusiveShare: Share;
  readonly exclusiveShare: Share;
  /** The part of the run that its visits and times are of; absent: all of it. */
  readonly recordedPart?: RecordedPart;
  /** Waiting time as in the base, which the times above do not contain; absent: the profile does not have it. */
  readonly waiting?: { readonly inclusiveSeconds: number; readonly exclusiveSeconds: number };
  /** Positions of its regions in the profile. */
  readonly regions: readonly number[];
}

/** The executed functions, the most exclusive time first. */
export function profileFunctions(context: PropertyContext): readonly ProfileFunction[] {
  const { profile, keys, times, base, regionsOf } = context;
  const waiting =
    base.clock === 'cpu' ? flatProfile(withWaitingOfBase(profile, base), waitingTimeMetric.name) : undefined;
  return profile.regions
    .flatMap((region, index): readonly ProfileFunction[] => {
      const own = at(times.regions, index);
      if (own.visits === 0 && own.inclusiveSeconds === 0) return [];
      const { visits, inclusiveSeconds, exclusiveSeconds } = own;
      const { name, mangledName, file, firstLine } = region;
      return [
        {
          key: at(keys, index),
          name,
          ...present({ mangled: mangledName, file, line: firstLine }),
          visits,
          inclusiveSeconds,
          exclusiveSeconds,
          inclusiveShare: shareOf(inclusiveSeconds, base),
          exclusiveShare: shareOf(exclusiveSeconds, base),
          ...present({
            recordedPart: recordedPartOf(region),
            waiting: waiting && waitingOf(waiting, index),
          }),
          regions: at(regionsOf, index),
        },
      ];
    })
    .sort((a, b) => b.exclusiveSeconds - a.exclusiveSeconds || (a.key < b.key ? -1 : 1));
}

function waitingOf(waiting: FlatProfile, region: number): Required<ProfileFunction>['waiting'] {
  return {
    inclusiveSeconds: atFloat(waiting.inclusive, region),
    exclusiveSeconds: atFloat(waiting.exclusive, region),
  };
}
