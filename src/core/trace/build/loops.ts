import { at, atFloat } from '../../at';

interface Loop {
  readonly first: number;
  readonly end: number;
  /** Row of the call that has the siblings; −1: none. */
  readonly parent: number;
  repeats: number;
}

/** Sequences of siblings that were folded, of rows that are a stack: those of the topmost rows are last. */
export class Loops {
  #loops: Loop[] = [];

  clear(): void {
    this.#loops = [];
  }

  /**
   * The rows from `second` to the top are added to those from `first`, whose values are still apart.
   * @param isSequence they are several siblings
   * @param parent row of the call that has them
   * @param count calls of each row
   */
  fold(first: number, second: number, isSequence: boolean, parent: number, count: Float64Array): void {
    if (!isSequence && (this.#loops.at(-1)?.first ?? -1) < first) return;
    const later = this.#takeFrom(second);
    const earlier = this.#takeFrom(first);
    const shift = second - first;
    // The whole sequence is one repetition on each side, where no loop says more.
    if (isSequence) {
      addOnce(earlier, { first, end: second, parent });
      addOnce(later, { first: second, end: second + shift, parent });
    }
    this.#merge(earlier, later, { first, shift, count });
  }

  /** Loops as they are shown. */
  outerFirst(): readonly { readonly first: number; readonly end: number; readonly repeats: number }[] {
    return this.#loops
      .map(({ first, end, repeats }) => ({ first, end, repeats }))
      .sort((a, b) => a.first - b.first || b.end - a.end);
  }

  #takeFrom(row: number): Loop[] {
    let from = this.#loops.length;
    while (from > 0 && at(this.#loops, from - 1).first >= row) from--;
    return this.#loops.splice(from);
  }

  #merge(earlier: readonly Loop[], later: readonly Loop[], { first, shift, count }: Fold): void {
    const isAlike =
      earlier.length === later.length &&
      earlier.every((loop, position) => {
        const other = at(later, position);
        return other.first - shift === loop.first && other.end - shift === loop.end;
      });
    if (isAlike) {
      earlier.forEach((loop, position) => (loop.repeats += at(later, position).repeats));
      this.#loops.push(...earlier);
      return;
    }
    const merged = new Map<string, Loop>();
    for (const loop of earlier) merged.set(`${loop.first} ${loop.end}`, { ...loop });
    const inOther = new Set<string>();
    for (const loop of later) {
      const moved = { ...loop, first: loop.first - shift, end: loop.end - shift };
      if (loop.parent >= first + shift) moved.parent = loop.parent - shift;
      const name = `${moved.first} ${moved.end}`;
      inOther.add(name);
      const known = merged.get(name);
      if (known !== undefined) known.repeats += loop.repeats;
      else merged.set(name, { ...moved, repeats: loop.repeats + once(earlier, moved, count, first) });
    }
    for (const [name, loop] of merged)
      if (!inOther.has(name)) {
        const moved = { ...loop, first: loop.first + shift, end: loop.end + shift };
        if (loop.parent >= first) moved.parent = loop.parent + shift;
        loop.repeats += once(later, moved, count, first + shift);
      }
    this.#loops.push(...withoutCrossing([...merged.values()]));
  }
}

interface Fold {
  readonly first: number;
  readonly shift: number;
  readonly count: Float64Array;
}

function addOnce(loops: Loop[], { first, end, parent }: Omit<Loop, 'repeats'>): void {
  if (!loops.some((loop) => loop.first === first && loop.end === end && loop.parent === parent))
    loops.push({ first, end, parent, repeats: 1 });
}

/** How often siblings that are no loop on this side ran: as often as the loop around them, or else their caller. */
function once(
  loops: readonly Loop[],
  { first, end, parent }: Loop,
  count: Float64Array,
  begin: number,
): number {
  const around = loops
    .filter((loop) => loop.parent === parent && loop.first <= first && loop.end >= end)
    .sort((a, b) => a.end - a.first - (b.end - b.first))[0];
  if (around !== undefined) return around.repeats;
  return parent < begin ? 1 : atFloat(count, parent);
}

/** Without loops that have a part of another one only: the two sides repeated in different ways. The inner ones first, as they came. */
function withoutCrossing(loops: Loop[]): readonly Loop[] {
  const sorted = loops.sort((a, b) => a.first - b.first || b.end - a.end);
  const kept: Loop[] = [];
  const around: Loop[] = [];
  for (const loop of sorted) {
    while (around.length > 0 && at(around, around.length - 1).end <= loop.first) around.pop();
    const outer = around.at(-1);
    if (outer !== undefined && loop.end > outer.end) continue;
    kept.push(loop);
    around.push(loop);
  }
  return kept.sort((a, b) => a.end - b.end || b.first - a.first);
}
