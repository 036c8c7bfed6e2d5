import { relative } from './numbers';
import type { ProfileJson } from '../../src/formats/exports/json';

/** Values of one metric, `[callPath][location]`. */
type Cells = readonly (readonly number[])[];

export interface TreeOutputs {
  /** `kymo profile show --json` */
  readonly combined: ProfileJson;
  /** The same with `--per-location`. */
  readonly perLocation: ProfileJson;
}

/** A column that is a part of a call path's own time. */
const waits = /^(waiting_time|mpi_(?!.*(completion|bytes|count)).*)$/;

/** What contradicts itself in the call tree of a profile: a sentence for each call path and metric. */
export function treeContradictions({ combined, perLocation }: TreeOutputs): readonly string[] {
  const names = pathNames(combined);
  const metrics = Object.keys(combined.values);
  return [
    ...sameShape(combined, perLocation),
    ...metrics.flatMap((metric) => childrenWithin(perLocation, metric, names)),
    ...metrics.flatMap((metric) => locationsAddUp({ combined, perLocation }, metric, names)),
    ...timeWithoutVisits(perLocation, names),
    ...meanBetweenExtremes(perLocation, names),
    ...waitingWithin(perLocation),
    ...receivedAsSent(combined),
  ];
}

function sameShape(combined: ProfileJson, perLocation: ProfileJson): readonly string[] {
  const same = (['metrics', 'regions', 'callTree', 'locations'] as const).filter(
    (part) => JSON.stringify(combined[part]) !== JSON.stringify(perLocation[part]),
  );
  return same.map((part) => `profile show: ${part} differ with and without --per-location`);
}

/** `main > solve > kernel` */
export function pathNames({
  callTree,
  regions,
}: Pick<ProfileJson, 'callTree' | 'regions'>): readonly string[] {
  const names: string[] = [];
  for (const { parent, region } of callTree) {
    const own = regions[region]?.name ?? '?';
    names.push(parent < 0 ? own : `${names[parent] ?? '?'} > ${own}`);
  }
  return names;
}

/** Sums: own value and those of the callees make the inclusive one, and none is negative. */
function childrenWithin(profile: ProfileJson, metric: string, names: readonly string[]): readonly string[] {
  if (!isSum(profile, metric)) return [];
  const [inclusive, exclusive] = [cells(profile, metric, 'inclusive'), cells(profile, metric, 'exclusive')];
  const sums = exclusive.map((row) => [...row]);
  // Parents come before their children.
  for (const [path, { parent }] of [...profile.callTree.entries()].reverse()) {
    const above = sums[parent];
    sums[path]?.forEach((value, location) => {
      if (above !== undefined) above[location] = (above[location] ?? 0) + value;
    });
  }
  return names.flatMap((name, path) =>
    profile.locations.flatMap((_, location) => {
      const own = exclusive[path]?.[location] ?? 0;
      const whole = inclusive[path]?.[location] ?? 0;
      const sum = sums[path]?.[location] ?? 0;
      const where = `${metric} of ${name} at ${placeOf(profile, location)}`;
      return [
        // Rounding of differences of times: below a nanosecond.
        ...(own < -1e-9 - relative * whole
          ? [`${where}: its callees have ${whole - own} of its ${whole}`]
          : []),
        ...(Math.abs(sum - whole) > 1e-9 + relative * whole
          ? [`${where}: ${whole}, its parts are ${sum}`]
          : []),
      ];
    }),
  );
}

function locationsAddUp(
  { combined, perLocation }: TreeOutputs,
  metric: string,
  names: readonly string[],
): readonly string[] {
  // Inclusive extremes of a location count call paths below that it never visited, as the Cube library does (docs/INTERFACES.md).
  const kinds = isSum(perLocation, metric) ? (['inclusive', 'exclusive'] as const) : (['exclusive'] as const);
  const visits = cells(perLocation, 'visits', 'exclusive');
  return kinds.flatMap((kind) => {
    const each = cells(perLocation, metric, kind);
    const all = combined.values[metric]?.[kind] ?? [];
    return names.flatMap((name, path) => {
      const whole = Number(all[path]);
      const parts = combination(dtypeOf(perLocation, metric), each[path] ?? [], visits[path] ?? []);
      return parts === undefined || Math.abs(parts - whole) <= 1e-9 + relative * Math.abs(whole)
        ? []
        : [`${kind} ${metric} of ${name}: ${whole}, and its locations have ${parts} together`];
    });
  });
}

/** Minima and maxima are of the locations that visited the call path. */
function combination(dtype: string, row: readonly number[], visits: readonly number[]): number | undefined {
  if (dtype !== 'MINDOUBLE' && dtype !== 'MAXDOUBLE') return row.reduce((sum, value) => sum + value, 0);
  const visited = row.filter((_, location) => (visits[location] ?? 0) > 0);
  if (visited.length === 0) return undefined;
  return dtype === 'MINDOUBLE' ? Math.min(...visited) : Math.max(...visited);
}

