/**
 * Peaks: concave intervals with their maximum inside, searched in the whole interval tree (specification of performance dynamics, §8.1).
 * Valleys are found as peaks of the mirrored signal.
 */
import { sumOf } from '../sums';
import { atFloat } from '../at';
import type { TreeNode } from './intervalTree';
import type { PreparedSignal } from './prepare';
import type { ScaleStack } from '../transforms/scaleSpace';
import type { SignalOptions } from './signal';
import { heightAt, type Direction } from './fits/direction';

/** A peak in samples; heights in the prepared signal's units, of the mirrored signal for a valley. */
export interface Peak {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly base: number;
  readonly height: number;
  readonly excess: number;
  readonly stability: number;
}

type Thresholds = Pick<SignalOptions, 'peakProminence' | 'peakStability' | 'stepsPerOctave'>;

/** By position, none overlaps another. `direction` -1 searches valleys. */
export function findPeaks(
  roots: readonly TreeNode[],
  stack: ScaleStack,
  signal: PreparedSignal,
  thresholds: Thresholds,
  direction: Direction = 1,
): Peak[] {
  const { peakStability, stepsPerOctave } = thresholds;
  const leastStability = Math.round(peakStability * stepsPerOctave);
  const leastProminence = leastProminenceOf(signal, thresholds);
  const candidates: Peak[] = [];
  const length = signal.values.length;
  const open: TreeNode[] = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    open.push(...node.children);
    if (node.sign !== -direction || node.stability < leastStability) continue;
    if (!isComplete(node, length, direction)) continue;
    if (!isProminentWhereItLives(node, stack, leastProminence / 2, 4 * signal.noise, direction)) continue;
    const peak = measurePeak(node, stack.level(0), signal.values, direction);
    if (peak.height - peak.base >= leastProminence) candidates.push(peak);
  }
  return withoutOverlap(candidates);
}

/** The first and the last iterations are often slow for once; what is wider and touches an end may go on beyond it. */
const widestAtEnd = 3;

function isComplete({ first, last }: TreeNode, length: number, direction: Direction): boolean {
  if (first > 0 && last < length - 1) return true;
  const width = last - first + 1;
  return direction === 1 && width <= widestAtEnd && 4 * width < length;
}

/**
 * Peaks that are still there in the signal without the narrow spikes of the other direction: between two dips everything looks like a peak, and
 * between two spikes like a valley.
 */
export function standing(
  peaks: readonly Peak[],
  filled: Float64Array,
  signal: PreparedSignal,
  thresholds: Thresholds,
  direction: Direction = 1,
): Peak[] {
  const least = leastProminenceOf(signal, thresholds);
  return peaks.filter(({ from, to }) => {
    let height = -Infinity;
    for (let i = from; i <= to; i++) height = Math.max(height, heightAt(filled, i, direction));
    return height - baseOf(filled, from, to, direction) >= least;
  });
}

function leastProminenceOf(signal: PreparedSignal, { peakProminence }: Thresholds): number {
  return Math.max(peakProminence * signal.range, 4 * signal.noise);
}

/**
 * At the finest scale where the interval is one: the extremum is inside, and stands out. Without the latter, the largest of many noise
 * values would make a peak of any wide interval.
 */
function isProminentWhereItLives(
  { first, last, scaleLow }: TreeNode,
  { level, sigmas }: ScaleStack,
  least: number,
  leastOfNoise: number,
  direction: Direction,
): boolean {
  const smoothed = level(scaleLow);
  let top = first;
  for (let i = first + 1; i <= last; i++) {
    if (heightAt(smoothed, i, direction) > heightAt(smoothed, top, direction)) top = i;
  }
  const height = heightAt(smoothed, top, direction);
  // Beyond its ends the signal is mirrored.
  const before = heightAt(smoothed, Math.max(0, top - 1), direction);
  const after = heightAt(smoothed, Math.min(smoothed.length - 1, top + 1), direction);
  if (height < before || height < after) return false;
  const prominence = height - baseOf(smoothed, first, last, direction);
  const averaged = Math.sqrt(Math.max(1, 2 * Math.sqrt(Math.PI) * atFloat(sigmas, scaleLow)));
  return prominence >= Math.max(least, leastOfNoise / averaged);
}

/** The higher of the lowest levels before and after the interval, as far away as it is wide; at an end, that of the other side. */
function baseOf(smoothed: Float64Array, first: number, last: number, direction: Direction): number {
  const width = Math.max(2, last - first + 1);
  const after = lowest(smoothed, last, last + width, direction);
  if (first === 0) return after;
  const before = lowest(smoothed, first - width, first, direction);
  return last === smoothed.length - 1 ? before : Math.max(before, after);
}

function measurePeak(
  { first, last, stability }: TreeNode,
  finest: Float64Array,
  values: Float64Array,
  direction: Direction,
): Peak {
  let position = first;
  let highest = -Infinity;
  let height = -Infinity;
  for (let i = first; i <= last; i++) {
    height = Math.max(height, heightAt(finest, i, direction));
    const own = heightAt(values, i, direction);
    if (own > highest) {
      highest = own;
      position = i;
    }
  }
  const base = baseOf(finest, first, last, direction);
  const excess = aboveLine(values, first, last, direction);
  return { from: first, to: last, at: position, base, height, excess, stability };
}

function lowest(values: Float64Array, from: number, to: number, direction: Direction): number {
  let smallest = Infinity;
  for (let i = Math.max(0, from); i <= Math.min(values.length - 1, to); i++) {
    smallest = Math.min(smallest, heightAt(values, i, direction));
  }
  return smallest;
}

/** Sum of what lies above the line between the samples before and after; where there is only one of them, above its level. */
function aboveLine(values: Float64Array, from: number, to: number, direction: Direction): number {
  const before = heightAt(values, from > 0 ? from - 1 : to + 1, direction);
  const after = heightAt(values, to + 1 < values.length ? to + 1 : from - 1, direction);
  const step = (after - before) / (to - from + 2);
  let sum = 0;
  for (let i = from; i <= to; i++) {
    sum += Math.max(0, heightAt(values, i, direction) - before - step * (i - from + 1));
  }
  return sum;
}

/** The most stable first, of equals the narrowest: so that nested hits count once. */
function withoutOverlap(candidates: Peak[]): Peak[] {
  candidates.sort((a, b) => b.stability - a.stability || a.to - a.from - (b.to - b.from) || a.from - b.from);
  const chosen: Peak[] = [];
  for (const peak of candidates) {
    if (chosen.every(({ from, to }) => peak.to < from || peak.from > to)) chosen.push(peak);
  }
  return chosen.sort((a, b) => a.from - b.from);
}

/**
 * The signal without narrow peaks: straight lines in their place, one sample more on each side, between the means of the three samples
 * before and after; at an end of the signal, the mean that there is.
 */
export function withoutPeaks(values: Float64Array, peaks: readonly Peak[]): Float64Array {
  const result = values.slice();
  const end = values.length - 1;
  for (const { from, to } of peaks) {
    const [left, right] = [from - 2, to + 2];
    const before = left < 0 ? undefined : meanOf(result, Math.max(0, left - 2), left);
    const after = right > end ? undefined : meanOf(result, right, Math.min(end, right + 2));
    const start = before ?? after ?? 0;
    const step = ((after ?? start) - start) / (right - left);
    for (let i = Math.max(0, left + 1); i < Math.min(right, end + 1); i++)
      result[i] = start + step * (i - left);
  }
  return result;
}

function meanOf(values: Float64Array, from: number, to: number): number {
  return sumOf(values, from, to) / (to - from + 1);
}
