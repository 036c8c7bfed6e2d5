import { CallStack } from '../index/callStack';
import { fanOut } from '../index/node';
import type { RowIndex } from '../index/rowIndex';
import { secondsOf } from '../paint/spanList';
import type { TimelineCall } from '../pieces';
import type { TimelineIndex, Turn } from './trace';

export interface FindQuestion {
  readonly function: number;
  readonly row: number;
  /** Ticks. */
  readonly after: number;
  readonly isBackwards: boolean;
}

/** The next call of a function that begins after a time in this row, or any one in the first of the later rows that has one; or, backwards, the one before. */
export async function findCall(
  index: TimelineIndex,
  { function: which, row, after, isBackwards }: FindQuestion,
  turn: Turn,
): Promise<TimelineCall | undefined> {
  const search = new Search(index.slots, which + 1, isBackwards);
  const step = isBackwards ? -1 : 1;
  for (let at = row; at >= 0 && at < index.rowCount; at += step) {
    const rowIndex = index.row(at);
    const limit = at === row ? after : -Infinity * step;
    const found = rowIndex === undefined ? undefined : search.row(rowIndex, limit);
    if (found !== undefined)
      return {
        row: at,
        begin: secondsOf(found.begin, index.scale),
        end: secondsOf(found.end, index.scale),
      };
    await turn();
  }
  return undefined;
}

interface Found {
  readonly begin: number;
  readonly end: number;
}

interface Candidate {
  readonly begin: number;
  readonly depth: number;
  end: number | undefined;
}

class Search {
  readonly #calls: CallStack;
  #limit = 0;
  #candidate: Candidate | undefined;

  constructor(
    slots: number,
    private readonly slot: number,
    private readonly isBackwards: boolean,
  ) {
    const calls: CallStack = new CallStack(slots, {
      ran: () => undefined,
      entered: (entered, time) => {
        if (entered !== slot || !this.#isWanted(time)) return;
        if (isBackwards || this.#candidate === undefined)
          this.#candidate = { begin: time, depth: calls.frames.depth - 1, end: undefined };
      },
      left: (depth, time) => {
        const candidate = this.#candidate;
        if (candidate?.depth === depth) candidate.end ??= time;
      },
    });
    this.#calls = calls;
  }

  #isWanted(time: number): boolean {
    return this.isBackwards ? time < this.#limit : time > this.#limit;
  }

  row(index: RowIndex, limit: number): Found | undefined {
    this.#limit = limit;
    return index.levels === 0 ? undefined : this.#node(index, index.levels - 1, 0);
  }

  #node(index: RowIndex, level: number, node: number): Found | undefined {
    if (this.isBackwards ? index.begin(level, node) >= this.#limit : index.end(level, node) <= this.#limit)
      return undefined;
    if (level === 0) return this.#block(index, node);
    const { slot, visits } = index.sums(level, node);
    const at = slot.indexOf(this.slot);
    if (at < 0 || (visits[at] ?? 0) === 0) return undefined;
    const first = node * fanOut;
    const last = Math.min(index.count(level - 1), first + fanOut) - 1;
    for (let step = 0; step <= last - first; step++) {
      const found = this.#node(index, level - 1, this.isBackwards ? last - step : first + step);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #block(index: RowIndex, block: number): Found | undefined {
    this.#candidate = undefined;
    this.#calls.start(index.stack(0, block).stack, index.begin(0, block));
    this.#calls.replay(index.events(block));
    const found = this.#found();
    if (found === undefined) return undefined;
    return { begin: found.begin, end: found.end ?? callEnd(index, block + 1, found.depth) };
  }

  /** What the replay has found; a property that its visitor sets. */
  #found(): Candidate | undefined {
    return this.#candidate;
  }
}

/** When a call ends that is open at the beginning of a block. */
function callEnd(index: RowIndex, block: number, depth: number): number {
  let level = 0;
  let node = block;
  while (node < index.count(level)) {
    const { alive, ended } = index.stack(level, node);
    if (depth >= alive) return ended[depth] ?? 0;
    node++;
    // As far up as nodes begin here: each step passes as many blocks as possible.
    while (node % fanOut === 0 && level + 1 < index.levels && node / fanOut < index.count(level + 1)) {
      node /= fanOut;
      level++;
    }
  }
  return index.end(index.levels - 1, 0);
}
