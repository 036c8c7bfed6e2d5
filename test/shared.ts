import { existsSync } from 'node:fs';
import path from 'node:path';

/** Folder of the shared reference data, beside the checkout (or `KYMO_SHARED`). A user's clone does not have it. */
const sharedRoot = process.env.KYMO_SHARED ?? path.resolve(import.meta.dirname, '../../shared');

/** Absolute path of reference data, or undefined where it is not at hand; tests that need it skip then, with a message. */
export function sharedData(relative: string): string | undefined {
  const file = path.join(sharedRoot, 'data', relative);
  if (existsSync(file)) return file;
  process.stderr.write(`skipped: reference data ${relative} is not here\n`);
  return undefined;
}
