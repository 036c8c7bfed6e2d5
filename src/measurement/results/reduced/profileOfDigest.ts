import { counted } from '../../../core/format';
import { at } from '../../../core/at';
import { rangeText, type Cluster, type Digest } from '../../../core/digest/digest';
import type { Profile } from '../../../core/profile/profile';
import { summedAttribute } from '../../../core/profile/summed';
import { mergeProcesses, type ProgramOfProcesses } from '../mergeProcesses';
import { resultsOfDigest } from './resultsOfDigest';

/** The profile of a run so far with a location for each cluster, which has the sums over its processes and is named by their ranks. */
export async function profileOfDigest(digest: Digest, program: ProgramOfProcesses): Promise<Profile> {
  const { profile } = await mergeProcesses(resultsOfDigest(digest), program);
  const processes = digest.clusters.reduce((sum, cluster) => sum + cluster.processes, 0);
  // Each has one location in one process, in this order.
  const clusterOf = new Map(profile.locations.map(({ process }, i) => [process, at(digest.clusters, i)]));
  return {
    ...profile,
    attributes: new Map([
      ...profile.attributes,
      ['kymo::processes', String(processes)],
      [summedAttribute, String(processes)],
    ]),
    system: profile.system.map((node, position) => {
      const cluster = clusterOf.get(position);
      return cluster === undefined ? node : { ...node, name: nameOf(cluster) };
    }),
    locations: profile.locations.map((location, i) => ({
      ...location,
      name: `sum of ${counted(at(digest.clusters, i).threads, 'thread', 'threads')}`,
    })),
  };
}

function nameOf({ ranks, processes }: Cluster): string {
  const named = `${processes === 1 ? 'rank' : 'ranks'} ${shortened(rangeText(ranks))}`;
  return processes === 1 ? named : `${named} (sum of ${processes} processes)`;
}

/** Ranks that are not neighbours make long lists. */
function shortened(ranks: string): string {
  const most = 60;
  return ranks.length <= most ? ranks : `${ranks.slice(0, ranks.lastIndexOf(',', most) + 1)}…`;
}
