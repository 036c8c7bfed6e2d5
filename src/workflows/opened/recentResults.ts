import { stat } from 'node:fs/promises';
import { KymoError } from '../../core/errors';
import type { Cancellable } from '../running/turn';

interface Shared<Result> {
  readonly result: Promise<Result>;
  readonly abort: AbortController;
  /** Number of callers that have not cancelled. */
  waiting: number;
}

/** A cache of the last requested results by key. Simultaneous requests share one computation, and a failed one is repeated on the next request. */
export class RecentResults<Result> {
  private readonly results = new Map<string, Shared<Result>>();

  /**
   * @param most the number of results that stay in memory
   * @param forget frees what a result holds when it is no longer one of them
   */
  constructor(
    private readonly most: number,
    private readonly forget: (result: Result) => void = () => undefined,
  ) {}

  /**
   * @param compute receives a signal that aborts when all callers have cancelled
   * @throws the errors of `compute`; KymoError `cancelled` when `signal` aborts before the result
   */
  async get(
    key: string,
    compute: (context: Required<Cancellable>) => Promise<Result>,
    { signal }: Cancellable = {},
  ): Promise<Result> {
    signal?.throwIfAborted();
    const shared = this.results.get(key) ?? begin(compute);
    shared.waiting += 1;
    this.results.delete(key);
    this.results.set(key, shared);
    this.forgetAll(this.most);
    const forget = (): void => {
      if (this.results.get(key) === shared) this.results.delete(key);
    };
    let leave: (error: KymoError) => void = () => undefined;
    const left = new Promise<never>((_, reject) => (leave = reject));
    const onAbort = (): void => {
      leave(new KymoError('cancelled', 'Cancelled.', {}, { cause: signal?.reason }));
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      // New callers must not join a computation that is about to fail.
      forget();
      shared.abort.abort(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([shared.result, left]);
    } catch (error) {
      if (signal?.aborted !== true) forget();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** @param but the number of results that stay: those that were requested last */
  forgetAll(but = 0): void {
    for (const [oldest, { result }] of this.results) {
      if (this.results.size <= but) break;
      this.results.delete(oldest);
      void result.then(this.forget, () => undefined);
    }
  }
}

function begin<Result>(compute: (context: Required<Cancellable>) => Promise<Result>): Shared<Result> {
  const abort = new AbortController();
  return { result: compute({ signal: abort.signal }), abort, waiting: 0 };
}

/** Changes with the content of a file. @throws what `stat` throws */
export async function contentIdentity(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs}-${size}-${ino}`;
}

/** The content identity of a profile. @throws KymoError `profile-missing` */
export async function profileIdentity(file: string): Promise<string> {
  try {
    return await contentIdentity(file);
  } catch (cause) {
    throw new KymoError(
      'profile-missing',
      `${file} cannot be read: it was deleted or moved, or it is not yet written. Choose another profile, or run the program again.`,
      { file },
      { cause },
    );
  }
}
