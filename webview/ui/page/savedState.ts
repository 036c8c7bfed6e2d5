import { isRecord, present } from '../../../src/core/present';
import type { SortOrder } from '../grid/columns';
import type { VsCodeApi } from './channel';

/** The state is saved after this time without a change, because dragging a border changes it often. */
const saveDelayMilliseconds = 200;

/** The view's state, which VS Code saves until it creates the page again. */
export class SavedState<State> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The latest change, which is not saved yet. */
  private changed: (() => State) | undefined;

  /** @param now the state of the earlier page */
  constructor(
    private readonly api: VsCodeApi,
    private now: State,
  ) {}

  get state(): State {
    return this.now;
  }

  /** Saves once after the last of several changes, because `state` may take long for large trees. */
  saveSoon(state: () => State): void {
    this.changed = state;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.saveChanged(), saveDelayMilliseconds);
  }

  saveChanged(): void {
    if (this.changed !== undefined) this.save(this.changed());
  }

  save(state: State): void {
    clearTimeout(this.timer);
    this.changed = undefined;
    this.now = state;
    this.api.setState(state);
  }
}

/** Reads a saved value. Another version may have written it, so an invalid value becomes the default. */
type Reader<Value> = (value: unknown) => Value;
type Fields = Readonly<Record<string, Reader<unknown>>>;
type Value<Field> = Field extends Reader<infer Saved> ? Saved : never;
type Optional<All> = { [Name in keyof All]: undefined extends Value<All[Name]> ? Name : never }[keyof All];

/** The values of these fields; fields without a default are optional. */
export type Saved<All extends Fields> = {
  readonly [Name in Exclude<keyof All, Optional<All>>]: Value<All[Name]>;
} & { readonly [Name in Optional<All>]?: Value<All[Name]> };

/** Reads a record of fields. */
export function record<All extends Fields>(all: All): Reader<Saved<All>> {
  return (value) => {
    const saved = isRecord(value) ? value : {};
    return present(
      Object.fromEntries(Object.entries(all).map(([name, read]) => [name, read(saved[name])])),
    ) as Saved<All>;
  };
}

export function text(): Reader<string | undefined>;
export function text(usual: string, longest: number): Reader<string>;
export function text(usual?: string, longest = Infinity): Reader<string | undefined> {
  return (value) => (typeof value === 'string' ? value.slice(0, longest) : usual);
}

export const flag: Reader<boolean> = (value) => value === true;

/** Any value; its owner checks it. */
export const anything: Reader<unknown> = (value) => value;

export const position: Reader<number | undefined> = (value) => (isPosition(value) ? value : undefined);

export function positions(most: number): Reader<readonly number[]> {
  return (value) => listOf(value).filter(isPosition).slice(0, most);
}

/** A whole number from 0 to `most`; others are 0. */
export function wholeWithin(most: number): Reader<number> {
  return (value) => (isPosition(value) && value <= most ? value : 0);
}

/** Reads a list of texts of at most so many characters together. */
export function texts(most: number): Reader<readonly string[]> {
  return (value) => {
    const all = listOf(value).filter((one) => typeof one === 'string');
    return all.reduce((sum, { length }) => sum + length, 0) <= most ? all : [];
  };
}

export function choice<Choice extends string>(choices: readonly Choice[], usual: Choice): Reader<Choice> {
  return (value) => choices.find((other) => other === value) ?? usual;
}

/** Reads the share of a splitter. */
export function share(usual: number): Reader<number> {
  return numberWithin(0.1, 0.9, usual);
}

export function numberWithin(least: number, most: number, usual: number): Reader<number> {
  return (value) => (typeof value === 'number' && value >= least && value <= most ? value : usual);
}

export function sort(): Reader<SortOrder | undefined>;
export function sort(column: string, direction: SortOrder['direction']): Reader<SortOrder>;
export function sort(column?: string, direction?: SortOrder['direction']): Reader<SortOrder | undefined> {
  const usual = column === undefined || direction === undefined ? undefined : { column, direction };
  return (value) => {
    const order = isRecord(value) ? value : {};
    const isOrder = order.direction === 'ascending' || order.direction === 'descending';
    if (typeof order.column !== 'string' || !isOrder) return usual;
    return { column: order.column, direction: order.direction as SortOrder['direction'] };
  };
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Whether a value can be the position of a row. */
export function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
