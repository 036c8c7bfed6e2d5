import * as l10n from '@vscode/l10n';
import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import { KymoError } from '../../core/errors';
import { isRecord } from '../../core/present';
import type { Kymo } from '../state/kymo';

/** Output beyond it would be an error of the command line. */
const longestOutput = 16 << 20;

/**
 * Runs a command of the packaged `kymo` with `--json`. When `signal` aborts, its process ends.
 * @returns what it printed
 * @throws KymoError of the command; `cancelled`; `command-line-failed` where it printed no result
 */
export function runCommandLine(
  { extension, log }: Pick<Kymo, 'extension' | 'log'>,
  words: readonly string[],
  signal: AbortSignal,
): Promise<unknown> {
  const file = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [file, ...words, '--json'],
      { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, signal, maxBuffer: longestOutput },
      (error, stdout, stderr) => {
        for (const line of stderr.split('\n')) if (line.trim() !== '') log.info(line);
        if (signal.aborted) {
          reject(new KymoError('cancelled', l10n.t('The command was cancelled.')));
          return;
        }
        const result = parsed(stdout);
        if (error === null && result !== undefined) resolve(result);
        else reject(errorIn(result) ?? failed(words, error));
      },
    );
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As `kymo --json` prints errors. */
function errorIn(result: unknown): KymoError | undefined {
  if (!isRecord(result) || !isRecord(result.error)) return undefined;
  const { reason, message, file } = result.error;
  if (typeof reason !== 'string' || typeof message !== 'string') return undefined;
  return new KymoError(reason, message, typeof file === 'string' ? { file } : {});
}

function failed([name = '']: readonly string[], cause: Error | null): KymoError {
  return new KymoError(
    'command-line-failed',
    l10n.t('“kymo {0}” ended without a result. Its messages are in the log.', name),
    {},
    { cause },
  );
}
