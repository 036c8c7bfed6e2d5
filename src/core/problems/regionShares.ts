import { at, atFloat, atInt, atUint } from '../at';
import { pushTo } from '../remembered';
import { timedOneIn } from '../profile/metrics';
import type { Region } from '../profile/profile';
import { recordedPartOf, recordedPartWords } from '../profile/recordedPart';
import { callPathNames } from '../profile/tree';
import { formatPercent } from '../format';
import { timeWords, type Base } from '../functions/base';
import { shareOf } from '../functions/share';
import type { RunTimes } from '../functions/regionTimes';
import type { Activity } from '../functions/activities';
import { present } from '../present';
import { nearestFunction, placeOf, sourceFile, type RegionPlace } from '../profile/place';
import { isProblem, problem, type RunSums } from './context/problem';
import type { Property } from '../properties/property';
import type { PropertyKind } from '../properties/kinds';
import type { PropertyContext } from './context/propertyContext';

/** The kind of property of a region that takes long; other activities have none. */
const kinds: Readonly<Partial<Record<Activity, PropertyKind>>> = {
  computation: 'hot-spot',
  communication: 'communication',
  synchronisation: 'synchronisation',
  io: 'io',
  memory: 'memory',
};

/** Below this part of its time being the program's own, a title must not sound as if it were. */
const leastUndisturbed = 0.5;

/**
 * Regions whose own (exclusive) time is a large share of the run: hot spots of computation, and the calls of libraries that take long.
 * Where a region is called in several ways, each call path that reaches the threshold by itself refines it.
 */
export function findRegionShares(context: PropertyContext): readonly Property[] {
  const { profile, activities } = context;
  const paths = pathsByRegion(context);
  return profile.regions.flatMap((region, index) => {
    const kind = kinds[at(activities, index)];
    return kind === undefined
      ? []
      : sharesOf(context, {
          region,
          index,
          kind,
          paths: paths.get(index) ?? [],
          ...(kind === 'hot-spot' ? context : context.elapsed),
        });
  });
}

interface Subject {
  readonly region: Region;
  readonly index: number;
  readonly kind: PropertyKind;
  readonly paths: readonly number[];
  /** Of computation without waiting; of everything else with it. */
  readonly times: RunTimes;
  readonly base: Base;
}

function sharesOf(context: PropertyContext, subject: Subject): readonly Property[] {
  const { keys, thresholds } = context;
  const { region, index, kind, paths, times, base } = subject;
  const { exclusiveSeconds, inclusiveSeconds, visits } = at(times.regions, index);
  return problem(sumsOf(context, subject, exclusiveSeconds), (severity) => {
    const cost = context.costOf(index);
    const interval = timedOneIn(region);
    const unrecorded = context.unrecordedCalleesOf(index);
    const undisturbed = context.undisturbedOf(index);
    const heaviest = [...paths].sort((a, b) => secondsOf(times, b) - secondsOf(times, a))[0] ?? -1;
    return {
      id: `${kind}:${at(keys, index)}`,
      title: `${subjectName(context, index, heaviest)}${itself(kind, unrecorded)} takes ${formatPercent(severity)} of ${timeWords(base)}${estimated(interval)}${partly(region)}${disturbed(undisturbed)}`,
      // The more of the measured time is the measurement's own cost, the less reliable is the rest.
      confidence:
        cost === undefined || cost.calibrated
          ? exclusiveSeconds / (exclusiveSeconds + visits * (cost?.pairSeconds ?? 0))
          : undisturbed,
      region: placeOrCaller(context, region, heaviest),
      ...present({ callPath: paths.length === 1 ? callPathNames(context.profile, heaviest) : undefined }),
      evidence: {
        exclusiveSeconds,
        inclusiveSeconds,
        exclusiveShare: severity,
        inclusiveShare: shareOf(inclusiveSeconds, base),
        visits,
        ...present({
          timedOneIn: interval,
          unrecordedCallees: unrecorded > 0 ? unrecorded : undefined,
          undisturbedShare: undisturbed < 1 ? undisturbed : undefined,
        }),
        thresholdShare: thresholds.hotSpotShare,
      },
    };
  }).flatMap((property) => [property, ...refinements(context, property, subject)]);
}

function sumsOf({ thresholds }: PropertyContext, { kind, base }: Subject, time: number): RunSums {
  return { rule: kind, sums: { time }, base, settings: { reportThreshold: thresholds.hotSpotShare } };
}

/** An OpenMP construct stands in a function; it is named with it. */
function subjectName({ profile, names }: PropertyContext, index: number, path: number): string {
  const name = at(names, index);
  if (profile.regions[index]?.paradigm !== 'openmp') return name;
  const around = nearestFunction(profile, path);
  const aroundName = around === undefined ? undefined : names[profile.regions.indexOf(around)];
  return aroundName === undefined ? name : `${name} in ${aroundName}`;
}

