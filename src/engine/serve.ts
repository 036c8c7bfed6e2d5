/**
 * The engine process: runs workflows for the extension, so that the extension host never waits for them. It is started with
 * `child_process.fork`, knows nothing of VS Code, and ends with the process that started it.
 */
import { setImmediate } from 'node:timers/promises';
import { KymoError } from '../core/errors';
import { UserLeft } from '../core/userLeft';
import { distrustWorkspace, trustWorkspace, workspaceIsTrusted } from '../measurement/launch/trust';
import { toFailure } from './failure';
import { LogOutlet } from './logOutlet';
import type { Context, RequestTable } from './requests/request';
import { partsAhead, type EngineEvent, type FromEngine, type ToEngine } from './wire';

/** Time for running work to end after the extension is gone. */
const lastGraceMilliseconds = 900;

interface Running {
  readonly abort: AbortController;
  readonly taken: () => void;
}

/** Answers the extension's requests until the channel to it breaks. */
export function serve(requests: RequestTable): void {
  const running = new Map<number, Running>();

  async function answer({ id, name, options }: Extract<ToEngine, { kind: 'request' }>): Promise<void> {
    const abort = new AbortController();
    const { signal } = abort;
    const ahead = new Ahead(signal);
    running.set(id, { abort, taken: () => ahead.taken() });
    const emit = (event: EngineEvent): void => send({ kind: 'event', id, event });
    const log = new LogOutlet((lines) => emit({ kind: 'log', lines }));
    const progress: Context['progress'] = {
      report: (step) => emit({ kind: 'progress', ...step }),
      log: (line) => log.add(line),
    };
    try {
      // Reads the messages that arrived together first: one of them may cancel this request.
      await setImmediate();
      signal.throwIfAborted();
      const { writes, runsCommands, answer } = requestOf(requests, name);
      if (runsCommands && !workspaceIsTrusted())
        throw new KymoError(
          'untrusted',
          'The workspace is not trusted, and this runs commands that it defines. Trust it first.',
        );
      send({ kind: 'began', id, writes });
      const answered = answer(options as never, { signal, progress });
      let result: unknown;
      if (Symbol.asyncIterator in answered) {
        for await (const part of answered) {
          send({ kind: 'part', id, part });
          await ahead.sent();
        }
      } else result = await answered;
      log.flush();
      send({ kind: 'result', id, result });
    } catch (error) {
      log.flush();
      const failure = toFailure(error);
      send({ kind: 'error', id, error: signal.aborted ? { ...failure, reason: 'cancelled' } : failure });
    } finally {
      running.delete(id);
      if (!process.connected && running.size === 0) process.exit(0);
    }
  }

  /** Ends running work after the extension has gone (or the machine shuts down), and exits even if some work does not end. */
  function endSoon(): void {
    if (running.size === 0) process.exit(0);
    for (const { abort } of running.values()) abort.abort(new UserLeft());
    setTimeout(() => process.exit(1), lastGraceMilliseconds);
  }

  distrustWorkspace();
  process.on('message', (message: ToEngine) => {
    if (message.kind === 'cancel') return running.get(message.id)?.abort.abort();
    if (message.kind === 'taken') return running.get(message.id)?.taken();
    // A window withdraws trust only by reloading, which ends this process.
    if (message.trusted) trustWorkspace();
    void answer(message);
  });
  process.on('disconnect', endSoon);
  process.on('SIGTERM', endSoon);
  process.on('SIGINT', endSoon);
  send({ kind: 'ready' });
}

function requestOf(requests: RequestTable, name: string): RequestTable[string] {
  const request = Object.hasOwn(requests, name) ? requests[name] : undefined;
  if (request === undefined) throw new Error(`The engine has no request “${name}”.`);
  return request;
}

/** Makes a stream wait while the receiver lags behind by `partsAhead` parts. */
class Ahead {
  private count = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  taken(): void {
    this.count -= 1;
    this.wake();
  }

  /** Resolves when the stream may send more. @throws when the stream is cancelled */
  async sent(): Promise<void> {
    this.count += 1;
    while (this.count >= partsAhead && !this.signal.aborted)
      await new Promise<void>((resolve) => (this.wake = resolve));
    this.signal.throwIfAborted();
  }
}

function send(message: FromEngine): void {
  if (process.connected) process.send?.(message);
}
