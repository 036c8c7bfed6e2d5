import { fieldOf, type Field } from './fields';

/**
 * One part of a definition record, in the order of the bytes. All definitions have their length in front; parts behind the end of a shorter
 * record (written by an older version) are absent.
 */
export type Part =
  | { readonly as: 'field'; readonly field: Field }
  /** Stands for a field of an older version; `write` is what today's writers put there. */
  | { readonly as: 'legacy'; readonly field: Field; readonly write: number }
  /** Text up to a zero byte. */
  | { readonly as: 'text'; readonly name: string }
  /** A type byte, and a value of this type. */
  | { readonly as: 'value'; readonly name: string }
  /** A count, and as many elements. */
  | { readonly as: 'list'; readonly name: string; readonly count: Field; readonly element: Field }
  /** A count, and as many pairs of a property, and a type and value. */
  | { readonly as: 'properties'; readonly name: string; readonly property: Field };

export interface DefinitionLayout {
  readonly kind: number;
  readonly name: string;
  readonly parts: readonly Part[];
}

/**
 * Words of a layout: `name:type`, `text`, `value`, `list(name,count,type)`, `properties(name,type)`, `legacy(type,value)`.
 */
function definition(kind: number, name: string, parts: string): DefinitionLayout {
  return { kind, name, parts: parts.split(' ').map(partOf) };
}

function partOf(word: string): Part {
  const [head = '', inside] = word.replace(')', '').split('(');
  const [first = '', second = '', third = ''] = (inside ?? '').split(',');
  if (head === 'text') return { as: 'text', name: 'text' };
  if (head === 'value') return { as: 'value', name: 'value' };
  if (head === 'list')
    return { as: 'list', name: first, count: fieldOf(second), element: fieldOf(`element:${third}`) };
  if (head === 'properties')
    return { as: 'properties', name: first, property: fieldOf(`property:${second}`) };
  if (head === 'legacy') return { as: 'legacy', field: fieldOf(`legacy:${first}`), write: Number(second) };
  return { as: 'field', field: fieldOf(word) };
}

/** Properties of groups, nodes and locations once were strings: an undefined one stands where it was. */
const property = (of: string): string => `${of} name:string legacy(u32,4294967295) value`;

