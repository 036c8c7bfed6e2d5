import { remembered } from '../../../core/remembered';
import type { ContextList, PathsOfRun } from '../iterationContexts';
import type { IterationValue, VisitEstimates } from '../processIterations';

/** Timed visits that suffice for the mean of a call path; with fewer, that of the function applies (as `estimateUntimed`, which knows the whole run). */
const enoughVisits = 30;

/** Own time of the visits that were timed so far. */
interface Timed {
  visits: number;
  seconds: number;
}

/** Times of visits that were only counted, by those that were timed so far. */
export class LiveEstimates implements VisitEstimates {
  private readonly byPath = new Map<number, Timed>();
  private readonly byRegion = new Map<number, Timed>();

  constructor(
    private readonly paths: PathsOfRun,
    private readonly contexts: ContextList,
  ) {}

  learn(values: Iterable<IterationValue>): void {
    const all = [...values];
    const below = new Map<number, number>();
    for (const { context, seconds } of all) {
      const above = this.contexts.parentOf(context);
      if (above !== undefined) below.set(above, (below.get(above) ?? 0) + seconds);
    }
    for (const { context, timedVisits, seconds, waitingSeconds } of all) {
      if (timedVisits === 0) continue;
      const own = Math.max(0, seconds - waitingSeconds - (below.get(context) ?? 0));
      const path = this.contexts.callPathOf(context);
      for (const sum of [
        remembered(this.byPath, path, nothing),
        remembered(this.byRegion, this.paths.regionOf(path), nothing),
      ]) {
        sum.visits += timedVisits;
        sum.seconds += own;
      }
    }
  }

  of(callPath: number): number {
    const own = this.byPath.get(callPath);
    const timed =
      own !== undefined && own.visits >= enoughVisits
        ? own
        : this.byRegion.get(this.paths.regionOf(callPath));
    return timed === undefined || timed.visits === 0 ? 0 : timed.seconds / timed.visits;
  }
}

function nothing(): Timed {
  return { visits: 0, seconds: 0 };
}
