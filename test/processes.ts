import { readFileSync } from 'node:fs';
import type { KymoError } from '../src/core/errors';

/** What a request fails with; an error where it succeeds. */
export const failureOf = (request: Promise<unknown>): Promise<KymoError> =>
  request.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as KymoError,
  );

/** Whether a process still runs; one that has ended and was not waited for does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
