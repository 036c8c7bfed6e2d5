import { present } from '../../core/present';
import { sourceFile } from '../../core/profile/place';
import type { Region } from '../../core/profile/profile';
import { undefinedRef } from './definitions/globalDefinitions';
import type { Definitions, Region as DefinedRegion } from './definitions/model';
import { enterKind, eventKind, leaveKind } from './layouts/events';

/** Enter, leave and sample of a sampled or unwound function: the field is a calling context, which has a region. */
const contextEnter = eventKind('CALLING_CONTEXT_ENTER');
const contextLeave = eventKind('CALLING_CONTEXT_LEAVE');
const contextSample = eventKind('CALLING_CONTEXT_SAMPLE');

export type CallKind = 'enter' | 'leave' | 'sample';

const callKinds: readonly (readonly [kind: number, means: CallKind, isOfContext: boolean])[] = [
  [enterKind, 'enter', false],
  [leaveKind, 'leave', false],
  [contextEnter, 'enter', true],
  [contextLeave, 'leave', true],
  [contextSample, 'sample', true],
];

/** By the record's type: reading passes here with every event. */
const kinds = Array.from({ length: 256 }, (_, type) => callKinds.find(([kind]) => kind === type)?.[1]);
const isContext = Array.from({ length: 256 }, (_, type) =>
  callKinds.some(([kind, , is]) => is && kind === type),
);

/** What an event means for the call stack; undefined: nothing. */
export function callKind(type: number): CallKind | undefined {
  return kinds[type];
}

/** Functions that are not defined and are told apart: a damaged file may have any number of ids. */
const mostUnknown = 1000;
const others = 'functions that the trace does not define';
/** Ids below are looked up in a table. */
const tableIds = 2 ** 20;

/** The functions of a trace by position: those of its regions, in the order of the definitions, then those that are not defined. */
export class TraceFunctions {
  /** Grows while events refer to functions that are not defined. */
  readonly list: Region[];
  readonly #defined: number;
  /** Positions + 1 of regions by their id. */
  readonly #table: Uint32Array;
  readonly #beyondTable = new Map<number, number>();
  readonly #regionOf: ReadonlyMap<number, number>;
  readonly #ofUnknown = new Map<string, number>();
  readonly #isFixed: boolean;

  /** @param unknown functions that an index has that was made before: there are no others then */
  constructor(definitions: Definitions, unknown?: readonly string[]) {
    this.list = [...definitions.regions.values()].map(regionOf);
    this.#defined = this.list.length;
    const ids = [...definitions.regions.keys()];
    const largest = ids.reduce((most, id) => Math.max(most, id), -1);
    this.#table = new Uint32Array(Math.min(tableIds, largest + 1));
    for (const [position, id] of ids.entries())
      if (id < tableIds) this.#table[id] = position + 1;
      else this.#beyondTable.set(id, position + 1);
    this.#regionOf = new Map(
      definitions.records('CALLING_CONTEXT').map(({ values }) => [Number(values.id), Number(values.region)]),
    );
    for (const name of unknown ?? []) this.#add(name);
    this.#isFixed = unknown !== undefined;
  }

  /** Names of the functions that are not defined. */
  get unknown(): readonly string[] {
    return this.list.slice(this.#defined).map(({ name }) => name);
  }

  /** Number of functions that there may be in the end. */
  get most(): number {
    return this.#defined + mostUnknown + 1;
  }

  /**
   * @param type of an event with a `callKind`
   * @param value its first field
   * @returns −1: one that the index made before does not have
   */
  positionOf(type: number, value: number): number {
    if (isContext[type] !== true) return this.#ofRegion(value);
    const region = this.#regionOf.get(value);
    return region === undefined ? this.#unknown(`calling context ${value}`) : this.#ofRegion(region);
  }

  #ofRegion(id: number): number {
    const known = id < this.#table.length ? this.#table[id] : this.#beyondTable.get(id);
    return known === undefined || known === 0 ? this.#unknown(`region ${id}`) : known - 1;
  }

  #unknown(name: string): number {
    const known = this.#ofUnknown.get(name);
    if (known !== undefined) return known;
    if (!this.#isFixed && this.#ofUnknown.size < mostUnknown) return this.#add(name);
    return this.#ofUnknown.get(others) ?? (this.#isFixed ? -1 : this.#add(others));
  }

  #add(name: string): number {
    const position = this.list.push({ name, role: 'unknown', paradigm: 'unknown' }) - 1;
    this.#ofUnknown.set(name, position);
    return position;
  }
}

function regionOf({ name, canonicalName, file, firstLine, lastLine, role, paradigm }: DefinedRegion): Region {
  const region = {
    name,
    role: role.toLowerCase(),
    paradigm: paradigm.toLowerCase(),
    ...present({
      mangledName: canonicalName === '' || canonicalName === name ? undefined : canonicalName,
      firstLine: firstLine === 0 ? undefined : firstLine,
      lastLine: lastLine === 0 || lastLine === undefinedRef ? undefined : lastLine,
    }),
  };
  return { ...region, ...present({ file: sourceFile({ ...region, ...present({ file }) }) }) };
}
