import type { ProfileHeader } from '../../src/core/profileViews/profilePieces';

export interface ComparedProfiles {
  readonly main: Pick<ProfileHeader, 'target' | 'metrics'>;
  readonly compare: Pick<ProfileHeader, 'target' | 'metrics' | 'title'>;
  /** Call paths of both together, and those that both have. */
  readonly callPaths: number;
  readonly inBoth: number;
  /** Position of the metric that is shown. */
  readonly metric: number;
}

/** What the differences mean: how much of the two runs could be compared at all. */
export function comparisonText({ main, compare, callPaths, inBoth, metric }: ComparedProfiles): string {
  const isOther = main.target !== undefined && compare.target !== undefined && main.target !== compare.target;
  const whole = main.metrics[metric];
  const missing = whole !== undefined && !compare.metrics.some(({ name }) => name === whole.name);
  return [
    `Compared with ${compare.title}.`,
    ...(isOther ? ['It is another program: call paths are matched by the names along them.'] : []),
    inBoth === 0
      ? 'No call path is in both, so all differences are whole values.'
      : inBoth === callPaths
        ? 'Both have the same call paths.'
        : `${inBoth} of ${callPaths} call paths are in both.`,
    ...(missing ? [`The other one has no metric ${whole.displayName}, so there are no differences.`] : []),
  ].join(' ');
}
