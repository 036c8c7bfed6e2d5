import { bitSets, enumerations, type BitSetName, type EnumerationName } from './enums';

/** Numbers of the mapping tables: which ids of a location's own definitions they translate to global ones. */
export const mappings = {
  string: 0,
  attribute: 1,
  location: 2,
  region: 3,
  group: 4,
  metric: 5,
  comm: 6,
  parameter: 7,
  rmaWin: 8,
  sourceCodeLocation: 9,
  callingContext: 10,
  interruptGenerator: 11,
  ioFile: 12,
  ioHandle: 13,
  locationGroup: 14,
} as const;

export type MappedRef = keyof typeof mappings;

/**
 * How a field is stored:
 * - `u8`, `i8`, `u16`, `i16`, `float`, `double`, `fixed64`: all bytes
 * - `u32`, `i32`, `u64`, `i64`: compressed, a byte with the number of bytes that follow, without leading zeros; 0xFF alone stands for all
 *   bits set
 * - `time`: `fixed64` that the location's clock offsets apply to
 */
export type Encoding =
  | 'u8'
  | 'i8'
  | 'u16'
  | 'i16'
  | 'u32'
  | 'i32'
  | 'u64'
  | 'i64'
  | 'float'
  | 'double'
  | 'fixed64'
  | 'time';

/** References without a mapping table. */
const unmapped = ['systemTreeNode', 'callpath', 'callsite', 'metricMember', 'cartDimension', 'cartTopology'];
type UnmappedRef =
  | 'systemTreeNode'
  | 'callpath'
  | 'callsite'
  | 'metricMember'
  | 'cartDimension'
  | 'cartTopology';

/** What a field means: a number, a reference, a value of an enumeration, or a set of bits. */
export type FieldType =
  | 'u8'
  | 'u32'
  | 'u64'
  | 'i64'
  | 'double'
  | 'fixed64'
  | 'time'
  | 'metricMode'
  | 'ioParadigm'
  | 'rank'
  | MappedRef
  | UnmappedRef
  | EnumerationName
  | BitSetName;

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly encoding: Encoding;
  /** Number of the mapping table; -1 without one. */
  readonly mapping: number;
}

/** @param text `name:type`, or the type alone where it is the name */
export function fieldOf(text: string): Field {
  const [name = '', given] = text.split(':');
  const type = (given ?? name) as FieldType;
  return {
    name,
    type,
    encoding: encodingOf(type),
    mapping: (mappings as Record<string, number>)[type] ?? -1,
  };
}

export function fieldsOf(text: string): readonly Field[] {
  return text === '' ? [] : text.split(' ').map(fieldOf);
}

/** @throws Error for a type that does not exist: a mistake in a table */
function encodingOf(type: string): Encoding {
  if (type in enumerations || ['u8', 'metricMode', 'ioParadigm'].includes(type)) return 'u8';
  if (type === 'location') return 'u64';
  if (type in mappings || type in bitSets || unmapped.includes(type) || type === 'u32' || type === 'rank')
    return 'u32';
  if (type === 'u64' || type === 'i64' || type === 'double' || type === 'fixed64' || type === 'time')
    return type;
  throw new Error(`unknown field type ${type}`);
}

/** How the value behind a type byte is stored (attributes of events, properties of definitions). */
export const valueFields: readonly (Field | undefined)[] = [
  undefined,
  plain('UINT8', 'u8'),
  plain('UINT16', 'u16'),
  plain('UINT32', 'u32'),
  plain('UINT64', 'u64'),
  plain('INT8', 'i8'),
  plain('INT16', 'i16'),
  plain('INT32', 'i32'),
  plain('INT64', 'i64'),
  plain('FLOAT', 'float'),
  plain('DOUBLE', 'double'),
  ...fieldsOf(
    'string attribute location region group metric comm parameter rmaWin sourceCodeLocation callingContext interruptGenerator ioFile ioHandle locationGroup',
  ),
];

function plain(name: string, encoding: Encoding): Field {
  return { name, type: 'u64', encoding, mapping: -1 };
}
