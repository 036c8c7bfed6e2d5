import type { BinList } from '../../core/timeline/index/binList';
import { Frames } from '../../core/timeline/index/callStack';
import type { OpenNode, Sums } from '../../core/timeline/index/node';
import type { Bins, StackSummary } from '../../core/timeline/index/rowIndex';
import type { ByteBuilder, ByteCursor } from './bytes';

/** Shares are stored in so many steps. */
const shareSteps = 255;

/** For each bin the function with the most time. @param begin of the node */
export function putBins(into: ByteBuilder, bins: BinList, begin: number): void {
  into.integer(bins.count);
  let before = begin;
  for (let bin = 0; bin < bins.count; bin++) {
    const end = bins.end[bin] ?? 0;
    const entry = bins.dominating(bin);
    const isAlone = (bins.first[bin + 1] ?? 0) - (bins.first[bin] ?? 0) === 1;
    const share = (bins.ticks[entry] ?? 0) / (end - before);
    into.integer(end - before);
    into.integer(bins.slot[entry] ?? 0);
    // Only a bin of one function has all of it.
    into.byte(isAlone ? shareSteps : Math.max(1, Math.min(shareSteps - 1, Math.round(share * shareSteps))));
    before = end;
  }
}

export function readBins(from: ByteCursor, begin: number, slots: number): Bins {
  const count = from.count(3);
  const end = new Float64Array(count);
  const slot = new Uint32Array(count);
  const share = new Float32Array(count);
  let before = begin;
  for (let bin = 0; bin < count; bin++) {
    before += from.integer();
    end[bin] = before;
    slot[bin] = from.below(slots, 'function');
    share[bin] = from.byte() / shareSteps;
  }
  return { count, end, slot, share };
}

export function putStack(into: ByteBuilder, node: OpenNode): void {
  const { stack, begin, alive, ended, middleSlot, middleTicks } = node;
  into.integer(stack.depth);
  into.integer(alive);
  for (let depth = 0; depth < stack.depth; depth++) {
    into.integer(stack.slot[depth] ?? 0);
    into.integer(begin - (stack.begin[depth] ?? 0));
    if (depth >= alive) into.integer((ended[depth] ?? 0) - begin);
  }
  into.integer(middleSlot.length);
  for (const [depth, slot] of middleSlot.entries()) {
    into.integer(slot);
    if (slot > 0) into.integer(middleTicks[depth] ?? 0);
  }
}

export function readStack(from: ByteCursor, begin: number, slots: number): StackSummary {
  const depths = from.count(2);
  const alive = from.below(depths + 1, 'open call');
  const stack = new Frames();
  const ended = new Float64Array(depths);
  for (let depth = 0; depth < depths; depth++) {
    const slot = from.below(slots, 'function');
    stack.push(slot, begin - from.integer());
    if (depth >= alive) ended[depth] = begin + from.integer();
  }
  const middle = from.count(1);
  const middleSlot = new Uint32Array(middle);
  const middleTicks = new Float64Array(middle);
  for (let depth = 0; depth < middle; depth++) {
    const slot = from.below(slots, 'function');
    middleSlot[depth] = slot;
    if (slot > 0) middleTicks[depth] = from.integer();
  }
  return { stack, alive, ended, middleSlot, middleTicks };
}

export function putSums(into: ByteBuilder, { slot, visits, exclusive, inclusive }: Sums): void {
  into.integer(slot.length);
  let before = 0;
  for (let at = 0; at < slot.length; at++) {
    const which = slot[at] ?? 0;
    into.integer(which - before);
    into.integer(visits[at] ?? 0);
    into.integer(exclusive[at] ?? 0);
    into.integer(inclusive[at] ?? 0);
    before = which;
  }
}

export function readSums(from: ByteCursor, slots: number): Sums {
  const count = from.count(4);
  const slot = new Uint32Array(count);
  const visits = new Float64Array(count);
  const exclusive = new Float64Array(count);
  const inclusive = new Float64Array(count);
  let before = 0;
  for (let at = 0; at < count; at++) {
    before += from.below(slots - before, 'function');
    slot[at] = before;
    visits[at] = from.integer();
    exclusive[at] = from.integer();
    inclusive[at] = from.integer();
  }
  return { slot, visits, exclusive, inclusive };
}
