import type { VsCodeApi } from './channel';

/** Time after the last change, before it is kept: dragging a border changes much. */
const keepMilliseconds = 200;

/** What the user is looking at, kept for when the page is made anew. */
export class KeptState<State> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What is not kept yet. */
  private changed: (() => State) | undefined;

  /** @param now as it was kept before */
  constructor(
    private readonly api: VsCodeApi,
    private now: State,
  ) {}

  get state(): State {
    return this.now;
  }

  /** Soon, and only once for many changes: `state` may take a while. */
  keepSoon(state: () => State): void {
    this.changed = state;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keepChanged(), keepMilliseconds);
  }

  /** What waits to be kept. */
  keepChanged(): void {
    if (this.changed !== undefined) this.keep(this.changed());
  }

  keep(state: State): void {
    clearTimeout(this.timer);
    this.changed = undefined;
    this.now = state;
    this.api.setState(state);
  }
}
