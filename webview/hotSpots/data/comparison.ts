import { baseText } from '../../../src/core/functions/base';
import type { ProfileHeader } from '../../../src/core/views/profilePieces';

export interface ComparedProfiles {
  readonly main: Pick<ProfileHeader, 'target' | 'metrics' | 'chosen'>;
  readonly compare: Pick<ProfileHeader, 'target' | 'metrics' | 'title' | 'chosen'>;
  /** Call paths of both together, and those that both have. */
  readonly callPaths: number;
  readonly inBoth: number;
  /** Position of the shown metric. */
  readonly metric: number;
}

/** Base of the shares and times of the shown metric; undefined for metrics without one. */
export function shownBaseText(
  main: Pick<ProfileHeader, 'base' | 'metrics'>,
  compare: Pick<ProfileHeader, 'base'> | undefined,
  metric: number,
): string | undefined {
  if (main.base === undefined || main.metrics[metric]?.name !== 'time') return undefined;
  const comparison = compare?.base === undefined ? '' : `; compared with ${baseText(compare.base)}`;
  return `Shares of ${baseText(main.base)}${comparison}.`;
}

/** The compared run may have other processes than the chosen ones. */
function processesText({ chosen }: ComparedProfiles['main'], compare: ComparedProfiles['compare']): string {
  if (chosen === undefined) return '';
  return compare.chosen === undefined ? ', all processes of it' : `, ${compare.chosen.text} of it`;
}

/** Explains the differences: how much of the two runs could be compared. */
export function comparisonText({ main, compare, callPaths, inBoth, metric }: ComparedProfiles): string {
  const isOther = main.target !== undefined && compare.target !== undefined && main.target !== compare.target;
  const shownMetric = main.metrics[metric];
  const missing = shownMetric !== undefined && !compare.metrics.some(({ name }) => name === shownMetric.name);
  return [
    `Compared with ${compare.title}${processesText(main, compare)}.`,
    ...(isOther ? ['It is another program: call paths are matched by their names.'] : []),
    inBoth === 0
      ? 'No call path is in both, so the differences are the values themselves.'
      : inBoth === callPaths
        ? 'Both have the same call paths.'
        : `${inBoth} of ${callPaths} call paths are in both.`,
    ...(missing
      ? [`The compared run has no metric ${shownMetric.displayName}, so there are no differences.`]
      : []),
  ].join(' ');
}
