/** A step that can be undone: the state after it, and what it changed, in words. */
interface Step<State> {
  readonly state: State;
  readonly what: string;
  /** Milliseconds of any clock. */
  readonly when: number;
}

/** Steps of the same kind within this time are one, where they are parts of it: letters that are typed, rows that a key passes. */
const mergeMilliseconds = 1000;
/** Maximum number of steps that are kept. */
const mostSteps = 200;

/** The states that a user went through, for undo and redo. States are never changed. */
export class History<State> {
  private readonly steps: Step<State>[];
  private position = 0;
  /** The next step is one of its own, whatever the last one was. */
  private isApart = true;

  constructor(initial: State) {
    this.steps = [{ state: initial, what: '', when: -Infinity }];
  }

  get current(): State {
    return this.step(this.position).state;
  }

  /** What undo takes back; undefined: nothing. */
  get undoes(): string | undefined {
    return this.position > 0 ? this.step(this.position).what : undefined;
  }

  /** What redo does again; undefined: nothing. */
  get redoes(): string | undefined {
    return this.steps[this.position + 1]?.what;
  }

  /**
   * Adds the state after a step. What was undone is no longer there to redo.
   * @param merges whether steps of this kind that follow each other quickly are one
   */
  record(state: State, what: string, now: number, merges: boolean): void {
    const last = this.step(this.position);
    const isSame = merges && !this.isApart && last.what === what && now - last.when < mergeMilliseconds;
    this.steps.length = this.position + 1;
    if (isSame && this.position > 0) this.steps.pop();
    this.steps.push({ state, what, when: now });
    if (this.steps.length > mostSteps + 1) this.steps.shift();
    this.position = this.steps.length - 1;
    this.isApart = false;
  }

  /** Replaces the current state by one that differs in what no step is for. */
  amend(state: State): void {
    this.steps[this.position] = { ...this.step(this.position), state };
  }

  /** The state to show; undefined: there is nothing to undo. */
  undo(): State | undefined {
    return this.go(-1);
  }

  redo(): State | undefined {
    return this.go(1);
  }

  private go(by: 1 | -1): State | undefined {
    if (this.steps[this.position + by] === undefined) return undefined;
    this.position += by;
    this.isApart = true;
    return this.current;
  }

  private step(position: number): Step<State> {
    const step = this.steps[position];
    if (step === undefined) throw new RangeError(`no step ${position}`);
    return step;
  }
}

/** Ctrl+Z, and Ctrl+Y or Ctrl+Shift+Z; in a field they are its own. */
export function historyKey(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return undefined;
  const [target] = event.composedPath();
  // A slider has nothing to undo.
  if (target instanceof HTMLInputElement && target.type !== 'range') return undefined;
  return key === 'y' || event.shiftKey ? 'redo' : 'undo';
}
