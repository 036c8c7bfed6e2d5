import { at, atFloat } from '../../at';
import { jaccard, measured } from '../measures';
import { commonSize, distanceOf, hasMember, sizeOf, type BitSet } from '../sets/bitSet';
import { deviationsFrom, majorityOf, weightOf, type WeightedSets } from '../sets/weightedSets';
import { logChanceOfAtLeast, logWays } from './chance';

/** Sets that belong together so far, and what most of their processes have. */
export interface Part {
  readonly members: readonly number[];
  readonly prototype: BitSet;
}

/** Where no threshold is given, sets that differ by less than 5 % of what they have together are alike. */
export const usualThreshold = 0.95;
/** Of attributes that chance leaves out; what exceeds it is structure, or nothing that prototypes describe. */
const largestNoise = 0.1;
/**
 * What chance leaves out before anything is known: next to nothing, for recordings are exact unless they were sampled, and samples show by themselves that they
 * miss more. It weighs as much as the evidence of these processes.
 */
const presumed = { noise: 0.0005, processes: 2 };
/** Of a part being divided although all of its differences are by chance. */
const risk = 0.01;
const rounds = 6;
const seedsTried = 4;

/**
 * Two parts of one, or undefined where the parts would be alike, or where chance explains how they differ: that some of the processes all differ from
 * the others in some attributes, as far as any attribute may be missing.
 */
export function splitCluster(weighted: WeightedSets, part: Part): readonly [Part, Part] | undefined {
  if (part.members.length < 2) return undefined;
  for (const seed of seedsOf(weighted, part)) {
    const parts = twoParts(weighted, part, seed);
    if (parts === undefined) continue;
    const similarity = measured(jaccard, parts[0].prototype, parts[1].prototype);
    if (similarity >= usualThreshold) continue;
    if (!isByChance(weighted, parts)) return parts;
  }
  return undefined;
}

/**
 * Whether noise, as it is within the parts, would make some processes of one of them differ so from the prototype of the other one, for any choice of as many
 * processes and attributes. Includes what is rare by itself: a process with many differences, many processes with one, and many with the same few.
 */
function isByChance(weighted: WeightedSets, parts: readonly [Part, Part]): boolean {
  const [weight, other] = parts.map(({ members }) => weightOf(weighted, members)) as [number, number];
  const [larger, smaller] = weight >= other ? parts : [parts[1], parts[0]];
  const few = Math.min(weight, other);
  const [a, b] = [larger.prototype, smaller.prototype];
  const attributes = distanceOf(a, b);
  const size = sizeOf(a);
  const missing = size - commonSize(a, b);
  const added = attributes - missing;
  const noise = noiseWithin(weighted, parts);
  // Cells of the smaller part that differ from the prototype of the larger one, where the prototypes do: there, what differs from one is as the other.
  let cells = 0;
  for (const member of smaller.members) {
    const set = at(weighted.sets, member);
    cells += ((attributes + distanceOf(set, a) - distanceOf(set, b)) / 2) * at(weighted.weights, member);
  }
  return (
    logWays(weight + other, few) +
      logWays(size, missing) +
      logWays(size + added, added) +
      logChanceOfAtLeast(cells, few * attributes, noise) >=
    Math.log(risk)
  );
}

/** The probability that a process differs from the prototype of its part in an attribute of it. */
function noiseWithin(weighted: WeightedSets, parts: readonly Part[]): number {
  const histogram = new Map<number, number>();
  let [weight, size] = [0, 1];
  for (const { members, prototype } of parts) {
    size = Math.max(size, sizeOf(prototype));
    // A process by itself is its prototype, whatever it lacks.
    if (weightOf(weighted, members) < 2) continue;
    for (const member of members) {
      const distance = distanceOf(at(weighted.sets, member), prototype);
      const count = at(weighted.weights, member);
      histogram.set(distance, (histogram.get(distance) ?? 0) + count);
      weight += count;
    }
  }
  const found = typicalDistance(histogram, weight) / size;
  const { noise, processes } = presumed;
  return Math.min(largestNoise, (weight * found + processes * noise) / (weight + processes));
}

/**
 * The expected number of differences, from the nearer half of the processes: those of other groups, as long as they are fewer, do not count. Where
 * more than half have no difference, their share p0 = e^-mean determines it.
 */
function typicalDistance(histogram: ReadonlyMap<number, number>, weight: number): number {
  if (weight === 0) return 0;
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

/** Prototypes to try for the part that is split off: sets that differ much, and what processes have that differ in an attribute that many do. */
function* seedsOf(weighted: WeightedSets, part: Part): Generator<BitSet> {
  const { sets, weights } = weighted;
  const distances = new Map(
    part.members.map((member) => [member, distanceOf(at(sets, member), part.prototype)]),
  );
  const distance = (member: number): number => distances.get(member) ?? 0;
  const tried = new Set([
    ...largest(part.members, distance),
    ...largest(part.members, (member) => distance(member) * at(weights, member)),
  ]);
  for (const member of tried) yield at(sets, member);
  const counts = deviationsFrom(weighted, part.members, part.prototype);
  for (const attribute of largest([...counts.keys()], (number) => atFloat(counts, number))) {
    const usual = hasMember(part.prototype, attribute);
    const others = part.members.filter((member) => hasMember(at(sets, member), attribute) !== usual);
    yield majorityOf(weighted, others, part.prototype);
  }
}

/** Those with the largest positive values, largest first. */
function largest(numbers: readonly number[], value: (number: number) => number): readonly number[] {
  const best: number[] = [];
  for (const number of numbers) {
    const own = value(number);
    const last = best[seedsTried - 1];
    if (own <= 0 || (last !== undefined && own <= value(last))) continue;
    const place = best.findIndex((other) => value(other) < own);
    best.splice(place < 0 ? best.length : place, 0, number);
    best.length = Math.min(best.length, seedsTried);
  }
  return best;
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
