import { availableParallelism } from 'node:os';

/** Of the time of this machine's processors, what watching a program may take: on a full node it is the program's. */
const share = 0.02;
/** Looks are never further apart, and in the first half minute, in which programs change most, by a part of the time so far only; seconds. */
const [longest, shortest, partOfTime] = [6, 1.5, 0.15];

/** When to look at a running program next: as often as wanted, and less often where a look is dear, as with many processes or few processors. */
export class WatchingPace {
  private readonly began: number;
  private looked = 0;
  private used = 0;

  constructor(
    private readonly processors = availableParallelism(),
    private readonly clock = { now: () => performance.now(), used: processorSeconds },
  ) {
    this.began = clock.now();
  }

  /** A look begins. */
  begin(): void {
    this.looked = this.clock.now();
    this.used = this.clock.used();
  }

  /** Milliseconds from now until the next look. @param every seconds between looks that cost nothing */
  pause(every: number): number {
    const spent = this.clock.used() - this.used;
    const now = this.clock.now();
    const most = Math.min(longest, Math.max(shortest, (partOfTime * (now - this.began)) / 1000));
    const affordable = Math.min(most, spent / (share * this.processors));
    return Math.max(0, this.looked + 1000 * Math.max(every, affordable) - now);
  }
}

/** Of this process, with its collection of garbage and compilation of code. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