const shared: readonly DefinitionLayout[] = [
  definition(10, 'STRING', 'id:string text'),
  definition(11, 'ATTRIBUTE', 'id:attribute name:string type description:string'),
  definition(12, 'SYSTEM_TREE_NODE', 'id:systemTreeNode name:string className:string parent:systemTreeNode'),
  definition(
    13,
    'LOCATION_GROUP',
    'id:locationGroup name:string type:locationGroupType parent:systemTreeNode creator:locationGroup',
  ),
  definition(14, 'LOCATION', 'id:location name:string type:locationType events:u64 group:locationGroup'),
  definition(
    15,
    'REGION',
    'id:region name:string description:string legacy(u8,0) file:string firstLine:u32 lastLine:u32 canonicalName:string role:regionRole paradigm flags:regionFlag',
  ),
  definition(16, 'CALLSITE', 'id:callsite file:string line:u32 enteredRegion:region leftRegion:region'),
  definition(17, 'CALLPATH', 'id:callpath parent:callpath region'),
  definition(
    18,
    'GROUP',
    'id:group name:string legacy(u8,0) list(members,u32,u64) type:groupType paradigm flags:groupFlag',
  ),
  definition(
    19,
    'METRIC_MEMBER',
    'id:metricMember name:string description:string type:metricType mode:metricMode valueType:type base exponent:i64 unit:string',
  ),
  definition(
    20,
    'METRIC_CLASS',
    'id:metric list(members,u8,metricMember) occurrence:metricOccurrence recorderKind',
  ),
  definition(
    21,
    'METRIC_INSTANCE',
    'id:metric metricClass:metric recorder:location scopeType:metricScope scope:u64',
  ),
  definition(22, 'COMM', 'id:comm name:string group parent:comm flags:commFlag'),
  definition(23, 'PARAMETER', 'id:parameter name:string type:parameterType'),
  definition(24, 'RMA_WIN', 'id:rmaWin name:string comm flags:rmaWinFlag'),
  definition(25, 'METRIC_CLASS_RECORDER', 'metric recorder:location'),
  definition(26, 'SYSTEM_TREE_NODE_PROPERTY', property('systemTreeNode')),
  definition(27, 'SYSTEM_TREE_NODE_DOMAIN', 'systemTreeNode domain:systemTreeDomain'),
  definition(28, 'LOCATION_GROUP_PROPERTY', property('locationGroup')),
  definition(29, 'LOCATION_PROPERTY', property('location')),
  definition(30, 'CART_DIMENSION', 'id:cartDimension name:string size:u32 periodicity:cartPeriodicity'),
  definition(31, 'CART_TOPOLOGY', 'id:cartTopology name:string comm list(dimensions,u8,cartDimension)'),
  definition(32, 'CART_COORDINATE', 'topology:cartTopology rank list(coordinates,u8,u32)'),
  definition(33, 'SOURCE_CODE_LOCATION', 'id:sourceCodeLocation file:string line:u32'),
  definition(34, 'CALLING_CONTEXT', 'id:callingContext region sourceCodeLocation parent:callingContext'),
  definition(35, 'CALLING_CONTEXT_PROPERTY', 'callingContext name:string value'),
  definition(
    36,
    'INTERRUPT_GENERATOR',
    'id:interruptGenerator name:string mode:interruptGeneratorMode base exponent:i64 period:u64',
  ),
  definition(37, 'IO_FILE_PROPERTY', 'ioFile name:string value'),
  definition(38, 'IO_REGULAR_FILE', 'id:ioFile name:string scope:systemTreeNode'),
  definition(39, 'IO_DIRECTORY', 'id:ioFile name:string scope:systemTreeNode'),
  definition(
    40,
    'IO_HANDLE',
    'id:ioHandle name:string file:ioFile ioParadigm flags:ioHandleFlag comm parent:ioHandle',
  ),
  definition(41, 'IO_PRE_CREATED_HANDLE_STATE', 'handle:ioHandle mode:ioAccessMode status:ioStatusFlag'),
  definition(42, 'CALLPATH_PARAMETER', 'callpath parameter value'),
  definition(43, 'INTER_COMM', 'id:comm name:string groupA:group groupB:group common:comm flags:commFlag'),
];

const globalOnly: readonly DefinitionLayout[] = [
  definition(5, 'CLOCK_PROPERTIES', 'ticksPerSecond:u64 globalOffset:u64 length:u64 realtimeNanoseconds:u64'),
  definition(6, 'PARADIGM', 'id:paradigm name:string class:paradigmClass'),
  definition(7, 'PARADIGM_PROPERTY', 'paradigm property:paradigmProperty value'),
  definition(
    8,
    'IO_PARADIGM',
    'id:ioParadigm identification:string name:string class:ioParadigmClass flags:ioParadigmFlag properties(properties,ioParadigmProperty)',
  ),
];

const localOnly: readonly DefinitionLayout[] = [
  // A mapping table is read by `localDefinitions.ts`: its form depends on its mode.
  definition(6, 'CLOCK_OFFSET', 'time:fixed64 offset:i64 deviation:double'),
];

export const mappingTableKind = 5;

const table = (layouts: readonly DefinitionLayout[]): readonly (DefinitionLayout | undefined)[] =>
  Array.from({ length: 256 }, (_, kind) => layouts.find((layout) => layout.kind === kind));

/** By the record's type byte: of the file with the definitions of the whole archive, and of one location's. */
export const globalDefinitions = table([...globalOnly, ...shared]);
export const localDefinitions = table([...localOnly, ...shared]);

/** @throws Error for a name that does not exist */
export function definitionLayout(
  layouts: readonly (DefinitionLayout | undefined)[],
  name: string,
): DefinitionLayout {
  const found = layouts.find((layout) => layout?.name === name);
  if (found === undefined) throw new Error(`There is no definition ${name}.`);
  return found;
}
