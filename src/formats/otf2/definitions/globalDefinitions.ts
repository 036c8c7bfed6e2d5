import { getOrMake } from '../../../core/getOrMake';
import { present } from '../../../core/present';
import type { NamedSource } from '../../byteSource';
import type { Integer, TypedValue } from '../bytes/values';
import { globalDefinitions } from '../layouts/definitions';
import { bitNames, enumName, metricModeName, type EnumerationName } from '../layouts/enums';
import type { Notes } from '../problems/notes';
import { placedLocations } from './locations';
import type {
  Clock,
  Communicator,
  Definitions,
  Group,
  LocationGroup,
  Metric,
  MetricMember,
  Named,
  Region,
  SystemTreeNode,
} from './model';
import { readDefinitions, type DefinitionRecord } from './records';

/** A reference that leads nowhere. */
export const undefinedRef = 0xffffffff;

export function readGlobalDefinitions(
  source: NamedSource,
  chunkSize: number,
  announced: number,
  notes: Notes,
): Definitions {
  const byName = new Map<string, DefinitionRecord[]>();
  const strings = new Map<number, string>();
  const all: DefinitionRecord[] = [];
  readDefinitions(source, chunkSize, globalDefinitions, notes, (record) => {
    all.push(record);
    getOrMake(byName, record.name, () => []).push(record);
    if (record.name === 'STRING')
      strings.set(record.values.id as number, (record.values.text ?? '') as string);
  });
  if (all.length !== announced)
    notes.add(
      'count',
      `${source.file} has ${all.length} definitions; the anchor file announces ${announced}.`,
    );
  return new Resolver(all, byName, strings).definitions();
}

/** One record's fields, with strings and enumerations resolved. */
class Fields {
  constructor(
    private readonly record: DefinitionRecord,
    private readonly strings: ReadonlyMap<number, string>,
  ) {}

  number(field: string): number {
    return Number(this.integer(field) ?? 0);
  }

  integer(field: string): Integer | undefined {
    return this.record.values[field] as Integer | undefined;
  }

  /** Undefined where nothing is referred to. */
  ref(field: string): number | undefined {
    const id = this.integer(field);
    return id === undefined || Number(id) === undefinedRef ? undefined : Number(id);
  }

  optionalText(field: string): string | undefined {
    const id = this.ref(field);
    return id === undefined ? undefined : this.strings.get(id);
  }

  text(field: string): string {
    return this.optionalText(field) ?? '';
  }

  name(enumeration: EnumerationName, field: string): string {
    return enumName(enumeration, this.number(field));
  }

  list(field: string): readonly Integer[] {
    return (this.record.values[field] ?? []) as readonly Integer[];
  }

  value(): TypedValue {
    return (this.record.values.value ?? { type: 0, value: 0 }) as TypedValue;
  }
}

class Resolver {
  constructor(
    private readonly all: readonly DefinitionRecord[],
    private readonly byName: ReadonlyMap<string, readonly DefinitionRecord[]>,
    private readonly strings: ReadonlyMap<number, string>,
  ) {}

  definitions(): Definitions {
    const systemTree = this.systemTree();
    const locationGroups = this.locationGroups(systemTree);
    const groups = this.table('GROUP', (id, fields): Group => ({
      id,
      name: fields.text('name'),
      type: fields.name('groupType', 'type'),
      paradigm: fields.name('paradigm', 'paradigm'),
      flags: bitNames('groupFlag', fields.number('flags')),
      members: fields.list('members'),
    }));
    const metricMembers = this.table('METRIC_MEMBER', metricMember);
    return {
      clock: this.clock(),
      strings: this.strings,
      regions: this.table('REGION', region),
      locations: placedLocations(
        this.rows('LOCATION').map((fields) => ({
          id: fields.integer('id') ?? 0,
          name: fields.text('name'),
          type: fields.name('locationType', 'type'),
          events: fields.number('events'),
          ...present({ group: locationGroups.get(fields.ref('group') ?? -1) }),
        })),
        locationGroups,
        groups,
      ),
      locationGroups,
      systemTree,
      groups,
      communicators: this.communicators(groups),
      metricMembers,
      metrics: this.metrics(metricMembers),
      parameters: this.table('PARAMETER', named('parameterType')),
      attributes: this.table('ATTRIBUTE', named('type')),
      records: (name) => (name === undefined ? this.all : (this.byName.get(name) ?? [])),
    };
  }

  rows(name: string): readonly Fields[] {
    return (this.byName.get(name) ?? []).map((record) => new Fields(record, this.strings));
  }

