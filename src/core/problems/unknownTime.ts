import { at, atFloat, atUint } from '../at';
import { formatPercent } from '../format';
import { sourceFile } from '../profile/place';
import { problem } from './context/problem';
import type { Property } from '../properties/property';
import type { PropertyContext } from './context/propertyContext';

/** Number of names in a title. */
const shownNames = 3;

/** Time that no source explains: outside all recorded functions, below Score-P's depth limit, in functions without a source. */
export function findUnknownTime(context: PropertyContext): readonly Property[] {
  return [...unrecorded(context), ...collapsed(context), ...withoutSource(context)];
}

/** Exclusive time of the root that stands for the program. Those that stand for threads are idle there. */
function unrecorded(context: PropertyContext): readonly Property[] {
  const { profile, activities } = context;
  let seconds = 0;
  profile.callPaths.parent.forEach((above, path) => {
    const region = atUint(profile.callPaths.region, path);
    if (above >= 0 || activities[region] !== 'artificial') return;
    if (/^(THREADS|TASKS|PARALLEL|KERNELS)$/.test(at(profile.regions, region).name)) return;
    seconds += atFloat(context.times.callPathSeconds, path);
  });
  return share(context, 'unrecorded', seconds, (percent, words) => {
    return `${percent} of ${words} is spent outside all recorded functions`;
  });
}

/** Score-P's pseudo region for what is deeper than its limit. */
function collapsed(context: PropertyContext): readonly Property[] {
  const { profile, activities, times } = context;
  const index = profile.regions.findIndex(
    ({ name }, region) => name === 'COLLAPSE' && activities[region] === 'artificial',
  );
  return share(context, 'collapsed', times.regions[index]?.exclusiveSeconds ?? 0, (percent, words) => {
    return `${percent} of ${words} is in calls deeper than Score-P records: raise SCOREP_PROFILING_MAX_CALLPATH_DEPTH`;
  });
}

function withoutSource(context: PropertyContext): readonly Property[] {
  const { profile, activities, times, names } = context;
  const functions = profile.regions.flatMap((region, index) => {
    const seconds = at(times.regions, index).exclusiveSeconds;
    const isKnown = activities[index] !== 'computation' || sourceFile(region) !== undefined;
    return isKnown || seconds <= 0 ? [] : [{ name: at(names, index), seconds }];
  });
  functions.sort((a, b) => b.seconds - a.seconds);
  const total = functions.reduce((sum, { seconds }) => sum + seconds, 0);
  const listed = functions.slice(0, shownNames).map(({ name }) => name);
  const more = functions.length > shownNames ? ` and ${functions.length - shownNames} more` : '';
  return share(context, 'no-source', total, (percent, words) => {
    return `${percent} of ${words} is in functions whose source is not known (${listed.join(', ')}${more}): compile with -g`;
  });
}

function share(
  { base, whole, thresholds }: PropertyContext,
  what: string,
  seconds: number,
  title: (percent: string, words: string) => string,
): readonly Property[] {
  const settings = { reportThreshold: thresholds.activityShare };
  return problem({ rule: 'unknown-time', sums: { time: seconds }, base, settings }, (severity) => ({
    id: `unknown-time:${what}`,
    title: title(formatPercent(severity), whole.words),
    evidence: {
      exclusiveSeconds: seconds,
      exclusiveShare: severity,
      thresholdShare: thresholds.activityShare,
    },
  }));
}
