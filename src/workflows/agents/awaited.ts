import { KymoError } from '../../core/errors';

/** Waits for agents to join. */
export class Awaited {
  private readonly missing: Set<number>;
  private readonly count: number;
  private settle: { done(): void; fail(error: Error): void } | undefined;
  private failure: KymoError | undefined;

  /** @param ranks of the agents in the network */
  constructor(ranks: readonly number[]) {
    this.missing = new Set(ranks);
    this.count = ranks.length;
  }

  joined(rank: number): void {
    this.missing.delete(rank);
    if (this.missing.size === 0) this.settle?.done();
  }

  /** One of those that start them has ended. */
  failed(why: string): void {
    this.failure ??= this.error(`: ${why}`);
    if (this.missing.size > 0) this.settle?.fail(this.failure);
  }

  /** @throws KymoError `agents-failed`; the reason of an abort */
  async all(seconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    let abort = (): void => undefined;
    try {
      await new Promise<void>((done, fail) => {
        this.settle = { done, fail };
        abort = () => fail(signal.reason as Error);
        signal.addEventListener('abort', abort);
        timer = setTimeout(() => fail(this.error(` within ${seconds} s`)), seconds * 1000);
        if (this.missing.size === 0) done();
        else if (this.failure !== undefined) fail(this.failure);
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  private error(how: string): KymoError {
    return new KymoError(
      'agents-failed',
      `The agents that watch the hosts of the run could not be started: ${this.missing.size} of ${this.count} did not come${how}. The program runs on.`,
    );
  }
}
