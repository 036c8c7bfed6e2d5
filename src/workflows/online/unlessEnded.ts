import { isKymoError } from '../../core/errors';

/** Throws any error but that a process of the program has ended. */
export function unlessEnded(error: unknown): void {
  if (!isKymoError(error) || error.reason !== 'process-ended') throw error;
}
