import { KymoError } from '../core/errors';
import { EngineProcess, type EngineProgram, type Question } from './engineProcess';
import { Parts } from './requests/parts';
import type { Home, RequestTable } from './requests/request';
import type { NameOf, OptionsOf, PartOf, Requests, ResultOf } from './requests/requests';
import type { EngineEvent } from './wire';

export interface RequestHooks {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: EngineEvent) => void;
}

/** Whether a process may be busy with one question for seconds (`expected`), or must be replaced so that the others need not wait (`stuck`). */
type Busy = 'expected' | 'stuck';

/**
 * Questions that share a process, which starts with the first one and ends after a time without questions.
 *
 * Cancelling discards the answer at once and ends no process that another caller waits for. A process that does not end a cancelled question
 * gets no further ones: its other repeatable questions are asked again in a new process, and the old one ends as soon as nobody waits for it.
 * The same happens if it begins no question for seconds, unless that is expected.
 */
export class Questions<Table extends RequestTable, AHome extends Home> {
  private current: EngineProcess | undefined;
  /** Processes that get no further questions but still have callers. */
  private readonly replaced = new Set<EngineProcess>();
  private idle: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(
    private readonly program: EngineProgram,
    private readonly idleAfterMilliseconds: number,
    private readonly busy: Busy,
    private readonly onDispose: () => void = () => undefined,
  ) {}

  /** @throws EngineError; KymoError `cancelled`, `engine-ended` */
  query<Name extends NameOf<Table, 'query', AHome>>(
    name: Name,
    options: OptionsOf<Table, Name>,
    hooks: RequestHooks = {},
  ): Promise<ResultOf<Table, Name>> {
    return this.answer(name, options, hooks) as Promise<ResultOf<Table, Name>>;
  }

  /** Leaving the iteration cancels the stream. @throws as `query`, while it is iterated */
  stream<Name extends NameOf<Table, 'stream', AHome>>(
    name: Name,
    options: OptionsOf<Table, Name>,
    hooks: RequestHooks = {},
  ): AsyncIterable<PartOf<Table, Name>> {
    return streamed((onPart, signal) => this.answer(name, options, { ...hooks, signal }, onPart), hooks);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.idle);
    for (const process of [this.current, ...this.replaced]) {
      for (const question of process?.takeBack('all') ?? []) question.reject(cancelled());
      process?.end();
    }
    this.onDispose();
  }

  private answer(
    name: string,
    options: unknown,
    hooks: RequestHooks,
    onPart?: PartListener,
  ): Promise<unknown> {
    return answered(name, options, hooks, onPart, (question) => {
      if (this.isDisposed) question.reject(cancelled());
      else this.ask(question);
      return () => question.place?.process.forget(question.place.id);
    });
  }

  private ask(question: Question): void {
    clearTimeout(this.idle);
    if (this.current?.isAlive !== true) this.current = this.start();
    this.current.ask(question);
  }

  private start(): EngineProcess {
    const process: EngineProcess = new EngineProcess(this.program, {
      onUnused: () => {
        if (this.current === process)
          this.idle = setTimeout(() => process.end(), this.idleAfterMilliseconds).unref();
        else {
          this.replaced.delete(process);
          process.end();
        }
      },
      onStuck: () => this.replace(process, 'repeatable'),
      ...(this.busy === 'stuck' ? { onSilent: () => this.replace(process, 'not begun') } : {}),
    });
    return process;
  }

  private replace(process: EngineProcess, which: 'not begun' | 'repeatable'): void {
    if (this.current === process) this.current = undefined;
    const questions = process.takeBack(which);
    if (process.isUsed) this.replaced.add(process);
    else process.end();
    if (!this.isDisposed) for (const question of questions) this.ask(question);
  }
}

export type DocumentQuestions = Questions<Requests, 'document'>;

export type PartListener = (part: unknown, taken: () => void) => void;

/**
 * Waits for the answer to a question.
 * @param begin asks the question and returns the action on cancellation; unless that says to wait, the answer is then discarded
 */
export function answered(
  name: string,
  options: unknown,
  { signal, onEvent = () => undefined }: RequestHooks,
  onPart: PartListener = () => undefined,
  begin: (question: Question) => () => void,
  isAwaited = false,
): Promise<unknown> {
  if (signal?.aborted === true) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    const onAbort = (): void => {
      cancel();
      if (!isAwaited) question.reject(cancelled());
    };
    const settled = (): void => signal?.removeEventListener('abort', onAbort);
    const question: Question = {
      name,
      options,
      onEvent,
      onPart: (part) => onPart(part, () => question.place?.process.taken(question.place.id)),
      resolve: (result) => {
        settled();
        resolve(result);
      },
      reject: (error) => {
        settled();
        reject(signal?.aborted === true ? cancelled(error) : error);
      },
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    cancel = begin(question);
  });
}

/** Yields parts as they arrive. Leaving the iteration cancels, and waits for the end of the work where the canceller requires it. */
export async function* streamed<Part>(
  ask: (onPart: PartListener, signal: AbortSignal) => Promise<unknown>,
  { signal }: RequestHooks,
): AsyncGenerator<Part, void> {
  const left = new AbortController();
  const parts = new Parts<{ readonly part: unknown; readonly taken: () => void }>();
  const end = ask(
    (part, taken) => parts.push({ part, taken }),
    signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]),
  ).then(
    () => parts.finish(),
    (error: unknown) => parts.finish({ error }),
  );
  try {
    for await (const { part, taken } of parts.taken()) {
      taken();
      yield part as Part;
    }
  } finally {
    left.abort();
    await end;
  }
}

function cancelled(cause?: unknown): KymoError {
  return new KymoError('cancelled', 'Cancelled.', {}, { cause });
}