/** A library has no source: what can be looked at is where it is called. */
function placeOrCaller({ profile }: PropertyContext, region: Region, path: number): RegionPlace {
  const caller = sourceFile(region) === undefined ? nearestFunction(profile, path) : undefined;
  return caller === undefined ? placeOf(region) : { ...placeOf(caller), name: region.name };
}

/** Exclusive time of a function is that of the function and of whatever it calls that is not recorded. */
function itself(kind: PropertyKind, unrecordedCallees: number): string {
  if (kind !== 'hot-spot') return '';
  return unrecordedCallees === 0 ? ' itself' : ', with callees that are not recorded,';
}

function estimated(interval: number | undefined): string {
  return interval === undefined ? '' : ` (estimated from 1 of ${interval} visits)`;
}

function partly(region: Region): string {
  const part = recordedPartOf(region);
  return part === undefined ? '' : ` (${recordedPartWords(part)})`;
}

function disturbed(undisturbed: number): string {
  return undisturbed < leastUndisturbed ? ', most of it the cost of recording' : '';
}

function refinements(context: PropertyContext, property: Property, subject: Subject): readonly Property[] {
  const { region, index, paths, times, base } = subject;
  if (paths.length < 2) return [];
  const { profile, thresholds, names } = context;
  const sums = (path: number): RunSums => sumsOf(context, subject, secondsOf(times, path));
  const heavy = paths.filter((path) => isProblem(sums(path)));
  const callers = distinctCallers(context, heavy);
  return heavy.flatMap((path, position) => {
    const from = `${region.paradigm === 'openmp' ? 'in' : 'when called from'} ${at(callers, position)}`;
    return problem(sums(path), (severity) => ({
      ...property,
      id: `${property.id}@${fnv1a(keyPath(context, path))}`,
      title: `${at(names, index)} takes ${formatPercent(severity)} of ${timeWords(base)} ${from}${estimated(property.evidence.timedOneIn)}${partly(region)}`,
      severity,
      region: placeOrCaller(context, region, path),
      callPath: callPathNames(profile, path),
      evidence: {
        exclusiveSeconds: secondsOf(times, path),
        exclusiveShare: severity,
        thresholdShare: thresholds.hotSpotShare,
      },
      refines: property.id,
    })).filter((own) => !isAllOf(own, property));
  });
}

/** A call path with all the time of its function, as far as it is shown, would only repeat the finding of the function. */
function isAllOf({ severity = 0 }: Property, { severity: whole = 0 }: Property): boolean {
  return formatPercent(severity) === formatPercent(whole);
}

/** Of each path, as many callers as tell it from the others: `EncodeTree in CalculateTreeSize`. */
function distinctCallers(context: PropertyContext, paths: readonly number[]): readonly string[] {
  const texts = new Array<string>(paths.length).fill('the root');
  let pending = paths.flatMap((path, position) => {
    const caller = callerOf(context, path);
    return caller === undefined ? [] : [{ position, caller, text: caller.name }];
  });
  while (pending.length > 0) {
    const alike = new Map<string, number>();
    for (const { text } of pending) alike.set(text, (alike.get(text) ?? 0) + 1);
    pending = pending.flatMap(({ position, caller, text }) => {
      texts[position] = text;
      const above = alike.get(text) === 1 ? undefined : callerOf(context, caller.path);
      return above === undefined ? [] : [{ position, caller: above, text: `${text} in ${above.name}` }];
    });
  }
  return texts;
}

function callerOf(
  { profile: { callPaths }, names }: PropertyContext,
  path: number,
): { readonly path: number; readonly name: string } | undefined {
  const above = atInt(callPaths.parent, path);
  return above < 0 ? undefined : { path: above, name: at(names, atUint(callPaths.region, above)) };
}

function secondsOf(times: RunTimes, path: number): number {
  return atFloat(times.callPathSeconds, path);
}

function pathsByRegion({ profile }: PropertyContext): ReadonlyMap<number, readonly number[]> {
  const paths = new Map<number, number[]>();
  profile.callPaths.region.forEach((region, path) => pushTo(paths, region, path));
  return paths;
}

function keyPath({ profile, keys }: PropertyContext, path: number): string {
  const names: string[] = [];
  for (let current = path; current >= 0; current = atInt(profile.callPaths.parent, current))
    names.push(at(keys, atUint(profile.callPaths.region, current)));
  return names.join('\n');
}

/** 32 bits are plenty for the call paths of one function; 8 hex digits. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
