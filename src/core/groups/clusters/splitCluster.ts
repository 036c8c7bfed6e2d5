import { at, atFloat } from '../../at';
import { measured, jaccard } from '../measures';
import { commonSize, distanceOf, hasMember, sizeOf, type BitSet } from '../sets/bitSet';
import { deviationsFrom, majorityOf, weightOf, type WeightedSets } from '../sets/weightedSets';
import { chanceOfAtLeast, logFactorial, surprisingCount } from './chance';

/** Sets that belong together so far, and what most of their processes have. */
export interface Part {
  readonly members: readonly number[];
  readonly prototype: BitSet;
}

/** Where no threshold is given, sets that differ by less than 5 % of what they have together are alike. */
export const usualThreshold = 0.95;
/** Of attributes that chance leaves out; what exceeds it is structure, or nothing that prototypes describe. */
const largestNoise = 0.1;
/** Of a part being divided although all of its differences are by chance. */
const risk = 0.01;
const rounds = 6;
const columnsTried = 4;

/** A part with its measured noise. */
interface Measured extends Part {
  readonly weight: number;
  /** By member, number of attributes in which it differs from the prototype. */
  readonly distances: readonly number[];
  /** Expected number of these where chance makes them. */
  readonly mean: number;
}

/**
 * Two parts of one, or undefined where sampling explains what its members differ in, or where the parts would be alike. What sampling does not
 * explain: a process that differs by far more attributes than the others do, many processes that differ in the same attribute, and many that
 * differ in the same few ones.
 */
export function splitCluster(weighted: WeightedSets, part: Part): readonly [Part, Part] | undefined {
  if (part.members.length < 2) return undefined;
  const noise = withNoise(weighted, part);
  for (const seed of seedsOf(weighted, noise)) {
    const parts = twoParts(weighted, part, seed);
    if (parts !== undefined && measured(jaccard, parts[0].prototype, parts[1].prototype) < usualThreshold)
      return parts;
  }
  return undefined;
}

function withNoise(weighted: WeightedSets, part: Part): Measured {
  const distances = part.members.map((member) => distanceOf(at(weighted.sets, member), part.prototype));
  const weight = weightOf(weighted, part.members);
  const largest = largestNoise * sizeOf(part.prototype);
  return {
    ...part,
    weight,
    distances,
    mean: Math.min(largest, typicalDistance(weighted, part, distances, weight)),
  };
}

/**
 * The expected number of differences, from the nearer half of the processes: processes of other groups, as long as they are fewer, do not count. Where
 * more than half have no difference, their share p0 = e^-mean determines it.
 */
function typicalDistance(
  { weights }: WeightedSets,
  { members }: Part,
  distances: readonly number[],
  weight: number,
): number {
  const histogram = new Map<number, number>();
  members.forEach((member, place) => {
    const distance = at(distances, place);
    histogram.set(distance, (histogram.get(distance) ?? 0) + at(weights, member));
  });
  const none = histogram.get(0) ?? 0;
  if (none >= weight / 2) return -Math.log(none / weight);
  let below = 0;
  for (const [distance, count] of [...histogram].sort(([a], [b]) => a - b)) {
    below += count;
    // The mean of Poisson's distribution is at most ln 2 above its median.
    if (below >= weight / 2) return distance + Math.LN2;
  }
  return 0;
}

/** Prototypes to try for the part that is split off, the most promising first. */
function* seedsOf(weighted: WeightedSets, part: Measured): Generator<BitSet> {
  const { sets } = weighted;
  const far = farthest(weighted, part);
  if (far !== undefined) yield at(sets, far);
  const repeated = repeatedDeviation(weighted, part);
  if (repeated !== undefined) yield at(sets, repeated);
  for (const attribute of frequentDeviations(weighted, part)) {
    const usual = hasMember(part.prototype, attribute);
    const others = part.members.filter((member) => hasMember(at(sets, member), attribute) !== usual);
    yield majorityOf(weighted, others, part.prototype);
  }
}

function isUnlike({ sets }: WeightedSets, { prototype }: Part, member: number): boolean {
  return measured(jaccard, at(sets, member), prototype) < usualThreshold;
}

/** The set that differs most, if it differs by more than chance lets any of the processes. */
function farthest(weighted: WeightedSets, part: Measured): number | undefined {
  const { members, distances, mean, weight } = part;
  let far = 0;
  distances.forEach((distance, place) => {
    if (distance > at(distances, far)) far = place;
  });
  const member = at(members, far);
  const limit = surprisingCount(mean, risk / weight);
  return at(distances, far) >= limit && isUnlike(weighted, part, member) ? member : undefined;
}

/** A set that more processes have than would differ from the prototype in these same attributes by chance. */
function repeatedDeviation(weighted: WeightedSets, part: Measured): number | undefined {
  const { members, distances, mean, weight, prototype } = part;
  const size = Math.max(1, sizeOf(prototype));
  let best: { readonly member: number; readonly differences: number } | undefined;
  members.forEach((member, place) => {
    const count = at(weighted.weights, member);
    const distance = at(distances, place);
    const differences = count * distance;
    if (count < 2 || distance === 0 || differences <= (best?.differences ?? 0)) return;
    const ways = logFactorial(size + distance) - logFactorial(size) - logFactorial(distance);
    const chance = chanceOfAtLeast(count, weight * (mean / size) ** distance);
    if (chance === 0 || Math.log(chance) + ways < Math.log(risk))
      if (isUnlike(weighted, part, member)) best = { member, differences };
  });
  return best?.member;
}

/** Attributes in which more processes differ from the prototype than by chance; those in which most do first. */
function frequentDeviations(weighted: WeightedSets, part: Measured): readonly number[] {
  const counts = deviationsFrom(weighted, part.members, part.prototype);
  const expected = (part.weight * part.mean) / Math.max(1, sizeOf(part.prototype));
  const limit = surprisingCount(expected, risk / weighted.attributes);
  return Array.from(counts.keys())
    .filter((attribute) => atFloat(counts, attribute) >= limit)
    .sort((a, b) => atFloat(counts, b) - atFloat(counts, a))
    .slice(0, columnsTried);
}

/** Each member is with the prototype that it is nearer to, which is then what most of them have: k-modes for two. */
function twoParts(weighted: WeightedSets, part: Part, seed: BitSet): readonly [Part, Part] | undefined {
  let prototypes: readonly [BitSet, BitSet] = [part.prototype, seed];
  let members: readonly [readonly number[], readonly number[]] = [part.members, []];
  for (let round = 0; round < rounds; round++) {
    const next: [number[], number[]] = [[], []];
    for (const member of part.members)
      next[isNearer(at(weighted.sets, member), prototypes[1], prototypes[0]) ? 1 : 0].push(member);
    if (next[0].length === 0 || next[1].length === 0) break;
    // Parts only exchange members.
    const isStable =
      next[1].length === members[1].length && next[1].every((member, place) => member === members[1][place]);
    members = next;
    if (isStable) break;
    prototypes = [majorityOf(weighted, next[0], prototypes[0]), majorityOf(weighted, next[1], prototypes[1])];
  }
  if (members[1].length === 0) return undefined;
  return [
    { members: members[0], prototype: prototypes[0] },
    { members: members[1], prototype: prototypes[1] },
  ];
}

/** Differences decide; of equally many, what is missing is likelier than what is there in addition. */
export function isNearer(set: BitSet, a: BitSet, b: BitSet): boolean {
  const [toA, toB] = [distanceOf(set, a), distanceOf(set, b)];
  return toA === toB ? commonSize(set, a) > commonSize(set, b) : toA < toB;
}
