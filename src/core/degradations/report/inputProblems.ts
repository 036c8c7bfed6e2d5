/** Times of the input that cannot be true together, as sentences. */
import { formatCount, formatRoundPercent } from '../../format';
import { rankSet } from '../../properties/rankSet';
import { remembered } from '../../remembered';
import { computingMetric } from '../../series/series';
import type { PhaseTimes } from '../places/phaseTimes';
import type { PlaceOfRun } from './report';

/** Shares of the phase up to which times are equal but for rounding: of one region, and of the sum of all. */
const mostOfOne = 1.01;
const mostOfAll = 1.05;

/** The regions of a process or thread whose phase was measured. */
interface Lane {
  readonly rank: number;
  readonly phase: number;
  sum: number;
  largest: number;
  region: string;
}

/** @param places of ranks, and of all ranks together */
export function inputProblems(places: readonly PlaceOfRun[], phases: PhaseTimes): readonly string[] {
  const lanes = lanesOf(places, phases);
  const unit = unitNote(lanes);
  const above = lanes.filter(({ largest, phase }) => largest > mostOfOne * phase);
  const areInclusive = places.some(({ metrics }) => metrics.has(computingMetric));
  const overlapping = areInclusive
    ? []
    : lanes.filter((lane) => lane.sum > mostOfAll * lane.phase && !above.includes(lane));
  return [...aboveNote(above), ...overlapNote(overlapping), ...unit];
}

function lanesOf(places: readonly PlaceOfRun[], phases: PhaseTimes): readonly Lane[] {
  const lanes = new Map<string, Lane>();
  for (const { context, metrics, sums } of places) {
    const { region, rank, thread } = context;
    const time = metrics.get('time')?.sum;
    if (time === undefined || region.kind === 'phase' || !phases.isMeasured(rank, thread)) continue;
    if (!(sums.phaseTime > 0)) continue;
    const lane = remembered(lanes, `${rank}/${thread}`, () => ({
      ...{ rank, phase: sums.phaseTime, sum: 0, largest: 0, region: '' },
    }));
    lane.sum += time;
    if (time > lane.largest) [lane.largest, lane.region] = [time, region.name];
  }
  return [...lanes.values()];
}

const shareOfPhase = ({ phase }: Lane, time: number): string =>
  time < 10 * phase
    ? `${formatRoundPercent(time / phase)} of the time of its phase`
    : `${formatCount(Math.round(time / phase))} times as long as its phase`;

function ranksOf(lanes: readonly Lane[]): string {
  const ranks = rankSet(lanes.map(({ rank }) => rank));
  return /[-,]/.test(ranks) ? `ranks ${ranks}` : `rank ${ranks}`;
}

function aboveNote(lanes: readonly Lane[]): readonly string[] {
  const worst = maximum(lanes, ({ largest, phase }) => largest / phase);
  if (worst === undefined) return [];
  return [
    `A region takes more time than its phase on ${ranksOf(lanes)} (“${worst.region}” on rank ${worst.rank}: ${shareOfPhase(worst, worst.largest)}), so shares are above 100 %. Check that both have the same unit, and that the phase contains the region in every iteration.`,
  ];
}

function overlapNote(lanes: readonly Lane[]): readonly string[] {
  const worst = maximum(lanes, ({ sum, phase }) => sum / phase);
  if (worst === undefined) return [];
  return [
    `The times of the regions on ${ranksOf(lanes)} overlap or contain each other (on rank ${worst.rank} they add up to ${shareOfPhase(worst, worst.sum)}), so shares do not add up. Give each region its time without that of other regions.`,
  ];
}

/** Within these limits a ratio is that of two units of time: regions are most of their phase. */
const leastOfUnit = 0.8;
const unitRatios: readonly (readonly [ratio: number, units: string])[] = [
  [1e3, 'milliseconds beside seconds'],
  [1e6, 'microseconds beside seconds'],
  [1e9, 'nanoseconds beside seconds'],
];

function unitsOf(ratio: number): string | undefined {
  const [, units] =
    unitRatios.find(([unit]) => ratio >= leastOfUnit * unit && ratio <= unit / leastOfUnit) ?? [];
  return units;
}

/** Times of different units: of regions and their phase, or of the phases of two ranks. */
function unitNote(lanes: readonly Lane[]): readonly string[] {
  for (const lane of lanes) {
    const high = unitsOf(lane.sum / lane.phase);
    const low = unitsOf(lane.phase / lane.sum);
    const units = high ?? low;
    if (units === undefined) continue;
    const [longer, shorter] =
      high === undefined ? ['the phase takes', 'its regions'] : ['the regions take', 'their phase'];
    const ratio = formatCount(Math.round(Math.max(lane.sum / lane.phase, lane.phase / lane.sum)));
    return [
      `Times seem to have different units: on rank ${lane.rank}, ${longer} ${ratio} times as long as ${shorter}, as ${units} would. Write all times in one unit.`,
    ];
  }
  const longest = maximum(lanes, ({ phase }) => phase);
  const shortest = maximum(lanes, ({ phase }) => -phase);
  if (longest === undefined || shortest === undefined) return [];
  const ratio = longest.phase / shortest.phase;
  const units = unitsOf(ratio);
  return units === undefined
    ? []
    : [
        `Times seem to have different units: the phase takes ${formatCount(Math.round(ratio))} times as long on rank ${longest.rank} as on rank ${shortest.rank}, as ${units} would. Write all times in one unit.`,
      ];
}

function maximum(lanes: readonly Lane[], value: (lane: Lane) => number): Lane | undefined {
  return lanes.reduce<Lane | undefined>(
    (best, lane) => (best === undefined || value(lane) > value(best) ? lane : best),
    undefined,
  );
}
