import type { Profile } from './profile';

/**
 * Attribute of a profile whose locations are sums over several processes each (as many as it says in all): its totals are those of the run, and differences between
 * its locations say how many processes each has.
 */
export const summedAttribute = 'kymo::summedProcesses';

export function isSummed({ attributes }: Pick<Profile, 'attributes'>): boolean {
  return attributes.has(summedAttribute);
}
