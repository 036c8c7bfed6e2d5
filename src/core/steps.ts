/** Long work that stops after each step, so that others get their turn. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** The result, without a stop. */
export function finished<Result>(steps: Generator<unknown, Result, undefined>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
