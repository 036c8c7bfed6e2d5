import { isRecord } from '../../../src/core/present';
import type { SortOrder } from '../grid/columns';
import type { VsCodeApi } from './channel';

/** Time after the last change, before it is kept: dragging a border changes much. */
const keepMilliseconds = 200;

/** What the user is looking at. VS Code keeps it for when the page is made again. */
export class KeptState<State> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The change that waits. */
  private changed: (() => State) | undefined;

  /** @param now the state of the earlier page */
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

/** Reads the fields of a kept state. Another version may have written it: a field that does not fit gets its default. */
export class KeptFields {
  private readonly fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.fields = isRecord(value) ? value : {};
  }

  /** For the owner to check. */
  value(name: string): unknown {
    return this.fields[name];
  }

  within(name: string): KeptFields {
    return new KeptFields(this.fields[name]);
  }

  text(name: string, longest = Infinity): string | undefined {
    const value = this.fields[name];
    return typeof value === 'string' ? value.slice(0, longest) : undefined;
  }

  flag(name: string): boolean {
    return this.fields[name] === true;
  }

  position(name: string): number | undefined {
    const value = this.fields[name];
    return isPosition(value) ? value : undefined;
  }

  positions(name: string, most: number): readonly number[] {
    return this.list(name).filter(isPosition).slice(0, most);
  }

  list(name: string): readonly unknown[] {
    const value = this.fields[name];
    return Array.isArray(value) ? (value as readonly unknown[]) : [];
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], usual: Choice): Choice {
    return choices.find((choice) => choice === this.fields[name]) ?? usual;
  }

  share(name: string, usual: number): number {
    return shareOr(this.fields[name], usual);
  }

  sort(name: string): SortOrder | undefined {
    const order = this.within(name);
    const column = order.text('column');
    const direction = order.value('direction');
    return column !== undefined && (direction === 'ascending' || direction === 'descending')
      ? { column, direction }
      : undefined;
  }
}

/** Whether it can be the number of a row. */
export function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A share of a splitter. */
export function shareOr(value: unknown, usual: number): number {
  return typeof value === 'number' && value >= 0.1 && value <= 0.9 ? value : usual;
}
