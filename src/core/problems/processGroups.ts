import { hasTime } from '../profile/metrics';
import { formatCount } from '../format';
import { profileContext } from '../groups/attributes/profileContext';
import { compareGroups } from '../groups/comparison/compareGroups';
import { profileTimes } from '../groups/differences/processTimes';
import { processNoun } from '../groups/words';
import { condensedNames } from '../groups/processNames';
import type { Property } from '../properties/property';
import type { PropertyContext } from './context/propertyContext';

const mostNamed = 4;
const mostCharacters = 40;

/** Which processes call the same, where there are several groups that a user can go by. */
export function findProcessGroups({ profile }: PropertyContext): readonly Property[] {
  const context = profileContext(profile);
  const comparison = compareGroups(context, {}, (own) =>
    hasTime(profile) ? profileTimes(profile, own) : undefined,
  );
  const { clusters } = comparison.clustering;
  const { verdict } = comparison;
  if (clusters.length < 2 || verdict === 'irregular') return [];
  const names = clusters
    .slice(0, mostNamed)
    .map(({ processes }) => condensedNames(context.processes, processes))
    .map((name) => (name.length > mostCharacters ? `${name.slice(0, mostCharacters - 1)}…` : name));
  const more = clusters.length - names.length;
  return [
    {
      id: 'process-groups:run',
      kind: 'process-groups',
      title: `${formatCount(context.processes.length)} ${processNoun(context.processes)}s in ${clusters.length} groups by the functions that they call: ${names.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
      confidence: 1,
      evidence: { processes: context.processes.length, groups: clusters.length },
    },
  ];
}
