import { present } from '../../core/present';
import type { CallEdge, CallGraph, CallGraphFunction, EdgeKind } from '../../core/callgraph/callGraph';
import { array, fail, type Place, parseJson, record, text, type JsonRecord } from './json';
import { readMetadata, type NodeMetadata } from './metadata';

/** A function of a MetaCG file of any version. */
interface RawNode {
  readonly key: string;
  readonly functionName: string;
  readonly hasBody: boolean;
  readonly isVirtual: boolean;
  /** Keys of the called functions. */
  readonly callees: readonly string[];
  readonly overrides: readonly string[];
  readonly overriddenBy: readonly string[];
  readonly origin?: string;
  readonly metadata: NodeMetadata;
}

interface RawGraph {
  readonly nodes: readonly RawNode[];
  readonly entry?: string;
}

/**
 * Reads a call graph in MetaCG's JSON, version 1 (a plain map), 2 or 4.
 *
 * A call of a virtual function may run any function that overrides it: the reader adds edges to all of them, at any distance (versions
 * 2 and 4 have these as metadata only). Called functions without an entry become functions without body.
 * @throws KymoError `metacg-invalid` with the file and the place in it.
 */
export function readMetaCg(content: string, file: string): CallGraph {
  const root = record(parseJson(content, file), { file, path: '' });
  return assemble(readVersion(root, file));
}

function readVersion(root: JsonRecord, file: string): RawGraph {
  const header = root.get('_MetaCG');
  if (header === undefined) return readMap(root, { file, path: '' }, 'parents');
  const version = text(record(header, { file, path: '_MetaCG' }).get('version'), {
    file,
    path: '_MetaCG.version',
  });
  const graph = record(root.get('_CG'), { file, path: '_CG' });
  const major = version.split('.')[0];
  if (major === '1' || major === '2') return readMap(graph, { file, path: '_CG' }, 'callers');
  if (major === '4') return readFour(graph, file);
  return fail(
    { file, path: '_MetaCG.version' },
    `is “${version}”, but only versions 1, 2 and 4 can be read. Convert the file with MetaCG's own tools`,
  );
}

/** Versions 1 and 2 identify functions by name. */
function readMap(graph: JsonRecord, place: Place, callersField: string): RawGraph {
  const nodes: RawNode[] = [];
  for (const [name, value] of graph) {
    const nodePlace = below(place, name);
    const node = record(value, nodePlace);
    // Only validated: the callees have the same information.
    names(node, callersField, nodePlace);
    const { origin, metadata } = readMetadata(node.get('meta'), below(nodePlace, 'meta'));
    nodes.push({
      key: name,
      functionName: name,
      hasBody:
        flag(node, 'hasBody', nodePlace) || (node.get('hasBody') === undefined && metadata.statements > 0),
      isVirtual: flag(node, 'isVirtual', nodePlace),
      callees: names(node, 'callees', nodePlace),
      overrides: [...names(node, 'overrides', nodePlace), ...names(node, 'overriddenFunctions', nodePlace)],
      overriddenBy: names(node, 'overriddenBy', nodePlace),
      ...present({ origin }),
      metadata: withStatements(metadata, node.get('numStatements')),
    });
  }
  return { nodes };
}

/** Version 1 has the number of statements outside the metadata. */
function withStatements(metadata: NodeMetadata, value: unknown): NodeMetadata {
  return typeof value === 'number' && value > metadata.statements
    ? { ...metadata, statements: value }
    : metadata;
}

/** Version 4 identifies functions by number; a name may occur several times. */
function readFour(graph: JsonRecord, file: string): RawGraph {
  const place = { file, path: '_CG.nodes' };
  const nodes: RawNode[] = [];
  for (const [id, value] of record(graph.get('nodes'), place)) {
    const nodePlace = below(place, id);
    const node = record(value, nodePlace);
    const { origin, metadata, overrides, overriddenBy } = readMetadata(
      node.get('meta'),
      below(nodePlace, 'meta'),
    );
    const nodeOrigin = node.get('origin');
    const functionOrigin = typeof nodeOrigin === 'string' ? nodeOrigin : origin;
    const callees = node.get('callees');
    nodes.push({
      key: id,
      functionName: text(node.get('functionName'), below(nodePlace, 'functionName')),
      hasBody: flag(node, 'hasBody', nodePlace),
      isVirtual: overrides.length > 0 || overriddenBy.length > 0,
      callees: callees === undefined ? [] : [...record(callees, below(nodePlace, 'callees')).keys()],
      overrides,
      overriddenBy,
      ...present({ origin: functionOrigin }),
      metadata,
    });
  }
  return { nodes, ...entryOf(graph.get('meta'), file) };
}

function entryOf(meta: unknown, file: string): { entry?: string } {
  if (meta === undefined || meta === null) return {};
  const entry = record(meta, { file, path: '_CG.meta' }).get('entryFunction');
  if (typeof entry === 'string' || typeof entry === 'number') return { entry: String(entry) };
  return {};
}

