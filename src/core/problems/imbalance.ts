import { at, atFloat } from '../at';
import { addTo, largestOf } from '../sums';
import { formatPercent } from '../format';
import { shareOf } from '../functions/share';
import { computation } from './computation';
import { workGroups, valuesOf, type WorkGroups } from '../profile/workGroups';
import { onlyOneThread } from './oneThread';
import { placeOf, type RegionPlace } from '../profile/place';
import { problem } from './context/problem';
import { leastImbalance } from '../rules/catalogue';
import { present } from '../present';
import type { Property } from '../properties/property';
import type { PropertyContext } from './context/propertyContext';
import { rankSet } from '../properties/rankSet';
import { waitingMembers, type Members, type Waiting } from './waitingMembers';

/** Share of all work from which a few members do it nearly alone. */
const aloneShare = 0.9;

/**
 * Work that is distributed unevenly: computation in which some ranks, or some threads of a rank, spend more time than others. The others
 * wait for them, so (maximum − mean) is lost, as in Cube's and Scalasca's imbalance; the severity is its share of the time of the
 * location that takes longest. A rank takes as long as its busiest thread. Late are those with the most computation; who waits for them is
 * named where the profile shows it. Where waiting in MPI may be in a function's own time, no rank is called late for it.
 */
export function findImbalances(context: PropertyContext): readonly Property[] {
  const { profile, keys, names } = context;
  const groups = workGroups(profile.locations);
  const work = computation(context, groups.teams);
  const width = profile.locations.length;
  const uneven = [...levels(groups, sumOf(work.shared, width))].flatMap(([level, spreads]) => {
    const regions = level === 'ranks' ? work.all : work.shared;
    const telling = level === 'ranks' ? regionsWithout(context, regions) : regions;
    const whole = wholeOf(context, { level, spread: spreads(sumOf(regions, width)) }, telling === regions);
    const parts = [...telling].flatMap(([region, values]) =>
      propertyOf(context, {
        level,
        spread: spreads(values),
        part: { name: at(names, region), place: placeOf(at(profile.regions, region)) },
      }).map((property) => ({
        ...property,
        id: `${property.id}:${at(keys, region)}`,
        ...present({ refines: whole[0]?.id }),
      })),
    );
    return [...whole, ...parts];
  });
  return [...onlyOneThread(context, groups), ...uneven];
}

/** Those whose own time is surely without waiting in MPI; the same map where nothing is hidden. */
function regionsWithout(
  { hidesMpi }: PropertyContext,
  regions: ReadonlyMap<number, Float64Array>,
): ReadonlyMap<number, Float64Array> {
  const telling = [...regions].filter(([region]) => !hidesMpi(region));
  return telling.length === regions.size ? regions : new Map(telling);
}

function wholeOf(
  context: PropertyContext,
  subject: { readonly level: Level; readonly spread: Spread },
  isTelling: boolean,
): readonly Property[] {
  const found = propertyOf(context, subject);
  if (isTelling) return found;
  return found.map(({ severity, confidence, base, evidence: { ranks = 0, imbalanceRatio = 0 } }) => ({
    ...present({ severity, base }),
    confidence,
    id: 'unknown-time:mpi',
    kind: 'unknown-time',
    title: `Which ranks are late is unknown: this profile does not show MPI, so waiting in MPI functions counts as work of their callers (times of ${ranks} ranks differ by ${formatPercent(imbalanceRatio)})`,
    evidence: { ranks, imbalanceRatio },
  }));
}

function sumOf(all: ReadonlyMap<number, Float64Array>, length: number): Float64Array {
  const sum = new Float64Array(length);
  for (const values of all.values()) addTo(sum, values);
  return sum;
}

/** Between ranks, or between the threads of the rank where most is lost. */
type Level = 'ranks' | 'threads';

/** How unevenly something is spread over members. */
interface Spread extends Members {
  /** Of `threads`: the rank that they belong to. */
  readonly rank?: number;
}

/** @param shared seconds per location of what several threads of a rank do; those that do nothing of it are no members */
function levels(
  { ranks, teams }: WorkGroups,
  shared: Float64Array,
): ReadonlyMap<Level, (values: Float64Array) => Spread> {
  const ofRanks = (values: Float64Array): Spread => ({
    members: ranks.map(({ rank }) => rank),
    seconds: ranks.map(({ locations }) => largestOf(valuesOf(values, locations))),
    locations: ranks.map(({ locations }) => locations),
  });
  const ofThreads = (values: Float64Array): Spread => {
    const spreads = teams.map(({ rank, locations, threads }) => {
      const own = locations.flatMap((location, index) =>
        atFloat(shared, location) > 0
          ? [{ thread: at(threads, index), seconds: atFloat(values, location), location }]
          : [],
      );
      return {
        members: own.map(({ thread }) => thread),
        seconds: own.map(({ seconds }) => seconds),
        locations: own.map(({ location }) => [location]),
        rank,
      };
    });
    return spreads.sort((a, b) => lostSeconds(b.seconds) - lostSeconds(a.seconds))[0] ?? nobody;
  };
  return new Map([
    ['ranks', ofRanks],
    ['threads', ofThreads],
  ]);
}

