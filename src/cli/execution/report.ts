import type { KymoError } from '../../core/errors';
import { isKymoError } from '../../core/errors';

/** Reports an error as text on stderr, and with `--json` also as the one document on stdout. */
export function reportError(error: unknown, json: boolean): void {
  const { reason, message, where } = describe(error);
  if (json) process.stdout.write(`${JSON.stringify({ error: { reason, message, ...where } })}\n`);
  process.stderr.write(`kymo: ${message}\n`);
  if (reason === 'internal' && error instanceof Error && error.stack !== undefined)
    process.stderr.write(`${error.stack}\n`);
}

function describe(error: unknown): Pick<KymoError, 'reason' | 'message' | 'where'> {
  if (isKymoError(error)) return error;
  return { reason: 'internal', message: error instanceof Error ? error.message : String(error), where: {} };
}
