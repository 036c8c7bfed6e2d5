import type { SwitchedIterations } from '../../core/series/series';
import type { RecordedPart } from '../../core/profile/recordedPart';

/** What somebody switched in a run, as it is known when it is asked. */
export interface SwitchedInRun {
  /** By key, functions that were recorded in a part of the run only. */
  parts(): ReadonlyMap<string, RecordedPart>;
  /** For each process that was switched, and each time. */
  readonly switches: readonly ProcessSwitch[];
}

export interface ProcessSwitch {
  readonly process: { readonly pid: number; readonly host: string };
  /** Iterations (of all phases) that were complete before and after: those between were recorded in part. */
  readonly iterations: readonly [before: number, after: number];
}

/** Overlapping ranges are one. */
export function joinedRanges(ranges: SwitchedIterations): SwitchedIterations {
  const joined: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** Finds the iterations of the merged run while these are merged: processes count those of all phases. */
export class SwitchMarks {
  private readonly places: {
    readonly owner: string;
    readonly iterations: readonly number[];
    readonly found: number[];
  }[];
  private readonly owners: ReadonlySet<string>;

  constructor(switches: readonly ProcessSwitch[]) {
    this.places = switches.map(({ process, iterations }) => ({
      owner: ownerOf(process),
      iterations,
      found: [],
    }));
    this.owners = new Set(this.places.map(({ owner }) => owner));
  }

  /** @param number of an iteration in its process @param merged its number in the merged run; both ascend, from 0 */
  see(process: ProcessSwitch['process'], number: number, merged: number): void {
    if (this.owners.size === 0) return;
    const owner = ownerOf(process);
    if (!this.owners.has(owner)) return;
    for (const place of this.places)
      if (place.owner === owner)
        while (place.found.length < 2 && number >= (place.iterations[place.found.length] ?? 0))
          place.found.push(merged);
  }

  /** @param length iterations of the merged run */
  ranges(length: number): SwitchedIterations {
    const ranges = this.places.flatMap(({ found: [first, last = length - 1] }) =>
      first === undefined ? [] : [[first, last] as const],
    );
    return joinedRanges(ranges);
  }
}

function ownerOf({ pid, host }: ProcessSwitch['process']): string {
  return `${pid} ${host}`;
}