const nobody: Spread = { members: [], seconds: [], locations: [] };

/** A region whose work is a part of all. */
interface Part {
  readonly name: string;
  readonly place: RegionPlace;
}

function propertyOf(
  context: PropertyContext,
  subject: { readonly level: Level; readonly spread: Spread; readonly part?: Part },
): readonly Property[] {
  const { thresholds, whole } = context;
  const { level, spread, part } = subject;
  const { seconds, rank } = spread;
  const maximum = largestOf(seconds, 0);
  const mean = meanOf(seconds);
  const isRanks = level === 'ranks';
  const slowest = slowestOf(isRanks);
  const base = { ...context.base, processes: slowest, seconds: whole.longestSeconds };
  const settings = { reportThreshold: thresholds.imbalanceShare };
  const sums = { slowest: maximum, average: mean };
  const late = spread.members.filter((_, index) => at(seconds, index) > (maximum + mean) / 2);
  const activity = isRanks ? 'communication' : 'synchronisation';
  return problem({ rule: 'imbalance', sums, base, settings }, (severity) => {
    const waiting = waitingMembers(context, activity, spread, late);
    const who = sentence(spread, late, { maximum, mean, isRanks, name: part?.name });
    return {
      id: `imbalance:${level}`,
      title: `${who}${waitingWords(waiting, late.length, isRanks)} (costs ${formatPercent(severity)} of ${whole.words} of ${slowest})`,
      ...present({
        region: part?.place,
        ranks: rankSet(rank === undefined ? late : [rank]),
        waitingRanks: waiting === undefined || !isRanks ? undefined : rankSet(waiting.members),
      }),
      evidence: {
        maximumSeconds: maximum,
        meanSeconds: mean,
        minimumSeconds: -largestOf(seconds.map((own) => -own)),
        lostSeconds: maximum - mean,
        imbalanceRatio: shareOf(maximum - mean, { seconds: maximum }),
        [isRanks ? 'ranks' : 'threads']: seconds.length,
        [isRanks ? 'lateRanks' : 'lateThreads']: late.length,
        ...(waiting === undefined
          ? {}
          : {
              [isRanks ? 'waitingRanks' : 'waitingThreads']: waiting.members.length,
              waitingSeconds: waiting.seconds,
            }),
        thresholdRatio: leastImbalance,
        thresholdShare: thresholds.imbalanceShare,
      },
    };
  });
}

/** Whose time a loss is a share of: its time decides how long the others wait. */
export function slowestOf(isRanks: boolean): string {
  return `the slowest ${isRanks ? 'rank' : 'thread'}`;
}

/** `; ranks 0-2 wait for it, most of all in MPI_Barrier` */
function waitingWords(waiting: Waiting | undefined, late: number, isRanks: boolean): string {
  if (waiting === undefined) return '';
  const { members, where } = waiting;
  const isOne = members.length === 1;
  const who = `${isRanks ? 'rank' : 'thread'}${isOne ? '' : 's'} ${rankSet(members)}`;
  const place = where === undefined ? '' : `, most of all in ${where}`;
  return `; ${who} ${isOne ? 'waits' : 'wait'} for ${late === 1 ? 'it' : 'them'}${place}`;
}

interface Words {
  readonly maximum: number;
  readonly mean: number;
  readonly isRanks: boolean;
  readonly name: string | undefined;
}

function sentence(
  { members, seconds, rank }: Spread,
  late: readonly number[],
  { maximum, mean, isRanks, name }: Words,
): string {
  const kind = isRanks ? 'rank' : 'thread';
  const who = `${kind}${late.length === 1 ? '' : 's'} ${rankSet(late)}${rank === undefined || rank === 0 ? '' : ` of rank ${rank}`}`;
  const ofLate = seconds.reduce(
    (sum, value, index) => sum + (late.includes(at(members, index)) ? value : 0),
    0,
  );
  const all = mean * seconds.length;
  if (name !== undefined && ofLate >= aloneShare * all && late.length < seconds.length)
    return `${name} is done nearly alone by ${who} (of ${seconds.length} ${kind}s)`;
  const more = formatPercent(maximum / mean - 1);
  const upTo = late.length === 1 ? '' : 'up to ';
  const [needs, compute] = late.length === 1 ? ['needs', 'computes'] : ['need', 'compute'];
  return name === undefined
    ? `Work of the whole run is unbalanced over ${kind}s: ${who} ${compute} ${upTo}${more} longer than the average`
    : `${name} is unbalanced over ${kind}s: ${who} ${needs} ${upTo}${more} more than the average`;
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function lostSeconds(values: readonly number[]): number {
  return largestOf(values, 0) - meanOf(values);
}
