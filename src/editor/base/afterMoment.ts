/** What is over sooner shows no progress: a notification that flashes up is worse than none. */
const quietMilliseconds = 400;

/**
 * Waits for `work`; when it lasts longer than a moment, `show` is called, once, with a promise that resolves when the work is over, however
 * it ends.
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
