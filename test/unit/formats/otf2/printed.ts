import type { Integer, TypedValue } from '../../../../src/formats/otf2/bytes/values';
import type { Definitions, Location } from '../../../../src/formats/otf2/definitions/model';
import type { DefinitionRecord, PropertyValue } from '../../../../src/formats/otf2/definitions/records';
import type { EventChunk } from '../../../../src/formats/otf2/events/chunk';
import { definitionLayout, globalDefinitions } from '../../../../src/formats/otf2/layouts/definitions';
import {
  bitNames,
  bitSets,
  enumName,
  enumerations,
  metricModeName,
  type BitSetName,
  type EnumerationName,
} from '../../../../src/formats/otf2/layouts/enums';
import { eventLayouts } from '../../../../src/formats/otf2/layouts/events';
import { valueFields } from '../../../../src/formats/otf2/layouts/fields';

const none = 0xffffffff;

/** Prints events and definitions as `otf2-print` does, blanks squeezed: everything that was read is in the text. */
export class Printer {
  readonly #records = new Map<string, Map<string, DefinitionRecord>>();

  constructor(private readonly definitions: Definitions) {}

  #record(names: string, id: Integer): DefinitionRecord | undefined {
    let table = this.#records.get(names);
    if (table === undefined) {
      const all = names.split(' ').flatMap((name) => this.definitions.records(name));
      table = new Map(all.map((record) => [String(record.values.id as Integer), record]));
      this.#records.set(names, table);
    }
    return table.get(String(id));
  }

  #text(id: unknown): string {
    return this.definitions.strings.get(Number(id)) ?? `no string ${String(id)}`;
  }

  #named(names: string, id: Integer, field = 'name'): string {
    if (Number(id) === none) return 'UNDEFINED';
    const record = this.#record(names, id);
    return record === undefined ? `no ${names} <${id}>` : `"${this.#text(record.values[field])}" <${id}>`;
  }

  /** `context`: what a rank is of. */
  value(type: string, value: Integer, context?: Integer): string {
    if (type in enumerations && type !== 'paradigm') return enumName(type as EnumerationName, Number(value));
    if (type in bitSets) {
      const bits = bitNames(type as BitSetName, Number(value));
      return bits.length === 0 ? 'NONE' : `{${bits.join(', ')}}`;
    }
    switch (type) {
      case 'metricMode':
        return metricModeName(Number(value));
      case 'paradigm':
        return this.#record('PARADIGM', value) === undefined
          ? enumName('paradigm', Number(value))
          : this.#named('PARADIGM', value);
      case 'rank':
        return this.#rank(Number(value), context);
      default:
        return this.#reference(type, value) ?? String(value);
    }
  }

  #reference(type: string, id: Integer): string | undefined {
    const simple: Record<string, string> = {
      attribute: 'ATTRIBUTE',
      region: 'REGION',
      location: 'LOCATION',
      group: 'GROUP',
      comm: 'COMM INTER_COMM',
      parameter: 'PARAMETER',
      rmaWin: 'RMA_WIN',
      interruptGenerator: 'INTERRUPT_GENERATOR',
      ioHandle: 'IO_HANDLE',
      ioParadigm: 'IO_PARADIGM',
      locationGroup: 'LOCATION_GROUP',
      metricMember: 'METRIC_MEMBER',
      cartDimension: 'CART_DIMENSION',
      cartTopology: 'CART_TOPOLOGY',
    };
    const names = simple[type];
    if (names !== undefined) return this.#named(names, id);
    if (Number(id) === none && type !== 'u32')
      return type === 'u64' || type === 'i64' ? undefined : 'UNDEFINED';
    switch (type) {
      case 'string':
        return `"${this.#text(id)}" <${id}>`;
      case 'systemTreeNode': {
        const values = this.#record('SYSTEM_TREE_NODE', id)!.values;
        return `"${this.#text(values.className)}::${this.#text(values.name)}" <${id}>`;
      }
      case 'sourceCodeLocation':
        return `"${this.#place(id)}" <${id}>`;
      case 'callingContext': {
        const { region, sourceCodeLocation } = this.#record('CALLING_CONTEXT', id)!.values;
        const name = this.#text(this.#record('REGION', region as number)!.values.name);
        const place =
          Number(sourceCodeLocation) === none ? '' : `@${this.#place(sourceCodeLocation as number)}`;
        return `"${name}${place}" <${id}>`;
      }
      case 'ioFile': {
        const { name, values } = this.#record('IO_REGULAR_FILE IO_DIRECTORY', id)!;
        return `"${name === 'IO_DIRECTORY' ? 'directory' : 'file'}://${this.#text(values.name)}" <${id}>`;
      }
      default:
        return undefined;
    }
  }

  #place(id: Integer): string {
    const { file, line } = this.#record('SOURCE_CODE_LOCATION', id)!.values;
    return `${this.#text(file)}:${line as number}`;
  }

  #rank(rank: number, comm: Integer | undefined): string {
    const special: Record<number, string> = { [none]: 'NONE', [none - 1]: 'SELF', [none - 2]: 'THIS_GROUP' };
    if (rank in special) return special[rank]!;
    const { groups, communicators } = this.definitions;
    // Ranks of a communicator between two groups are printed as those of the first one.
    const first = this.#record('INTER_COMM', comm ?? none)?.values.groupA as number | undefined;
    const group = first === undefined ? communicators.get(Number(comm))?.group : groups.get(first);
    const world = [...groups.values()].find(
      ({ type, paradigm }) => type === 'COMM_LOCATIONS' && paradigm === group?.paradigm,
    );
    const own =
      group?.type !== 'COMM_GROUP'
        ? undefined
        : group.flags.includes('GLOBAL_MEMBERS')
          ? rank
          : group.members[rank];
    const member = own === undefined ? undefined : world?.members[Number(own)];
    return member === undefined ? `${rank}` : `${rank} (${this.#named('LOCATION', member)})`;
  }

  typed({ type, value }: TypedValue): string {
    const field = valueFields[type]!;
    return field.type === 'u64' ? number(field.name, value) : this.value(field.type, value);
  }

  event({ id }: Location, chunk: EventChunk, index: number): readonly string[] {
    const layout = eventLayouts[chunk.kind[index]!]!;
    const { globalOffset } = this.definitions.clock;
    const at = chunk.first[index]!;
    const valueAt = (position: number): Integer => chunk.exact.get(position) ?? chunk.values[position]!;
    const values = new Map(layout.fields.map(({ name }, field) => [name, valueAt(at + field)]));
    const comm =
      values.get('comm') ??
      values.get('team') ??
      (values.has('rmaWin')
        ? (this.#record('RMA_WIN', values.get('rmaWin')!)?.values.comm as number)
        : undefined);
    const order = eventOrder[layout.name]?.split(' ') ?? layout.fields.map(({ name }) => name);
    const parts = order.flatMap((name) => {
      const field = layout.fields.find((each) => each.name === name)!;
      const value = values.get(name)!;
      const label = labels[`${layout.name} ${name}`] ?? labels[name] ?? name;
      if (field.type === 'time') return `${label}: ${globalOffset + BigInt(value)}`;
      if (name === 'count')
        return this.#repeated(layout.name, chunk, at + layout.fields.length, index, valueAt, values);
      if (field.type === 'metric') return `${label}: ${value}`;
      return `${label}: ${isUndefined(name, value) ? 'UNDEFINED' : this.value(field.type, value, comm)}`;
    });
    const time = globalOffset + BigInt(chunk.time[index]!);
    const attributes = chunk.attributes.get(index);
    const list = (attributes ?? []).map(
      ({ attribute, type, value }) =>
        `(${this.value('attribute', attribute)}; ${enumName('type', type)}; ${this.typed({ type, value })})`,
    );
    return [
      `${layout.name} ${id} ${time} ${parts.join(', ')}`.replaceAll(/\s+/g, ' ').trim(),
      ...(attributes === undefined
        ? []
        : [`ADDITIONAL ATTRIBUTES: ${list.join(', ')}`.replaceAll(/\s+/g, ' ')]),
    ];
  }

  #repeated(
    kind: string,
    chunk: EventChunk,
    from: number,
    index: number,
    valueAt: (position: number) => Integer,
    values: ReadonlyMap<string, Integer>,
  ): string {
    const end = chunk.first[index + 1]!;
    if (kind === 'PROGRAM_BEGIN') {
      const given = Array.from({ length: end - from }, (_, offset) =>
        this.value('string', valueAt(from + offset)),
      );
      return `${given.length} Arguments: ${given.join(', ')}`;
    }
    const { members } = this.definitions.metrics.get(Number(values.get('metric')))!;
    const given = Array.from({ length: (end - from) / 2 }, (_, member) => {
      const type = enumName('type', Number(valueAt(from + 2 * member)));
      const name = this.value('metricMember', members[member]!.id);
      return `(${name}; ${type}; ${number(type, valueAt(from + 2 * member + 1))})`;
    });
    return `${given.length} Values: ${given.join(', ')}`;
  }

  definition(record: DefinitionRecord): string {
    const { name, values } = record;
    const layout = definitionLayout(globalDefinitions, name);
    const types = new Map(layout.parts.map((part) => [part.as === 'field' ? part.field.name : '', part]));
    const parts = (definitionOrder[name] ?? '').split(', ').map((word) => {
      const [label = '', field = ''] = word.split('=');
      const special = this.#specialPart(field, record);
      if (special !== undefined) return special.replace('LABEL', label);
      const part = types.get(field);
      if (part?.as !== 'field') return `${label}?`;
      const value = values[field] as Integer;
      const plain = plainRefs.has(`${name} ${field}`);
      if (name === 'CLOCK_PROPERTIES' && field === 'realtimeNanoseconds') return `${label}: ${date(value)}`;
      return `${label}: ${plain && Number(value) !== none ? value : this.value(part.field.type, value, this.#context(record))}`;
    });
    const id = values.id === undefined ? '' : ` ${values.id as Integer}`;
    return `${name}${id} ${parts.join(', ')}`.replaceAll(/\s+/g, ' ').trim();
  }

  #context({ values }: DefinitionRecord): Integer | undefined {
    const topology = values.topology as Integer | undefined;
    return topology === undefined
      ? undefined
      : (this.#record('CART_TOPOLOGY', topology)?.values.comm as Integer);
  }

  #specialPart(field: string, { name, values }: DefinitionRecord): string | undefined {
    const list = values[field] as readonly Integer[];
    const listed = (type: string): string => list.map((value) => this.value(type, value)).join(', ');
    switch (`${name} ${field}`) {
      case 'STRING text':
        return `"${values.text as string}"`;
      case 'PARADIGM id':
        return enumName('paradigm', Number(values.id));
      case 'REGION name':
        return `LABEL: ${this.value('string', values.name as number)} (Aka. ${this.value('string', values.canonicalName as number)})`;
      case 'METRIC_CLASS members':
        return `${list.length} Members: ${listed('metricMember')}`;
      case 'METRIC_INSTANCE scope': {
        const scope = enumName('metricScope', Number(values.scopeType));
        return `LABEL: ${scope} ${this.#named(scope, values.scope as Integer)}`;
      }
      case 'CART_TOPOLOGY dimensions':
        return `${list.length} Dimensions: (${listed('cartDimension')})`;
      case 'CART_COORDINATE coordinates':
        return `LABEL: (${list.join(', ')})`;
      case 'GROUP members':
        return this.#members(values, list);
      case 'IO_PARADIGM properties': {
        const properties = values.properties as readonly PropertyValue[];
        const texts = properties.map(({ property, ...value }) => {
          const shown = value.type === 11 ? this.typed(value) : `TYPE MISMATCH <${value.value}>`;
          return `(${enumName('ioParadigmProperty', property)}; ${enumName('type', value.type)}; ${shown})`;
        });
        return `${texts.length} Properties${texts.length === 0 ? '' : ': '}${texts.join(', ')}`;
      }
      default: {
        if (field !== 'value') return undefined;
        const value = values.value as TypedValue;
        return `Type: ${enumName('type', value.type)}, Value: ${this.typed(value)}`;
      }
    }
  }

  #members(values: DefinitionRecord['values'], list: readonly Integer[]): string {
    const type = enumName('groupType', Number(values.type));
    const world = [...this.definitions.groups.values()].find(
      (each) =>
        each.type === 'COMM_LOCATIONS' && each.paradigm === enumName('paradigm', Number(values.paradigm)),
    );
    const texts = list.map((member) => {
      if (type === 'REGIONS') return this.value('region', member);
      if (type === 'COMM_GROUP')
        return `${member} (${this.value('location', world!.members[Number(member)]!)})`;
      return this.value('location', member);
    });
    const label = `${list.length} Member${list.length === 1 ? '' : 's'}`;
    return texts.length === 0 ? label : `${label}: ${texts.join(', ')}`;
  }
}

