import { shareOf } from '../../../core/functions/share';
import type { ProcessWindow } from './searchedJob';

type Costs = Pick<ProcessWindow, 'costs' | 'cpuSeconds'>;

/** A function whose recording takes more of the processor time of a process is switched off; shares (0…1). */
const mostEach = 0.0005;
/** And all that stay recorded together. */
const mostTogether = 0.005;
/**
 * A survey takes until a look finds nothing more to switch off, but at least so many seconds of a processor in each process, in the mean: on a busy machine a program has hardly begun after
 * a second of the wall. And at most so many of the wall.
 */
const [least, most] = [1, 8];
/** From a look that found something to switch off to the next one, in seconds; each that finds nothing doubles it. */
const soon = 0.1;

/**
 * The begin of a run in which everything is recorded, until it is known which functions are called often: these are switched off, one after the
 * other. Visits of `main` and of what is called once can only be recorded from their begin on, and functions that are called rarely cost nothing, so both stay
 * recorded, and the search need not wait for them.
 */
export class Survey {
  /** Whether most of what costs much is found by now, so that the search can begin. What is called often only later is found then. */
  isOver = false;
  /** Seconds until the next look. */
  lookEvery = soon;
  private seconds = 0;
  /** Of a processor, of the mean process. */
  private ran = 0;
  private readonly kept: Set<string>;

  /** @param recorded functions that are recorded now @param fixed of these, those that stay, as phases do */
  constructor(
    recorded: Iterable<string>,
    private readonly fixed: ReadonlySet<string>,
  ) {
    this.kept = new Set(recorded);
  }

  /** @returns what to switch off */
  look(windows: readonly Costs[], seconds: number): readonly string[] {
    this.seconds += seconds;
    const ran = windows.reduce((sum, { cpuSeconds }) => sum + Math.min(seconds, cpuSeconds), 0);
    this.ran += ran / Math.max(1, windows.length);
    const costs = costShares(windows);
    const dear = [...this.kept]
      .filter((key) => !this.fixed.has(key))
      .sort((a, b) => of(costs, a) - of(costs, b));
    let together = 0;
    const off = dear.filter((key) => {
      const cost = of(costs, key);
      if (cost > mostEach || together + cost > mostTogether) return true;
      together += cost;
      return false;
    });
    for (const key of off) this.kept.delete(key);
    this.lookEvery = off.length > 0 ? soon : Math.min(least, 2 * this.lookEvery);
    this.isOver ||= this.seconds > most || (this.ran > least && off.length === 0);
    return off;
  }
}

/** Largest share of the processor time of a process, by key. */
function costShares(windows: readonly Costs[]): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const { costs, cpuSeconds } of windows)
    for (const [key, cost] of costs) {
      const share = shareOf(cost, { seconds: cpuSeconds });
      if (share > of(shares, key)) shares.set(key, share);
    }
  return shares;
}

function of(shares: ReadonlyMap<string, number>, key: string): number {
  return shares.get(key) ?? 0;
}
