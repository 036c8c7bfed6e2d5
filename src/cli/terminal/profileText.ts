import path from 'node:path';
import { formatCount, formatPercent, formatValue } from '../../core/format';
import { baseText } from '../../core/functions/base';
import { profileFunctions } from '../../core/problems/profileFunctions';
import { timedOneIn } from '../../core/profile/metrics';
import { total } from '../../core/profile/hotPath';
import type { Metric, Profile, Region } from '../../core/profile/profile';
import { flatProfile } from '../../core/profile/regions';
import { exclusivePerLocation } from '../../core/profile/values';
import type { PropertyContext } from '../../core/problems/context/propertyContext';
import { printable, shortened, table } from './table';

export interface ProfileTextOptions {
  readonly title: string;
  /** Adds how the regions' values spread over locations. */
  readonly perLocation: boolean;
  /** Regions to show at most. */
  readonly rows: number;
  /** Absolute; files in it are shown relative to it. */
  readonly folder: string;
}

/** What is known of a region, whatever the metric is. */
interface Row {
  readonly region: Region | undefined;
  readonly inclusive: number;
  readonly exclusive: number;
  /** Of the whole; absent: there is none. */
  readonly inclusiveShare?: number;
  readonly exclusiveShare?: number;
  readonly visits: number;
  readonly waiting?: number;
  /** Positions in the profile. */
  readonly regions: readonly number[];
}

/**
 * A profile as people read it: the regions with the most exclusive time, and what that is a share of; of the first metric there is, if
 * there is no time.
 */
export function profileText(
  profile: Profile,
  context: PropertyContext | undefined,
  options: ProfileTextOptions,
): string {
  const metric = mainMetric(profile);
  if (metric === undefined) return `${printable(options.title)}: no metric with values\n`;
  const all = total(profile, metric.name);
  const rows = context === undefined ? metricRows(profile, metric, all) : timeRows(context);
  const shown = rows.slice(0, options.rows);
  const spread = options.perLocation ? spreadOf(profile, metric) : undefined;
  const waits = shown.some(({ waiting }) => waiting !== undefined);
  const heads = [
    'exclusive',
    'inclusive',
    `exclusive ${metric.name}`,
    `inclusive ${metric.name}`,
    ...(waits ? ['waiting'] : []),
    'visits',
    'exclusive/visit',
    ...(spread === undefined ? [] : ['least', 'mean', 'most', 'at rank:thread']),
    'region',
    'place',
  ];
  const cells = shown.map(({ region, inclusive, exclusive, visits, waiting, regions, ...shares }) => [
    shares.exclusiveShare === undefined ? '–' : formatPercent(shares.exclusiveShare),
    shares.inclusiveShare === undefined ? '–' : formatPercent(shares.inclusiveShare),
    formatValue(exclusive, metric.unit),
    formatValue(inclusive, metric.unit),
    ...(waits ? [formatValue(waiting ?? 0, metric.unit)] : []),
    formatCount(visits),
    visits > 0 ? formatValue(exclusive / visits, metric.unit) : '–',
    ...(spread === undefined ? [] : spread(regions)),
    shortened(printable(region?.name ?? '?')),
    printable(placeOf(region, options.folder)),
  ]);
  const left = rows.length - shown.length;
  return [
    summary(profile, metric, all, options.title),
    ...(context === undefined ? [] : [`Shares of ${printable(baseText(context.base))}.`]),
    '',
    table(heads, cells, heads.length - 2),
    ...shown.flatMap(({ region }) => estimateNote(region)),
    ...profile.metrics.flatMap(metricNote),
    ...(left > 0 ? [`… and ${left} more regions (--top ${rows.length} shows all)`] : []),
    '',
  ].join('\n');
}

function metricNote({ name, note }: Metric): readonly string[] {
  return note === undefined ? [] : [`${printable(name)}: ${printable(note)}`];
}