function isUndefined(field: string, value: Integer): boolean {
  if (field === 'exitStatus') return value === -(2n ** 63n);
  return field === 'unwindDistance' && Number(value) === none;
}

/** Doubles as C prints them with `%g`-like shortness; integers as they are. */
function number(type: string, value: Integer): string {
  if (type !== 'FLOAT' && type !== 'DOUBLE') return String(value);
  return String(type === 'FLOAT' ? Math.fround(Number(value)) : value);
}

function date(nanoseconds: Integer): string {
  const all = BigInt(nanoseconds);
  if (all === 2n ** 64n - 1n) return 'UNDEFINED';
  const [day, time] = new Date(Number(all / 1_000_000_000n) * 1000).toISOString().split('T');
  return `${day} ${time!.slice(0, 8)}.${String(all % 1_000_000_000n).padStart(9, '0')} +0000`;
}

/** Fields of events in the order of the print, where that is not the order of the bytes. */
const eventOrder: Record<string, string> = {
  RMA_COLLECTIVE_END: 'operation rmaWin syncLevel root sent received',
};

const labels: Record<string, string> = {
  stopTime: 'Stop Time',
  mode: 'Mode',
  region: 'Region',
  receiver: 'Receiver',
  sender: 'Sender',
  comm: 'Communicator',
  tag: 'Tag',
  bytes: 'Length',
  request: 'Request',
  operation: 'Operation',
  root: 'Root',
  sent: 'Sent',
  received: 'Received',
  threads: '# Requested Threads',
  lock: 'Lock',
  order: 'Acquisition Order',
  task: 'Task',
  metric: 'Metric',
  parameter: 'Parameter',
  string: 'Value',
  value: 'Value',
  rmaWin: 'Window',
  syncLevel: 'Level of Synchronicity',
  group: 'Group',
  remote: 'Remote',
  lockType: 'Type',
  syncType: 'Sync Type',
  'RMA_PUT bytes': 'Bytes',
  'RMA_GET bytes': 'Bytes',
  matching: 'Matching',
  atomic: 'Type',
  model: 'Model',
  team: 'Thread Team',
  creatingThread: 'Creating Thread',
  generation: 'Generation Number',
  contingent: 'Thread Contingent',
  sequence: 'Sequence Count',
  callingContext: 'Calling Context',
  unwindDistance: 'Unwind Distance',
  interruptGenerator: 'Interrupt Generator',
  handle: 'Handle',
  'IO_CREATE_HANDLE mode': 'Access Mode',
  creation: 'Creation Flags',
  status: 'Status Flags',
  'IO_DUPLICATE_HANDLE handle': 'Old Handle',
  newHandle: 'New Handle',
  offset: 'Offset Request',
  whence: 'Whence',
  result: 'Offset Result',
  ioParadigm: 'I/O Paradigm',
  file: 'File',
  flags: 'Operation Flags',
  'IO_OPERATION_BEGIN bytes': 'Bytes Request',
  'IO_OPERATION_COMPLETE bytes': 'Bytes Result',
  ...Object.fromEntries(
    ['BEGIN', 'TEST', 'ISSUED', 'CANCELLED', 'COMPLETE'].map((kind) => [
      `IO_OPERATION_${kind} matching`,
      'Matching Id',
    ]),
  ),
  name: 'Name',
  exitStatus: 'Exit status',
};