/** A location that never was on a call path spent no time of its own there. Program roots and threads' parts below others' paths have callees' time. */
function timeWithoutVisits(profile: ProfileJson, names: readonly string[]): readonly string[] {
  const [time, visits] = [cells(profile, 'time', 'exclusive'), cells(profile, 'visits', 'exclusive')];
  if (time.length === 0 || visits.length === 0) return [];
  return names.flatMap((name, path) =>
    profile.locations.flatMap((_, location) => {
      const seconds = time[path]?.[location] ?? 0;
      return seconds > 1e-9 && visits[path]?.[location] === 0
        ? [`${name} at ${placeOf(profile, location)} takes ${seconds} s itself, and was never visited`]
        : [];
    }),
  );
}

/** Of paths whose visits were all timed; what is estimated lies between the extremes of other visits. */
function meanBetweenExtremes(profile: ProfileJson, names: readonly string[]): readonly string[] {
  const of = (metric: string, kind: 'inclusive' | 'exclusive' = 'exclusive'): Cells =>
    cells(profile, metric, kind);
  const [least, most] = [of('min_time'), of('max_time')];
  const [time, visits, timed] = [of('time', 'inclusive'), of('visits'), of('kymo_timed_visits')];
  if (least.length === 0 || most.length === 0) return [];
  const at = (rows: Cells, path: number, location: number): number => rows[path]?.[location] ?? 0;
  return names.flatMap((name, path) =>
    profile.locations.flatMap((_, location) => {
      const count = at(visits, path, location);
      if (count === 0 || (timed.length > 0 && at(timed, path, location) < count)) return [];
      const mean = at(time, path, location) / count;
      const [low, high] = [at(least, path, location), at(most, path, location)];
      const slack = 1e-9 + relative * mean;
      return low <= mean + slack && mean <= high + slack
        ? []
        : [`${name} at ${placeOf(profile, location)}: ${mean} s per visit, between ${low} and ${high} s`];
    }),
  );
}

/**
 * Of call paths with all their iterations. What a process waited for others in MPI is known when it ends, and stands beside the iterations; how much of
 * the wait at the end of a parallel region a thread was blocked is known when it continues, which may be in the next iteration (docs/formats.md).
 */
function waitingWithin(profile: ProfileJson): readonly string[] {
  const names = pathNames(profile).map((name) => name.replaceAll(/ > instance=\d+/g, ''));
  const time = sumsBy(names, cells(profile, 'time', 'exclusive'));
  return Object.keys(profile.values)
    .filter((metric) => waits.test(metric) && unitOf(profile, metric) === 'sec')
    .flatMap((metric) =>
      [...sumsBy(names, cells(profile, metric, 'exclusive'))].flatMap(([name, row]) =>
        row.flatMap((part, location) => {
          const whole = time.get(name)?.[location] ?? 0;
          return part > whole + 1e-9 + relative * whole
            ? [`${name} at ${placeOf(profile, location)}: ${part} s ${metric} in ${whole} s`]
            : [];
        }),
      ),
    );
}

function sumsBy(names: readonly string[], rows: Cells): ReadonlyMap<string, readonly number[]> {
  const sums = new Map<string, readonly number[]>();
  rows.forEach((row, path) => {
    const before = sums.get(names[path] ?? '');
    sums.set(
      names[path] ?? '',
      before === undefined ? row : before.map((value, at) => value + (row[at] ?? 0)),
    );
  });
  return sums;
}

/** What one process sends another one receives; of collective operations as Score-P counts them. */
function receivedAsSent(profile: ProfileJson): readonly string[] {
  return [['bytes_sent', 'bytes_received'] as const].flatMap(([sent, received]) => {
    if (!(sent in profile.values) || !(received in profile.values)) return [];
    const [out, back] = [totalOf(profile, sent), totalOf(profile, received)];
    return out === back ? [] : [`the job sends ${out} bytes and receives ${back}`];
  });
}

export function totalOf(profile: Pick<ProfileJson, 'values'>, metric: string): number {
  return (profile.values[metric]?.exclusive ?? []).reduce<number>((sum, value) => sum + Number(value), 0);
}

/** Empty where the profile lacks the metric. */
export function cells(profile: ProfileJson, metric: string, kind: 'inclusive' | 'exclusive'): Cells {
  // Whole numbers above 2^53 are text.
  return (profile.values[metric]?.[kind] ?? []).map((row) =>
    (row as readonly (number | string)[]).map(Number),
  );
}

function isSum(profile: ProfileJson, metric: string): boolean {
  return !/^(MIN|MAX)DOUBLE$/.test(dtypeOf(profile, metric));
}

function dtypeOf({ metrics }: ProfileJson, metric: string): string {
  return metrics.find(({ name }) => name === metric)?.dtype ?? '';
}

function unitOf({ metrics }: ProfileJson, metric: string): string {
  return metrics.find(({ name }) => name === metric)?.unit ?? '';
}

function placeOf({ locations }: ProfileJson, location: number): string {
  const { rank = -1, thread = -1 } = locations[location] ?? {};
  return `rank ${rank}, thread ${thread}`;
}
