import type { Integer, TypedValue } from './bytes/values';
import { undefinedRef } from './definitions/globalDefinitions';
import type { Definitions } from './definitions/model';
import type { EventChunk } from './events/chunk';
import {
  bitNames,
  bitSets,
  enumName,
  enumerations,
  type BitSetName,
  type EnumerationName,
} from './layouts/enums';
import { eventLayouts, type EventLayout } from './layouts/events';
import { valueFields, type FieldType } from './layouts/fields';

/** One field of an event, with names in place of references. */
export interface DescribedField {
  readonly name: string;
  /** Integers that a number cannot hold are text. */
  readonly value: number | string;
}

/** Definitions that references of a type lead to. */
const referred: Readonly<Partial<Record<FieldType, readonly string[]>>> = {
  attribute: ['ATTRIBUTE'],
  region: ['REGION'],
  location: ['LOCATION'],
  group: ['GROUP'],
  comm: ['COMM', 'INTER_COMM'],
  parameter: ['PARAMETER'],
  rmaWin: ['RMA_WIN'],
  interruptGenerator: ['INTERRUPT_GENERATOR'],
  ioHandle: ['IO_HANDLE'],
  ioFile: ['IO_REGULAR_FILE', 'IO_DIRECTORY'],
  ioParadigm: ['IO_PARADIGM'],
  locationGroup: ['LOCATION_GROUP'],
};

const noRank: Readonly<Record<number, string>> = {
  [undefinedRef]: 'none',
  [undefinedRef - 1]: 'self',
  [undefinedRef - 2]: 'this group',
};

/** Gives the fields of events names and values that people understand. */
export class EventDescriber {
  readonly #names = new Map<string, Map<number, string>>();

  constructor(private readonly definitions: Definitions) {}

  /** The event's fields in the order of its layout, then its attributes; times are seconds; the values of a metric have the names of its members. */
  fields(chunk: EventChunk, index: number): readonly DescribedField[] {
    const layout = eventLayouts[chunk.kind[index] ?? 0];
    if (layout === undefined) return [];
    const values = new Values(chunk, index);
    // The number of elements is that of the elements that follow.
    const plain = layout.repeated === undefined ? layout.fields : layout.fields.slice(0, -1);
    return [
      ...plain.map(({ name, type }, field) => ({ name, value: this.#value(type, values.at(field)) })),
      ...(layout.repeated === undefined ? [] : this.#elements(layout, values)),
      ...(chunk.attributes.get(index) ?? []).map(({ attribute, ...typed }) => ({
        name: this.#named('ATTRIBUTE', attribute) ?? `attribute ${attribute}`,
        value: this.#typed(typed),
      })),
    ];
  }

  #elements({ fields, repeated }: EventLayout, values: Values): readonly DescribedField[] {
    const elements: DescribedField[] = [];
    if (repeated?.as === 'refs')
      for (let field = fields.length; field < values.count; field++)
        elements.push({
          name: repeated.field.name,
          value: this.#value(repeated.field.type, values.at(field)),
        });
    else {
      const members = this.definitions.metrics.get(Number(values.at(0)))?.members ?? [];
      // A type stands before each value.
      for (let field = fields.length + 1; field < values.count; field += 2) {
        const member = (field - fields.length - 1) / 2;
        elements.push({ name: members[member]?.name ?? `value ${member}`, value: number(values.at(field)) });
      }
    }
    return elements;
  }

  #typed({ type, value }: TypedValue): number | string {
    const field = valueFields[type];
    return field === undefined ? number(value) : this.#value(field.type, value);
  }

  #value(type: FieldType, value: Integer): number | string {
    const id = Number(value);
    const own = this.#special[type]?.(id);
    if (own !== undefined) return own;
    if (type === 'time') return id / this.definitions.clock.ticksPerSecond;
    if (type in enumerations) return enumName(type as EnumerationName, id);
    if (type in bitSets) return bitNames(type as BitSetName, id).join(' ');
    return this.#reference(type, id) ?? number(value);
  }

  readonly #special: Readonly<Partial<Record<FieldType, (id: number) => string | undefined>>> = {
    paradigm: (id) => this.#named('PARADIGM', id),
    rank: (id) => noRank[id],
    string: (id) => this.definitions.strings.get(id) ?? `string ${id}`,
    callingContext: (id) => this.#context(id),
    metric: (id) => this.#metric(id),
  };

  /** Undefined for numbers, and for what is not defined. */
  #reference(type: FieldType, id: number): string | undefined {
    const tables = referred[type];
    if (tables === undefined) return undefined;
    if (id === undefinedRef && type !== 'location') return 'none';
    const table = tables.find((each) => this.#named(each, id) !== undefined);
    return table === undefined ? undefined : this.#named(table, id);
  }

  #metric(id: number): string {
    const members = this.definitions.metrics.get(id)?.members ?? [];
    return members.length === 0 ? `metric ${id}` : members.map(({ name }) => name).join(', ');
  }

  #context(id: number): string | undefined {
    const region = this.#table('CALLING_CONTEXT', 'region').get(id);
    return region === undefined ? undefined : this.definitions.regions.get(Number(region))?.name;
  }

  #named(table: string, id: number): string | undefined {
    return this.#table(table, 'name').get(id);
  }

  /** Names by id, or for a field that is no text, the numbers in it. */
  #table(table: string, field: 'name' | 'region'): ReadonlyMap<number, string> {
    const known = this.#names.get(table);
    if (known !== undefined) return known;
    const { strings } = this.definitions;
    const names = new Map(
      this.definitions.records(table).map(({ values }) => {
        const value = Number(values[field]);
        return [Number(values.id), field === 'name' ? (strings.get(value) ?? '') : String(value)];
      }),
    );
    this.#names.set(table, names);
    return names;
  }
}

/** The fields of one event. */
class Values {
  readonly count: number;
  readonly #first: number;

  constructor(
    private readonly chunk: EventChunk,
    index: number,
  ) {
    this.#first = chunk.first[index] ?? 0;
    this.count = (chunk.first[index + 1] ?? 0) - this.#first;
  }

  at(field: number): Integer {
    const position = this.#first + field;
    return this.chunk.exact.get(position) ?? this.chunk.values[position] ?? 0;
  }
}

function number(value: Integer): number | string {
  return typeof value === 'bigint' ? String(value) : value;
}
