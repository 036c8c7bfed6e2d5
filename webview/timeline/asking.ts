/**
 * Asks for one piece after the other: the next question is made when the answer to the last one is here. So a quick sequence of zooms asks for what is in sight
 * at the end of it, and no question waits behind others that nobody needs any more.
 */
export class Asking<Question, Answer> {
  private abort = new AbortController();
  private isBusy = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly options: {
      /** What is missing now; undefined: nothing. */
      readonly missing: () => Question | undefined;
      readonly ask: (question: Question, signal: AbortSignal) => Promise<Answer>;
      readonly take: (answer: Answer, question: Question) => void;
      readonly fail: (error: unknown) => void;
      /** Asks only when nothing has changed for this time. */
      readonly restMilliseconds?: number;
    },
  ) {}

  /** Something may be missing. */
  look(): void {
    const { restMilliseconds } = this.options;
    clearTimeout(this.timer);
    if (restMilliseconds === undefined) void this.next();
    else this.timer = setTimeout(() => void this.next(), restMilliseconds);
  }

  /** Forgets the question whose answer is on its way: it is about something else. */
  forget(): void {
    clearTimeout(this.timer);
    this.abort.abort();
    this.abort = new AbortController();
    this.isBusy = false;
  }

  private async next(): Promise<void> {
    if (this.isBusy) return;
    const question = this.options.missing();
    if (question === undefined) return;
    this.isBusy = true;
    const { signal } = this.abort;
    try {
      const answer = await this.options.ask(question, signal);
      if (signal.aborted) return;
      this.isBusy = false;
      this.options.take(answer, question);
      void this.next();
    } catch (error) {
      if (signal.aborted) return;
      this.isBusy = false;
      this.options.fail(error);
    }
  }
}
