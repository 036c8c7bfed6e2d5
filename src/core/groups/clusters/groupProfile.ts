import type { AttributeOptions } from '../attributes/artificial';
import { profileContext } from '../attributes/profileContext';
import type { ProcessContext } from '../context';
import type { Profile } from '../../profile/profile';
import { clusterProcesses, type Clustering, type ClusterOptions } from './clusterProcesses';
import { representative } from './representative';
import { timeVectors } from './timeVectors';

/** The clusters of a profile's locations. */
export interface ProfileGroups {
  readonly context: ProcessContext;
  readonly clustering: Clustering;
  /** By cluster, the process that stands for it. */
  readonly representatives: readonly number[];
}

/** Groups the locations of a profile, whose iterations should be folded, by what they call. */
export function groupProfile(
  profile: Profile,
  options: AttributeOptions & ClusterOptions = {},
): ProfileGroups {
  const context = profileContext(profile, options);
  const clustering = clusterProcesses(context, options);
  const vectors = timeVectors(profile);
  return {
    context,
    clustering,
    representatives: clustering.clusters.map(({ processes }) => representative(vectors, processes)),
  };
}
