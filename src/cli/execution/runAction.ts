import { isKymoError, KymoError } from '../../core/errors';
import { UserLeft } from '../../core/userLeft';
import { forwardOnly, type ProgressSink } from '../../core/progress';
import type { ActionManner, CliContext, CommandResult } from './context';
import { reportError } from './report';

/** Error reasons for wrong usage or configuration (exit status 2); all others are failures (1). */
const usageReasons = new Set([
  'usage',
  'config-missing',
  'config-invalid',
  'config-exists',
  'expectation-invalid',
  'file-exists',
  'pira-invalid',
  'unknown-function',
  'unknown-hypothesis',
  'unknown-target',
]);

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Maximum time that a cancelled command has to clean up. */
const longestFarewellMilliseconds = 5000;

/**
 * Runs one command: Ctrl-C and SIGTERM abort it (exit status 130), its result goes to stdout, everything else to stderr, and the exit
 * status states how it ended.
 */
export async function runAction(
  action: (context: Omit<CliContext, 'workspace'>) => Promise<CommandResult>,
  options: Pick<CliContext, 'json' | 'target'> & Partial<ActionManner>,
): Promise<void> {
  const abort = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (name === 'SIGHUP' && options.outlivesTerminal === true) return;
    // On the second signal, or if the command does not end in time: the guards of `measurement/launch` end the programs that it started.
    if (abort.signal.aborted) process.exit(130);
    // A closed terminal does not cancel a batch job, which the same command finds again.
    abort.abort(name === 'SIGHUP' ? new UserLeft() : undefined);
    setTimeout(() => process.exit(130), longestFarewellMilliseconds).unref();
  };
  for (const signal of endSignals) process.on(signal, onSignal);
  const print = (text: string): void => void process.stdout.write(text);
  try {
    const result = await action({
      ...options,
      signal: abort.signal,
      progress: forwardOnly(stderrProgress()),
    });
    print(options.json ? `${jsonText(result.result)}\n` : ensureNewline(result.text));
    process.exitCode = result.status ?? (result.limitExceeded === true ? 3 : 0);
  } catch (error) {
    if (abort.signal.aborted) {
      reportError(cancelled(error), options.json);
      process.exitCode = 130;
    } else {
      reportError(error, options.json);
      process.exitCode = isKymoError(error) && usageReasons.has(error.reason) ? 2 : 1;
    }
  } finally {
    for (const signal of endSignals) process.off(signal, onSignal);
  }
}

function jsonText(result: unknown): string {
  return result === undefined ? 'null' : JSON.stringify(result);
}

function ensureNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function stderrProgress(): ProgressSink {
  return {
    report: ({ message, fraction, remainingSeconds }) => {
      const share =
        fraction === undefined
          ? ''
          : `[${Math.round(fraction * 100)
              .toString()
              .padStart(3)} %] `;
      const left = remainingSeconds === undefined ? '' : ` (about ${Math.ceil(remainingSeconds)} s left)`;
      process.stderr.write(`${share}${message}${left}\n`);
    },
    log: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** Commands that cannot go on give their own message. */
function cancelled(error: unknown): KymoError {
  const message =
    isKymoError(error) && error.reason === 'run-cancelled'
      ? error.message
      : 'Cancelled. Complete experiments stay readable; run the same command again to go on.';
  return new KymoError('cancelled', message);
}
