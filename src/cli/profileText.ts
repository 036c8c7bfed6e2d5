import path from 'node:path';
import { formatCount, formatPercent, formatValue } from '../core/format';
import { timedOneIn } from '../core/profile/metrics';
import { total } from '../core/profile/hotPath';
import type { Metric, Profile, Region } from '../core/profile/profile';
import { flatProfile } from '../core/profile/regions';
import { exclusivePerLocation } from '../core/profile/values';
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

/** A profile as people read it: the regions with the most exclusive time (or of the first metric there is). */
export function profileText(profile: Profile, options: ProfileTextOptions): string {
  const metric = mainMetric(profile);
  if (metric === undefined) return `${printable(options.title)}: no metric with values\n`;
  const flat = flatProfile(profile, metric.name);
  const whole = total(profile, metric.name);
  const order = [...flat.exclusive.keys()]
    .filter((region) => flat.exclusive[region] !== 0 || flat.visits[region] !== 0)
    .sort((a, b) => (flat.exclusive[b] ?? 0) - (flat.exclusive[a] ?? 0) || a - b);
  const shown = order.slice(0, options.rows);
  const spread = options.perLocation ? spreadOf(profile, metric) : undefined;
  const rows = shown.map((region) => {
    const own = flat.exclusive[region] ?? 0;
    const visits = flat.visits[region] ?? 0;
    return [
      whole > 0 ? formatPercent(own / whole) : '–',
      formatValue(own, metric.unit),
      formatValue(flat.inclusive[region] ?? 0, metric.unit),
      formatCount(visits),
      visits > 0 ? formatValue(own / visits, metric.unit) : '–',
      ...(spread === undefined ? [] : spread(region)),
      shortened(printable(profile.regions[region]?.name ?? '?')),
      printable(placeOf(profile.regions[region], options.folder)),
    ];
  });
  const what = metric.name;
  const spreadHeads = spread === undefined ? [] : ['least', 'mean', 'most', 'at rank:thread'];
  const heads = [
    'share',
    `own ${what}`,
    'with callees',
    'visits',
    'own/visit',
    ...spreadHeads,
    'region',
    'place',
  ];
  const left = order.length - shown.length;
  return [
    summary(profile, metric, whole, options.title),
    '',
    table(heads, rows, heads.length - 2),
    ...shown.flatMap((region) => estimateNote(profile.regions[region])),
    ...(left > 0 ? [`… and ${left} more regions (--top ${order.length} shows all)`] : []),
    '',
  ].join('\n');
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
function spreadOf(profile: Profile, metric: Metric): (region: number) => string[] {
  const width = profile.locations.length;
  const values = exclusivePerLocation(profile, metric.name);
  const sums = new Float64Array(profile.regions.length * width);
  profile.callPaths.region.forEach((region, i) => {
    for (let l = 0; l < width; l++)
      sums[region * width + l] = (sums[region * width + l] ?? 0) + (values[i * width + l] ?? 0);
  });
  return (region) => {
    const own = sums.subarray(region * width, (region + 1) * width);
    const least = own.reduce((a, b) => Math.min(a, b), Infinity);
    const most = own.reduce((a, b) => Math.max(a, b), -Infinity);
    const mean = own.reduce((a, b) => a + b, 0) / width;
    const at = profile.locations[own.indexOf(most)];
    return [
      ...[least, mean, most].map((value) => formatValue(value, metric.unit)),
      at === undefined ? '–' : `${at.rank}:${at.thread}`,
    ];
  };
}

function placeOf(region: Region | undefined, folder: string): string {
  if (region?.file === undefined) return '';
  const relative = path.relative(folder, region.file);
  const file = path.isAbsolute(region.file) && !relative.startsWith('..') ? relative : region.file;
  return region.firstLine === undefined ? file : `${file}:${region.firstLine}`;
}