/** References that are printed as numbers. */
const plainRefs = new Set([
  'METRIC_INSTANCE metricClass',
  'METRIC_CLASS_RECORDER metric',
  'CALLPATH parent',
  'CALLPATH_PARAMETER callpath',
]);

const definitionOrder: Record<string, string> = {
  CLOCK_PROPERTIES:
    'Ticks per Seconds=ticksPerSecond, Global Offset=globalOffset, Length=length, Date=realtimeNanoseconds',
  STRING: '=text',
  ATTRIBUTE: 'Name=name, Description=description, Type=type',
  PARADIGM: '=id, Name=name, Class=class',
  PARADIGM_PROPERTY: 'Paradigm=paradigm, Property=property, =value',
  IO_PARADIGM: 'Identification=identification, Name=name, Class=class, Flags=flags, =properties',
  SYSTEM_TREE_NODE: 'Name=name, Class=className, Parent=parent',
  SYSTEM_TREE_NODE_PROPERTY: 'System Tree Node=systemTreeNode, Name=name, =value',
  SYSTEM_TREE_NODE_DOMAIN: 'System Tree Node=systemTreeNode, Domain=domain',
  LOCATION_GROUP: 'Name=name, Type=type, Parent=parent, Creator=creator',
  LOCATION_GROUP_PROPERTY: 'Location Group=locationGroup, Name=name, =value',
  LOCATION: 'Name=name, Type=type, # Events=events, Group=group',
  LOCATION_PROPERTY: 'Location=location, Name=name, =value',
  REGION:
    'Name=name, Descr.=description, Role=role, Paradigm=paradigm, Flags=flags, File=file, Begin=firstLine, End=lastLine',
  CALLSITE: 'File=file, Line Number=line, Entered Region=enteredRegion, Left Region=leftRegion',
  CALLPATH: 'Parent=parent, Region=region',
  GROUP: 'Name=name, Type=type, Paradigm=paradigm, Flags=flags, =members',
  METRIC_MEMBER:
    'Name=name, Descr.=description, Type=type, Mode=mode, Value Type=valueType, Base=base, Exponent=exponent, Unit=unit',
  METRIC_CLASS: 'Occurrence=occurrence, Kind=recorderKind, =members',
  METRIC_INSTANCE: 'Class=metricClass, Recorder=recorder, Scope=scope',
  COMM: 'Name=name, Group=group, Parent=parent, Flags=flags',
  INTER_COMM: 'name=name, Group A=groupA, Group B=groupB, Common Communicator=common, Flags=flags',
  PARAMETER: 'Name=name, Type=type',
  RMA_WIN: 'Name=name, Communicator=comm, Flags=flags',
  METRIC_CLASS_RECORDER: 'Class=metric, Recorder=recorder',
  CART_DIMENSION: 'Name=name, Size=size, Periodicity=periodicity',
  CART_TOPOLOGY: 'Name=name, Communicator=comm, =dimensions',
  CART_COORDINATE: 'Cartesian Topology=topology, Rank=rank, Coordinates=coordinates',
  SOURCE_CODE_LOCATION: 'File=file, Line Number=line',
  CALLING_CONTEXT: 'Region=region, Source code location=sourceCodeLocation, Parent=parent',
  CALLING_CONTEXT_PROPERTY: 'Calling Context=callingContext, Name=name, =value',
  INTERRUPT_GENERATOR: 'Name=name, Mode=mode, Base=base, Exponent=exponent, Period=period',
  IO_REGULAR_FILE: 'Name=name, Scope=scope',
  IO_DIRECTORY: 'Name=name, Scope=scope',
  IO_FILE_PROPERTY: 'File=ioFile, Name=name, =value',
  IO_HANDLE: 'Name=name, File=file, I/O Paradigm=ioParadigm, Flags=flags, Communicator=comm, Parent=parent',
  IO_PRE_CREATED_HANDLE_STATE: 'Handle=handle, Access Mode=mode, Status Flags=status',
  CALLPATH_PARAMETER: 'Callpath=callpath, Parameter=parameter, =value',
};
