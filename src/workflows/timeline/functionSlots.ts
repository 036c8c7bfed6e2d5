import { placeOf } from '../../core/profile/place';
import { present } from '../../core/present';
import type { TimelineFunction } from '../../core/timeline/pieces';
import type { Definitions, Region } from '../../formats/otf2/definitions/model';

/** Functions that the trace does not define and that are told apart; a damaged file may have any number of ids. */
const mostUnknown = 1000;
const others = 'functions that the trace does not define';
/** Ids up to here are looked up in a table. */
const tableIds = 2 ** 20;

/** The functions of a trace by slots: position + 1. Those that it does not define follow those that it does. */
export class FunctionSlots {
  /** Names of functions that are not defined. */
  readonly unknown: string[];
  readonly defined: number;
  readonly #table: Uint32Array;
  readonly #slots = new Map<number, number>();
  readonly #regionOfContext: ReadonlyMap<number, number>;
  readonly #unknownSlots: Map<string, number>;

  /** @param unknown of an index that was made before: other ones become none */
  constructor(
    private readonly definitions: Definitions,
    unknown?: readonly string[],
  ) {
    this.unknown = [...(unknown ?? [])];
    this.isFixed = unknown !== undefined;
    const ids = [...definitions.regions.keys()];
    this.defined = ids.length;
    const largest = ids.reduce((most, id) => Math.max(most, id), -1);
    this.#table = new Uint32Array(Math.min(tableIds, largest + 1));
    for (const [position, id] of ids.entries())
      if (id < tableIds) this.#table[id] = position + 1;
      else this.#slots.set(id, position + 1);
    this.#unknownSlots = new Map(this.unknown.map((name, at) => [name, this.defined + at + 1]));
    this.#regionOfContext = new Map(
      definitions.records('CALLING_CONTEXT').map(({ values }) => [Number(values.id), Number(values.region)]),
    );
  }

  private readonly isFixed: boolean;

  /** All that there may be. */
  get most(): number {
    return this.defined + 1 + (this.isFixed ? this.unknown.length : mostUnknown + 1);
  }

  ofRegion(id: number): number {
    const slot = id < this.#table.length ? (this.#table[id] ?? 0) : (this.#slots.get(id) ?? 0);
    return slot > 0 ? slot : this.#unknown(`region ${id}`);
  }

  ofContext(id: number): number {
    const region = this.#regionOfContext.get(id);
    return region === undefined ? this.#unknown(`calling context ${id}`) : this.ofRegion(region);
  }

  /** @returns 0 where it is not known from before */
  #unknown(name: string): number {
    const known = this.#unknownSlots.get(name);
    if (known !== undefined) return known;
    if (this.isFixed) return this.#unknownSlots.get(others) ?? 0;
    const isLast = this.unknown.length >= mostUnknown;
    if (isLast && name !== others) return this.#unknown(others);
    const slot = this.defined + this.unknown.push(name);
    this.#unknownSlots.set(name, slot);
    return slot;
  }

  list(): readonly TimelineFunction[] {
    return [
      ...[...this.definitions.regions.values()].map(describedRegion),
      ...this.unknown.map((name) => ({ name, place: { name }, paradigm: 'unknown' })),
    ];
  }
}

function describedRegion({ name, file, firstLine, paradigm, role }: Region): TimelineFunction {
  const region = { name, paradigm: '', role, firstLine, ...present({ file }) };
  return { name, place: placeOf(region), paradigm: paradigmWords[paradigm] ?? paradigm };
}

const paradigmWords: Readonly<Partial<Record<string, string>>> = {
  COMPILER: 'user',
  USER: 'user',
  SAMPLING: 'user',
  NONE: 'user',
  OPENMP: 'OpenMP',
  PTHREAD: 'Pthreads',
  MEASUREMENT_SYSTEM: 'measurement',
  UNKNOWN: 'unknown',
};
