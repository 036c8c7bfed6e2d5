import type { Turn } from './runOutcome';
import type { Together } from './together';

/** When runs of a measurement may begin that takes turns with another one. */
export interface Turns {
  /** Learns whether both may run at the same time. */
  readonly together: Together;
  /** Resolves when it is this one's turn, before each run, with the processor that both share, if they do; the turn before is over. */
  next(): Promise<Turn | undefined>;
  /** Resolves when the other one has run, too: what follows would disturb it. */
  over(): Promise<void>;
}

type Go = (turn: Turn | undefined) => void;

/**
 * Lets two measurements run by turns. Programs that may run beside each other do so on one processor: whatever disturbs the machine then disturbs both alike. Others
 * run one after the other, a b, a b, b a, b a, …, so that a machine that becomes slower or faster meanwhile is as slow for both. The first turn begins when both are
 * ready, and what follows the last one waits for the other, too.
 */
export class TurnTaking {
  private position = 0;
  private readonly running = new Set<number>();
  private readonly waiting = new Map<number, Go>();
  private readonly done = new Map<number, Go>();

  /** @param together learns from the runs of both whether they may run beside each other */
  constructor(private readonly together: Together) {}

  /** @param who 0 or 1 */
  of(who: number): Turns {
    return {
      together: this.together,
      next: () => this.until(who, this.waiting),
      over: async () => {
        await this.until(who, this.done);
      },
    };
  }

  /** Nobody waits any longer, because one of them failed. */
  release(): void {
    for (const go of [...this.waiting.values(), ...this.done.values()]) go(undefined);
  }

  private until(who: number, kind: Map<number, Go>): Promise<Turn | undefined> {
    if (this.running.delete(who)) this.position++;
    return new Promise((resolve) => {
      kind.set(who, resolve);
      this.go();
    });
  }

  private go(): void {
    if (this.running.size > 0 || this.waiting.size + this.done.size < 2) return;
    if (this.waiting.size === 0) {
      this.release();
      return;
    }
    const pair = Math.floor(this.position / 2);
    const processor =
      this.position % 2 === 0 && this.waiting.size === 2 ? this.together.processor(pair) : undefined;
    if (processor !== undefined) {
      for (const who of [0, 1]) this.start(who, { processor });
      return;
    }
    const wanted = (this.position + Math.floor(pair / 2)) % 2;
    // One that has nothing left to run leaves its turns to the other.
    this.start(this.waiting.has(wanted) ? wanted : 1 - wanted, undefined);
  }

  private start(who: number, turn: Turn | undefined): void {
    const go = this.waiting.get(who);
    this.waiting.delete(who);
    this.running.add(who);
    go?.(turn);
  }
}
