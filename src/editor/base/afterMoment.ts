/** Shorter work shows no progress: a flashing notification is worse than none. */
const quietMilliseconds = 400;

/**
 * Waits for `work`. If it lasts longer than a moment, calls `show` once, with a promise that resolves when the work succeeds or fails.
 */
export async function afterMoment<Result>(
  work: Promise<Result>,
  show: (over: Promise<void>) => void,
): Promise<Result> {
  const over = work.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => show(over), quietMilliseconds);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
