/**
 * The engine process: runs workflows for the extension, so that the extension host never waits for them. It is started with
 * `child_process.fork`, knows nothing of VS Code, and ends with whoever started it.
 */
import { KymoError } from '../core/errors';
import type { ProgressSink } from '../core/progress';
import { distrustWorkspace, trustWorkspace, workspaceIsTrusted } from '../measurement/launch/trust';
import { toFailure } from './failure';
import { handlers, runsCommands } from './handlers';
import { LogOutlet } from './logOutlet';
import type { EngineEvent, FromEngine, RequestName, RequestOptions, ToEngine } from './messages';

/** How long running work may take to end after the extension is gone. */
const lastGraceMilliseconds = 900;

const running = new Map<number, AbortController>();

distrustWorkspace();
process.on('message', (message: ToEngine) => {
  if (message.kind === 'cancel') return running.get(message.id)?.abort();
  // A window never takes trust back without reloading, and that ends this process.
  if (message.trusted) trustWorkspace();
  void answer(message.id, message.name, message.options);
});
process.on('disconnect', endSoon);
process.on('SIGTERM', endSoon);
process.on('SIGINT', endSoon);

async function answer<Name extends RequestName>(
  id: number,
  name: Name,
  options: RequestOptions<Name>,
): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  const emit = (event: EngineEvent): void => send({ kind: 'event', id, event });
  const log = new LogOutlet((lines) => emit({ kind: 'log', lines }));
  const progress: ProgressSink = {
    report: (step) => emit({ kind: 'progress', ...step }),
    log: (line) => log.add(line),
  };
  try {
    if (runsCommands.has(name) && !workspaceIsTrusted())
      throw new KymoError(
        'untrusted',
        'The workspace is not trusted, and this runs commands that it defines. Trust it first.',
      );
    const result = await handlers[name](options, { signal: abort.signal, progress, emit });
    log.flush();
    send({ kind: 'result', id, result });
  } catch (error) {
    log.flush();
    const failure = toFailure(error);
    send({ kind: 'error', id, error: abort.signal.aborted ? { ...failure, reason: 'cancelled' } : failure });
  } finally {
    running.delete(id);
    if (!process.connected && running.size === 0) process.exit(0);
  }
}

function send(message: FromEngine): void {
  if (process.connected) process.send?.(message);
}

/** The extension is gone (or the machine goes down): stop what runs, and leave even if something does not stop. */
function endSoon(): void {
  if (running.size === 0) process.exit(0);
  for (const abort of running.values()) abort.abort();
  setTimeout(() => process.exit(1), lastGraceMilliseconds);
}
