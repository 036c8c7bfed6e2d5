import { timedOneIn } from '../profile/metrics';
import { callPathNames } from '../profile/tree';
import { formatPercent } from '../format';
import type { PropertyContext } from './propertyContext';
import { placeOf, shareOf } from './place';
import type { Property } from './property';

/**
 * Functions whose own (exclusive) time is a large share of the run. Where a function is called in several ways, each call path that
 * reaches the threshold by itself refines it.
 */
export function findHotSpots(context: PropertyContext): readonly Property[] {
  const { profile, times, keys, thresholds } = context;
  const paths = pathsByRegion(context);
  return profile.regions.flatMap((region, index) => {
    const own = times.regions[index];
    const severity = shareOf(own?.exclusiveSeconds ?? 0, times.totalSeconds);
    if (own === undefined || severity < thresholds.hotSpotShare) return [];
    const cost = context.costOf(index)?.pairSeconds ?? 0;
    const interval = timedOneIn(region);
    const unrecorded = context.unrecordedCalleesOf(index);
    const id = `hot-spot:${keys[index] ?? region.name}`;
    const property: Property = {
      id,
      kind: 'hot-spot',
      title: `${region.name} takes ${formatPercent(severity)} of the run time ${where(unrecorded)}${estimated(interval)}`,
      severity,
      // The more of what was measured is the measurement's own cost, the less the rest can be relied on.
      confidence: own.exclusiveSeconds / (own.exclusiveSeconds + own.visits * cost),
      region: placeOf(region),
      evidence: {
        exclusiveSeconds: own.exclusiveSeconds,
        inclusiveSeconds: own.inclusiveSeconds,
        exclusiveShare: severity,
        inclusiveShare: shareOf(own.inclusiveSeconds, times.totalSeconds),
        visits: own.visits,
        ...(interval === undefined ? {} : { timedOneIn: interval }),
        ...(unrecorded > 0 ? { unrecordedCallees: unrecorded } : {}),
        thresholdShare: thresholds.hotSpotShare,
      },
    };
    return [property, ...refinements(context, property, paths.get(index) ?? [])];
  });
}

/** Exclusive time is that of the function and of whatever it calls that is not recorded. */
function where(unrecordedCallees: number): string {
  return unrecordedCallees === 0 ? 'itself' : 'itself and in functions that are not recorded';
}

function estimated(interval: number | undefined): string {
  return interval === undefined ? '' : ` (estimated from 1 of ${interval} visits)`;
}

function refinements(
  context: PropertyContext,
  whole: Property,
  paths: readonly number[],
): readonly Property[] {
  if (paths.length < 2) return [];
  const { profile, times, thresholds } = context;
  return paths.flatMap((path) => {
    const seconds = times.callPathSeconds[path] ?? 0;
    const severity = shareOf(seconds, times.totalSeconds);
    if (severity < thresholds.hotSpotShare) return [];
    const callPath = callPathNames(profile, path);
    const caller = callPath.at(-2) ?? 'the root';
    return [
      {
        ...whole,
        id: `${whole.id}@${fnv1a(keyPath(context, path))}`,
        title: `${whole.region?.name ?? ''} takes ${formatPercent(severity)} of the run time when called from ${caller}${estimated(whole.evidence.timedOneIn)}`,
        severity,
        callPath,
        evidence: {
          exclusiveSeconds: seconds,
          exclusiveShare: severity,
          thresholdShare: thresholds.hotSpotShare,
        },
        refines: whole.id,
      },
    ];
  });
}

function pathsByRegion({ profile }: PropertyContext): ReadonlyMap<number, readonly number[]> {
  const paths = new Map<number, number[]>();
  profile.callPaths.region.forEach((region, path) => {
    const list = paths.get(region);
    if (list === undefined) paths.set(region, [path]);
    else list.push(path);
  });
  return paths;
}

function keyPath({ profile, keys }: PropertyContext, path: number): string {
  const names: string[] = [];
  for (let at = path; at >= 0; at = profile.callPaths.parent[at] ?? -1) {
    names.push(keys[profile.callPaths.region[at] ?? -1] ?? '');
  }
  return names.join('\n');
}

/** 32 bits are plenty for the call paths of one function; 8 hex digits. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
