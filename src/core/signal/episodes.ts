/**
 * Letters for intervals: the qualitative trend language (specification of performance dynamics, §7). Each node of the summary level is
 * concave or convex, and is cut at its extremum; parts without a relevant change become G, straight ones E or F.
 */
import { remembered } from '../remembered';
import { atFloat } from '../at';
import type { TreeNode } from './intervalTree';
import { rangeOf } from './prepare';
import type { ScaleStack } from '../transforms/scaleSpace';
import type { Letter, SignalOptions } from './signal';

/** An episode as found, without its sum. */
export interface LetteredPart {
  readonly letter: Letter;
  readonly from: number;
  readonly to: number;
  /** Change over the part at the scale where it was read, and the change from which it counts. */
  readonly net: number;
  readonly threshold: number;
  readonly stability: number;
}

/** Range and noise of the unsmoothed signal that the stack was made of. */
export interface SignalMeasure {
  readonly range: number;
  readonly noise: number;
}

type Tolerances = Pick<SignalOptions, 'plateauTolerance' | 'flatTolerance' | 'linearTolerance'>;

/** Letters of the nodes, from left to right, neighbours of one straight or flat kind joined. */
export function letterNodes(
  nodes: readonly TreeNode[],
  stack: ScaleStack,
  measure: SignalMeasure,
  tolerances: Tolerances,
): LetteredPart[] {
  const ranges = new Map<number, number>();
  const rangeAt = (scale: number): number => remembered(ranges, scale, () => rangeOf(stack.level(scale)));
  const parts = nodes.flatMap((node) => partsOf(node, stack, measure, tolerances, rangeAt));
  // Many small pieces of a slow ramp are each below the tolerance, together they are not.
  return joinEqual(joinEqual(parts).map(retest));
}

interface Curve {
  readonly node: TreeNode;
  readonly smoothed: Float64Array;
  readonly threshold: number;
  readonly linearTolerance: number;
}

function partsOf(
  node: TreeNode,
  stack: ScaleStack,
  { range, noise }: SignalMeasure,
  { plateauTolerance, flatTolerance, linearTolerance }: Tolerances,
  rangeAt: (scale: number) => number,
): LetteredPart[] {
  const { first, last, sign } = node;
  const smoothed = stack.level(node.scaleLow);
  const sigma = atFloat(stack.sigmas, node.scaleLow);
  // Standard deviation of the difference of two smoothed noise values, twice.
  const ofNoise = (2.5 * noise * Math.SQRT2) / Math.sqrt(Math.max(1, 2 * Math.sqrt(Math.PI) * sigma));
  const curve = { node, smoothed, threshold: Math.max(flatTolerance * range, ofNoise), linearTolerance };
  if (sign === 0) return [flatPart(curve, first, last)];
  const top = extremumAt(smoothed, first, last, sign);
  const [from, to] = plateauAround(smoothed, node, top, plateauTolerance * rangeAt(node.scaleLow));
  const length = to - from + 1;
  if (length >= 3 && 2 * length >= last - first + 1) {
    return [...slope(curve, first, from - 1), flatPart(curve, from, to), ...slope(curve, to + 1, last)];
  }
  const cut = cutAt(smoothed, node, top, sign);
  return [...slope(curve, first, cut), ...slope(curve, cut + 1, last)];
}

/** Highest sample of a concave interval, lowest of a convex one. */
function extremumAt(smoothed: Float64Array, first: number, last: number, sign: -1 | 1): number {
  let top = first;
  for (let i = first + 1; i <= last; i++) {
    if ((atFloat(smoothed, i) - atFloat(smoothed, top)) * sign < 0) top = i;
  }
  return top;
}

/** Last sample of the part before the extremum; `first - 1` where all is after it. */
function cutAt(smoothed: Float64Array, { first, last }: TreeNode, top: number, sign: -1 | 1): number {
  if (top !== first || first === last) return top;
  const rise = first > 0 ? atFloat(smoothed, first) - atFloat(smoothed, first - 1) : 0;
  return rise * sign < 0 ? top : first - 1;
}

function plateauAround(
  smoothed: Float64Array,
  { first, last }: TreeNode,
  top: number,
  tolerance: number,
): readonly [number, number] {
  const level = atFloat(smoothed, top);
  let from = top;
  let to = top;
  while (from > first && Math.abs(atFloat(smoothed, from - 1) - level) <= tolerance) from--;
  while (to < last && Math.abs(atFloat(smoothed, to + 1) - level) <= tolerance) to++;
  return [from, to];
}

function netOf(smoothed: Float64Array, from: number, to: number): number {
  return atFloat(smoothed, to) - atFloat(smoothed, Math.max(0, from - 1));
}

function flatPart({ node, smoothed, threshold }: Curve, from: number, to: number): LetteredPart {
  // Without the step into it, which belongs to what is before.
  const net = atFloat(smoothed, to) - atFloat(smoothed, from);
  return { letter: 'G', from, to, net, threshold, stability: node.stability };
}

/** The part from … to on one side of the extremum; none where it is empty. */
function slope(curve: Curve, from: number, to: number): LetteredPart[] {
  if (from > to) return [];
  const { node, smoothed, threshold, linearTolerance } = curve;
  const net = netOf(smoothed, from, to);
  const letter = letterOf(curve, from, to, net, linearTolerance);
  return [{ letter, from, to, net, threshold, stability: node.stability }];
}

function letterOf(
  { node, smoothed, threshold }: Curve,
  from: number,
  to: number,
  net: number,
  linearTolerance: number,
): Letter {
  if (Math.abs(net) < threshold) return 'G';
  const straight = to - from >= 3 && chordDeviation(smoothed, from, to) < linearTolerance * Math.abs(net);
  if (net > 0) return straight ? 'E' : node.sign < 0 ? 'A' : 'D';
  return straight ? 'F' : node.sign < 0 ? 'B' : 'C';
}

/** Largest distance from the straight line between the sample before the part and its last one. */
function chordDeviation(smoothed: Float64Array, from: number, to: number): number {
  const start = Math.max(0, from - 1);
  const level = atFloat(smoothed, start);
  const step = (atFloat(smoothed, to) - level) / (to - start);
  let largest = 0;
  for (let i = start + 1; i < to; i++) {
    largest = Math.max(largest, Math.abs(atFloat(smoothed, i) - level - step * (i - start)));
  }
  return largest;
}

function joinEqual(parts: readonly LetteredPart[]): LetteredPart[] {
  const joined: LetteredPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.letter === part.letter && 'EFG'.includes(part.letter)) {
      joined[joined.length - 1] = {
        letter: part.letter,
        from: last.from,
        to: part.to,
        net: last.net + part.net,
        threshold: Math.max(last.threshold, part.threshold),
        stability: Math.max(last.stability, part.stability),
      };
    } else joined.push(part);
  }
  return joined;
}

function retest(part: LetteredPart): LetteredPart {
  if (part.letter !== 'G' || Math.abs(part.net) < part.threshold || part.threshold === 0) return part;
  return { ...part, letter: part.net > 0 ? 'E' : 'F' };
}