/** Without waiting and the cost of recording: the same numbers as everywhere. */
function timeRows(context: PropertyContext): readonly Row[] {
  return profileFunctions(context).map((row) => ({
    region: context.profile.regions[context.keys.indexOf(row.key)],
    inclusive: row.inclusiveSeconds,
    exclusive: row.exclusiveSeconds,
    ...(context.base.seconds > 0
      ? { inclusiveShare: row.inclusiveShare, exclusiveShare: row.exclusiveShare }
      : {}),
    visits: row.visits,
    ...(row.waiting === undefined ? {} : { waiting: row.waiting.inclusiveSeconds }),
    regions: row.regions,
  }));
}

/** Of a metric that is no time, parts of all of it. */
function metricRows(profile: Profile, metric: Metric, all: number): readonly Row[] {
  const flat = flatProfile(profile, metric.name);
  return profile.regions
    .map((region, index) => ({
      region,
      inclusive: flat.inclusive[index] ?? 0,
      exclusive: flat.exclusive[index] ?? 0,
      visits: flat.visits[index] ?? 0,
      regions: [index],
    }))
    .map((row) =>
      all > 0 ? { ...row, inclusiveShare: row.inclusive / all, exclusiveShare: row.exclusive / all } : row,
    )
    .filter(({ exclusive, visits }) => exclusive !== 0 || visits !== 0)
    .sort((a, b) => b.exclusive - a.exclusive);
}

/** Visits are exact all the same. */
function estimateNote(region: Region | undefined): string[] {
  const interval = timedOneIn(region);
  return interval === undefined
    ? []
    : [`Times of ${shortened(printable(region?.name ?? '?'))} are estimated from 1 of ${interval} visits.`];
}

function mainMetric(profile: Profile): Metric | undefined {
  const candidates = profile.metrics.filter(
    (metric) => metric.stored !== 'derived' && metric.combine === 'sum',
  );
  return candidates.find((metric) => metric.name === 'time') ?? candidates[0];
}

function summary(profile: Profile, metric: Metric, whole: number, title: string): string {
  const ranks = new Set(profile.locations.map((location) => location.rank)).size;
  return [
    `${printable(title)}: ${metric.displayName} ${formatValue(whole, metric.unit)}`,
    `${counted(profile.callPaths.count, 'call path')} of ${counted(profile.regions.length, 'region')}`,
    `${counted(profile.locations.length, 'location')} in ${counted(ranks, 'rank')}`,
  ].join(', ');
}

function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** Per region: least, mean and most exclusive value of a location, and which one has the most. */
function spreadOf(profile: Profile, metric: Metric): (regions: readonly number[]) => string[] {
  const width = profile.locations.length;
  const values = exclusivePerLocation(profile, metric.name);
  const sums = new Float64Array(profile.regions.length * width);
  profile.callPaths.region.forEach((region, i) => {
    for (let l = 0; l < width; l++)
      sums[region * width + l] = (sums[region * width + l] ?? 0) + (values[i * width + l] ?? 0);
  });
  return (regions) => {
    const own = new Float64Array(width);
    for (const region of regions)
      for (let l = 0; l < width; l++) own[l] = (own[l] ?? 0) + (sums[region * width + l] ?? 0);
    const least = own.reduce((a, b) => Math.min(a, b), Infinity);
    const most = own.reduce((a, b) => Math.max(a, b), -Infinity);
    const mean = own.reduce((a, b) => a + b, 0) / width;
    const location = profile.locations[own.indexOf(most)];
    return [
      ...[least, mean, most].map((value) => formatValue(value, metric.unit)),
      location === undefined ? '–' : `${location.rank}:${location.thread}`,
    ];
  };
}

function placeOf(region: Region | undefined, folder: string): string {
  if (region?.file === undefined) return '';
  const relative = path.relative(folder, region.file);
  const file = path.isAbsolute(region.file) && !relative.startsWith('..') ? relative : region.file;
  return region.firstLine === undefined ? file : `${file}:${region.firstLine}`;
}
