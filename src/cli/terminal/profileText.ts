import path from 'node:path';
import { counted, formatCount, formatPercent, formatValue } from '../../core/format';
import { preemptionSentence } from '../../core/cost/runConditions';
import { baseText, togetherWords } from '../../core/functions/base';
import { profileFunctions } from '../../core/problems/profileFunctions';
import { timedOneIn } from '../../core/profile/metrics';
import { total } from '../../core/profile/hotPath';
import type { Metric, Profile, Region } from '../../core/profile/profile';
import { recordedPartOf } from '../../core/profile/recordedPart';
import { flatProfile } from '../../core/profile/regions';
import { exclusivePerLocation } from '../../core/profile/values';
import type { PropertyContext } from '../../core/problems/context/propertyContext';
import { partSentence } from './partSentence';
import { longestName, printable, rowsText, shortened, type Rows } from './table';

export interface ProfileTextOptions {
  readonly title: string;
  /** Adds the spread of the regions' values over locations. */
  readonly perLocation: boolean;
  /** Maximum number of shown regions. */
  readonly rows: number;
  /** Absolute path; files below it are shown relative to it. */
  readonly folder: string;
}

/** Values of a region for any metric. */
interface Row {
  readonly region: Region | undefined;
  readonly inclusive: number;
  readonly exclusive: number;
  /** Share (0…1) of the total; absent if the total is 0. */
  readonly inclusiveShare?: number;
  readonly exclusiveShare?: number;
  readonly visits: number;
  readonly waiting?: number;
  /** Position of the region in the profile of the context, or without one in the profile. */
  readonly position: number;
}

/**
 * A flat profile as text: the regions with the most exclusive time, and the base of the shares. Without a time metric, the first metric
 * replaces time.
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
  const left = rows.length - shown.length;
  return [
    summary(profile, metric, all, options.title),
    ...(context === undefined ? [] : [`Shares of ${printable(baseText(context.base, whose(profile)))}.`]),
    ...preemption(profile, context),
    '',
    rowsText(rowsOf(profile, context, metric, shown, options)),
    ...shown.flatMap(({ region }) => [...estimateNote(region), ...partNote(region)]),
    ...profile.metrics.flatMap(metricNote),
    ...(left > 0 ? [`… and ${left} more regions (--top ${rows.length} shows all)`] : []),
    '',
  ].join('\n');
}

/** A row for each function of a profile with time, the most exclusive time first. */
export function hotRows(context: PropertyContext, options: Omit<ProfileTextOptions, 'title'>): Rows {
  const { profile } = context;
  const metric = mainMetric(profile);
  const shown = timeRows(context).slice(0, options.rows);
  return metric === undefined
    ? { heads: [], cells: [], numbers: 0 }
    : rowsOf(profile, context, metric, shown, options);
}

function rowsOf(
  profile: Profile,
  context: PropertyContext | undefined,
  metric: Metric,
  shown: readonly Row[],
  options: Omit<ProfileTextOptions, 'title'>,
): Rows {
  const spread = options.perLocation ? spreadOf(profile, context, metric) : undefined;
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
  const cells = shown.map(({ region, inclusive, exclusive, visits, waiting, position, ...shares }) => [
    shares.exclusiveShare === undefined ? '–' : formatPercent(shares.exclusiveShare),
    shares.inclusiveShare === undefined ? '–' : formatPercent(shares.inclusiveShare),
    formatValue(exclusive, metric.unit),
    formatValue(inclusive, metric.unit),
    ...(waits ? [formatValue(waiting ?? 0, metric.unit)] : []),
    formatCount(visits),
    visits > 0 ? formatValue(exclusive / visits, metric.unit) : '–',
    ...(spread === undefined ? [] : spread(position)),
    printable(region?.name ?? '?'),
    printable(placeOf(region, options.folder)),
  ]);
  return { heads, cells, numbers: heads.length - 2, longest: { region: longestName } };
}

function metricNote({ name, note }: Metric): readonly string[] {
  return note === undefined ? [] : [`${printable(name)}: ${printable(note)}`];
}

/** Rows without waiting and without the cost of recording: the same numbers as everywhere. */
function timeRows(context: PropertyContext): readonly Row[] {
  const positions = new Map(context.keys.map((key, position) => [key, position]));
  return profileFunctions(context).map((row) => ({
    position: positions.get(row.key) ?? -1,
    region: context.profile.regions[positions.get(row.key) ?? -1],
    inclusive: row.inclusiveSeconds,
    exclusive: row.exclusiveSeconds,
    ...(context.base.seconds > 0
      ? { inclusiveShare: row.inclusiveShare, exclusiveShare: row.exclusiveShare }
      : {}),
    visits: row.visits,
    ...(row.waiting === undefined ? {} : { waiting: row.waiting.inclusiveSeconds }),
  }));
}

/** Rows of a metric that is no time, with shares of its total. */
function metricRows(profile: Profile, metric: Metric, all: number): readonly Row[] {
  const flat = flatProfile(profile, metric.name);
  return profile.regions
    .map((region, index) => ({
      region,
      inclusive: flat.inclusive[index] ?? 0,
      exclusive: flat.exclusive[index] ?? 0,
      visits: flat.visits[index] ?? 0,
      position: index,
    }))
    .map((row) =>
      all > 0 ? { ...row, inclusiveShare: row.inclusive / all, exclusiveShare: row.exclusive / all } : row,
    )
    .filter(({ exclusive, visits }) => exclusive !== 0 || visits !== 0)
    .sort((a, b) => b.exclusive - a.exclusive);
}

/** Explains that times of sampled visits are estimates and visits are exact. */
function estimateNote(region: Region | undefined): string[] {
  const interval = timedOneIn(region);
  return interval === undefined
    ? []
    : [`Times of ${shortened(printable(region?.name ?? '?'))} are estimated from 1 of ${interval} visits.`];
}

/** Nothing may hide that numbers are not of the whole run. */
function partNote(region: Region | undefined): string[] {
  const part = recordedPartOf(region);
  return part === undefined ? [] : [partSentence(region?.name ?? '?', part)];
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

/** The clock of computing time stands still then, and that of the wall does not. */
export function preemption(profile: Profile, context: PropertyContext | undefined): readonly string[] {
  const sentence = context?.base.clock === 'cpu' ? preemptionSentence(profile) : undefined;
  return sentence === undefined
    ? []
    : [`${sentence} Times below are without that, unlike wall times and traces.`];
}

function whose({ locations }: Profile): string {
  return togetherWords(new Set(locations.map(({ rank }) => rank)).size, locations.length);
}

/** Least, mean and greatest exclusive value of a location per region, as the row has it of all together, and the location with the greatest. */
function spreadOf(
  whole: Profile,
  context: PropertyContext | undefined,
  metric: Metric,
): (position: number) => string[] {
  const profile = context?.profile ?? whole;
  const values = context?.cells ?? exclusivePerLocation(whole, metric.name);
  const width = profile.locations.length;
  const sums = new Float64Array(profile.regions.length * width);
  profile.callPaths.region.forEach((region, i) => {
    for (let l = 0; l < width; l++)
      sums[region * width + l] = (sums[region * width + l] ?? 0) + (values[i * width + l] ?? 0);
  });
  return (position) => {
    const own = sums.subarray(position * width, (position + 1) * width);
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
