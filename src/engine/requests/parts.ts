/** A queue of parts from a producer to one consumer, who takes them in order. */
export class Parts<Part> {
  private readonly waiting: Part[] = [];
  private end: { readonly error?: unknown } | undefined;
  private wake: () => void = () => undefined;

  push(part: Part): void {
    this.waiting.push(part);
    this.wake();
  }

  /** Ends the queue. With an error, the iteration throws it after the last part. */
  finish(end: { readonly error?: unknown } = {}): void {
    this.end ??= end;
    this.wake();
  }

  /** @param onTaken called before each part is given */
  async *taken(onTaken: () => void = () => undefined): AsyncGenerator<Part, void> {
    for (;;) {
      for (let part = this.waiting.shift(); part !== undefined; part = this.waiting.shift()) {
        onTaken();
        yield part;
      }
      if (this.end !== undefined) break;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if ('error' in this.end) throw this.end.error;
  }
}

/** Yields the parts that `work` reports while it runs. */
export function partsOf<Part>(work: (report: (part: Part) => void) => Promise<void>): AsyncIterable<Part> {
  const parts = new Parts<Part>();
  work((part) => parts.push(part)).then(
    () => parts.finish(),
    (error: unknown) => parts.finish({ error }),
  );
  return parts.taken();
}