function names(node: JsonRecord, field: string, place: Place): string[] {
  const value = node.get(field);
  if (value === undefined || value === null) return [];
  const fieldPlace = below(place, field);
  return array(value, fieldPlace).map((name, index) => text(name, below(fieldPlace, String(index))));
}

function flag(node: JsonRecord, field: string, place: Place): boolean {
  const value = node.get(field);
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') return fail(below(place, field), 'must be true or false');
  return value;
}

function below(place: Place, name: string): Place {
  return { file: place.file, path: place.path === '' ? name : `${place.path}.${name}` };
}

// --- putting the graph together ------------------------------------------------------------------------------------

function assemble(raw: RawGraph): CallGraph {
  const nodes = withMissing(raw.nodes);
  const numbers = new Map(nodes.map((node, number) => [node.key, number]));
  const numberOf = (key: string): number => numbers.get(key) ?? -1;
  const overriders = closure(nodes, numberOf);
  const overridden = reversed(overriders);
  const uses = new Map<string, number>();
  for (const { functionName } of nodes) uses.set(functionName, (uses.get(functionName) ?? 0) + 1);
  const functions = nodes.map((node, number) =>
    describe(
      node,
      (uses.get(node.functionName) ?? 0) > 1,
      overridden[number] ?? [],
      (overriders[number] ?? []).length > 0,
    ),
  );
  const edges = nodes.map((node) => edgesOf(node, numberOf, overriders));
  const entry = raw.entry === undefined ? mainOf(nodes) : numberOf(raw.entry);
  return { functions, edges, ...(entry < 0 ? {} : { entry }) };
}

/** Adds functions that only the lists of others contain. */
function withMissing(nodes: readonly RawNode[]): readonly RawNode[] {
  const keys = new Set(nodes.map(({ key }) => key));
  const added: RawNode[] = [];
  for (const node of nodes) {
    for (const list of [node.callees, node.overrides, node.overriddenBy]) {
      for (const key of list) {
        if (keys.has(key)) continue;
        keys.add(key);
        added.push({
          key,
          functionName: key,
          hasBody: false,
          isVirtual: false,
          callees: [],
          overrides: [],
          overriddenBy: [],
          metadata: readMetadata(undefined, { file: '', path: '' }).metadata,
        });
      }
    }
  }
  return [...nodes, ...added];
}

/** For each function, all functions that override it, at any distance, ascending. */
function closure(nodes: readonly RawNode[], numberOf: (key: string) => number): number[][] {
  const direct = nodes.map(() => new Set<number>());
  for (const [number, node] of nodes.entries()) {
    for (const key of node.overriddenBy) direct[number]?.add(numberOf(key));
    for (const key of node.overrides) direct[numberOf(key)]?.add(number);
  }
  return direct.map((first, number) => {
    if (first.size === 0) return [];
    const overriders = new Set(first);
    for (const overrider of overriders) for (const next of direct[overrider] ?? []) overriders.add(next);
    overriders.delete(number);
    return [...overriders].sort((a, b) => a - b);
  });
}

function reversed(lists: readonly (readonly number[])[]): number[][] {
  const result: number[][] = lists.map(() => []);
  for (const [from, list] of lists.entries()) for (const to of list) result[to]?.push(from);
  return result;
}

function edgesOf(
  node: RawNode,
  numberOf: (key: string) => number,
  overriders: readonly (readonly number[])[],
): CallEdge[] {
  const kinds = new Map<number, EdgeKind>();
  for (const key of node.callees) kinds.set(numberOf(key), node.metadata.edgeKinds.get(key) ?? 'direct');
  for (const key of node.callees) {
    for (const overrider of overriders[numberOf(key)] ?? []) {
      if (!kinds.has(overrider)) kinds.set(overrider, 'virtual');
    }
  }
  return [...kinds].map(([callee, kind]) => ({ callee, kind })).sort((a, b) => a.callee - b.callee);
}

function describe(
  node: RawNode,
  isRepeated: boolean,
  overrides: readonly number[],
  isOverridden: boolean,
): CallGraphFunction {
  const { metadata, functionName } = node;
  const file = metadata.file ?? node.origin;
  const isMangledOrC = !functionName.includes('@') && !/\s/.test(functionName);
  return {
    key: isRepeated ? `${functionName}#${node.key}` : functionName,
    name: metadata.name ?? functionName,
    ...(isMangledOrC ? { mangledName: functionName } : {}),
    ...present({ file: file === '' ? undefined : file }),
    ...metadata.place,
    hasBody: node.hasBody,
    statements: metadata.statements,
    loops: metadata.loops,
    loopDepth: metadata.loopDepth,
    conditionalBranches: metadata.conditionalBranches,
    isVirtual: node.isVirtual || overrides.length > 0 || isOverridden,
    overrides,
    isSystem: metadata.isSystem,
    definitions: [],
  };
}

/** The same names as in PGIS. */
function mainOf(nodes: readonly RawNode[]): number {
  for (const name of ['main', 'MAIN__', '_Z4main', '_ZSt4mainiPPc', '_QQmain']) {
    const position = nodes.findIndex((node) => node.functionName === name);
    if (position >= 0) return position;
  }
  return -1;
}