  table<Row>(name: string, row: (id: number, fields: Fields) => Row): Map<number, Row> {
    const rows = this.rows(name);
    return new Map(rows.map((fields) => [fields.number('id'), row(fields.number('id'), fields)]));
  }

  clock(): Clock {
    const fields = this.rows('CLOCK_PROPERTIES').at(0);
    const realtime = fields?.integer('realtimeNanoseconds');
    return {
      ticksPerSecond: fields?.number('ticksPerSecond') ?? 1,
      globalOffset: BigInt(fields?.integer('globalOffset') ?? 0),
      length: fields?.number('length') ?? 0,
      ...present({
        realtimeNanoseconds:
          realtime === undefined || realtime === undefinedTime ? undefined : BigInt(realtime),
      }),
    };
  }

  /** Parents that come later, or are missing, are none. */
  systemTree(): Map<number, SystemTreeNode> {
    const nodes = new Map<number, SystemTreeNode>();
    for (const fields of this.rows('SYSTEM_TREE_NODE')) {
      const parent = nodes.get(fields.ref('parent') ?? -1);
      const id = fields.number('id');
      nodes.set(id, {
        id,
        name: fields.text('name'),
        className: fields.text('className'),
        ...present({ parent }),
      });
    }
    return nodes;
  }

  locationGroups(systemTree: ReadonlyMap<number, SystemTreeNode>): Map<number, LocationGroup> {
    const properties = new Map<number, Map<string, TypedValue>>();
    for (const fields of this.rows('LOCATION_GROUP_PROPERTY'))
      getOrMake(properties, fields.number('locationGroup'), () => new Map()).set(
        fields.text('name'),
        fields.value(),
      );
    return this.table('LOCATION_GROUP', (id, fields) => ({
      id,
      name: fields.text('name'),
      type: fields.name('locationGroupType', 'type'),
      properties: properties.get(id) ?? new Map<string, TypedValue>(),
      ...present({ parent: systemTree.get(fields.ref('parent') ?? -1), creator: fields.ref('creator') }),
    }));
  }

  communicators(groups: ReadonlyMap<number, Group>): Map<number, Communicator> {
    const groupOf = (fields: Fields, name: string): Group | undefined => groups.get(fields.ref(name) ?? -1);
    return new Map([
      ...this.table('COMM', (id, fields): Communicator => ({
        ...{ id, name: fields.text('name') },
        ...present({ group: groupOf(fields, 'group'), parent: fields.ref('parent') }),
      })),
      ...this.table('INTER_COMM', (id, fields): Communicator => {
        const [a, b] = [groupOf(fields, 'groupA'), groupOf(fields, 'groupB')];
        const sides = a === undefined || b === undefined ? undefined : ([a, b] as const);
        return {
          ...{ id, name: fields.text('name') },
          ...present({ sides, parent: fields.ref('common') }),
        };
      }),
    ]);
  }

  metrics(members: ReadonlyMap<number, MetricMember>): Map<number, Metric> {
    const metrics = this.table('METRIC_CLASS', (id, fields): Metric => ({
      id,
      members: fields.list('members').flatMap((member) => members.get(Number(member)) ?? []),
      occurrence: fields.name('metricOccurrence', 'occurrence'),
    }));
    for (const fields of this.rows('METRIC_INSTANCE')) {
      const of = metrics.get(fields.number('metricClass'));
      const id = fields.number('id');
      if (of !== undefined)
        metrics.set(id, { ...of, id, ...present({ recorder: fields.integer('recorder') }) });
    }
    return metrics;
  }
}

const undefinedTime = 2n ** 64n - 1n;

function region(id: number, fields: Fields): Region {
  return {
    id,
    name: fields.text('name'),
    canonicalName: fields.text('canonicalName'),
    description: fields.text('description'),
    role: fields.name('regionRole', 'role'),
    paradigm: fields.name('paradigm', 'paradigm'),
    flags: bitNames('regionFlag', fields.number('flags')),
    firstLine: fields.number('firstLine'),
    lastLine: fields.number('lastLine'),
    ...present({ file: fields.optionalText('file') }),
  };
}

function metricMember(id: number, fields: Fields): MetricMember {
  return {
    id,
    name: fields.text('name'),
    description: fields.text('description'),
    unit: fields.text('unit'),
    type: fields.name('metricType', 'type'),
    mode: metricModeName(fields.number('mode')),
    valueType: fields.name('type', 'valueType'),
    base: fields.number('base') === 0 ? 2 : 10,
    exponent: fields.number('exponent'),
  };
}

function named(enumeration: EnumerationName): (id: number, fields: Fields) => Named {
  return (id, fields) => ({ id, name: fields.text('name'), type: fields.name(enumeration, 'type') });
}
