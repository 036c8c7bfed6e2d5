/** Long work that stops after each step, so that others get their turn. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** The result, without a stop. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
