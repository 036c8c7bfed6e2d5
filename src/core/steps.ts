/** Long work that stops after each step, so that others get their turn. It yields the part of the work that is done (0…1), where that is known. */
export type Steps<Result> = Generator<number | undefined, Result, undefined>;

/** The same steps; after each one, `done` says which part of the whole work is done. */
export function* partOf<Result>(steps: Steps<Result>, done: () => number): Steps<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield done();
  }
}

/** The result, without a stop. */
export function finished<Result>(steps: Generator<unknown, Result, undefined>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
