import { timedOneIn } from '../profile/metrics';
import type { Region } from '../profile/profile';
import { visitCost, type PairCosts, type SiteKind } from './pairCost';

/** Assumed kind of a patch point whose kind is unknown, as in the properties. */
export const usualSite: SiteKind = 'entry';

/**
 * Seconds that recording one visit of a region takes on average: by the kind of its site, and by how many of its visits are timed. What is
 * not recorded through sites or by the compiler (MPI, OpenMP, artificial regions) costs nothing here.
 */
export function recordingCost(region: Region, costs: PairCosts, site: SiteKind = usualSite): number {
  if (!['compiler', 'user'].includes(region.paradigm)) return 0;
  return visitCost(costs[site], timedOneIn(region));
}
