import type { EdgeKind } from '../../core/callgraph/callGraph';
import { array, fail, record, text, type JsonRecord, type Place } from './json';

/** The metadata of a function that Kymo uses. */
export interface NodeMetadata {
  readonly statements: number;
  readonly conditionalBranches: number;
  readonly loopDepth: number;
  readonly loops: number;
  readonly isSystem: boolean;
  /** Kymo's own addition, so that its files preserve the name. */
  readonly name?: string;
  readonly file?: string;
  readonly place: { readonly line?: number; readonly column?: number; readonly endLine?: number };
  /** Kinds by callee's key; absent edges are direct. */
  readonly edgeKinds: ReadonlyMap<string, EdgeKind>;
}

/** Name of Kymo's metadata entry. */
export const ownEntry = 'kymo';

const edgeKinds: ReadonlySet<string> = new Set<EdgeKind>([
  'direct',
  'virtual',
  'pointer',
  'callback',
  'outside',
  'measured',
]);

export interface ReadMetadata {
  readonly metadata: NodeMetadata;
  readonly origin?: string;
  readonly overrides: readonly string[];
  readonly overriddenBy: readonly string[];
}

export function readMetadata(value: unknown, place: Place): ReadMetadata {
  const meta: JsonRecord = value === undefined || value === null ? new Map() : record(value, place);
  const files = optional(meta, 'fileProperties', place);
  const relation = optional(meta, 'overrideMD', place);
  const kymo = optional(meta, ownEntry, place);
  const loopDepth = count(meta, 'loopDepth', place);
  const origin = files.get('origin');
  const name = kymo.get('name');
  const file = kymo.get('file');
  return {
    metadata: {
      statements: count(meta, 'numStatements', place),
      conditionalBranches: count(meta, 'numConditionalBranches', place),
      loopDepth,
      loops: Math.max(count(kymo, 'loops', place), loopDepth > 0 ? 1 : 0),
      isSystem: files.get('systemInclude') === true || kymo.get('isSystem') === true,
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof file === 'string' ? { file } : {}),
      place: placeOf(kymo, place),
      edgeKinds: kindsOf(kymo.get('edges'), place),
    },
    ...(typeof origin === 'string' && origin !== '' ? { origin } : {}),
    overrides: list(relation, 'overrides', place),
    overriddenBy: list(relation, 'overriddenBy', place),
  };
}

function optional(meta: JsonRecord, field: string, place: Place): JsonRecord {
  const value = meta.get(field);
  if (value === undefined || value === null) return new Map();
  return record(value, { file: place.file, path: `${place.path}.${field}` });
}

/** Some writers nest the number: `numStatements: { numStatements: 3 }`. */
function count(meta: JsonRecord, field: string, place: Place): number {
  const value = meta.get(field);
  if (value === undefined || value === null) return 0;
  const fieldPlace = { file: place.file, path: `${place.path}.${field}` };
  const inner = typeof value === 'object' ? record(value, fieldPlace).get(field) : value;
  if (typeof inner !== 'number' || !Number.isFinite(inner) || inner < 0) {
    return fail(fieldPlace, 'must be a number that is not negative');
  }
  return inner;
}

/** Version 4 lists numbers or strings. */
function list(relation: JsonRecord, field: string, place: Place): string[] {
  const value = relation.get(field);
  if (value === undefined || value === null) return [];
  const fieldPlace = { file: place.file, path: `${place.path}.overrideMD.${field}` };
  return array(value, fieldPlace).map((item) =>
    typeof item === 'number' ? String(item) : text(item, fieldPlace),
  );
}

function placeOf(kymo: JsonRecord, place: Place): NodeMetadata['place'] {
  const result: { line?: number; column?: number; endLine?: number } = {};
  for (const field of ['line', 'column', 'endLine'] as const) {
    if (kymo.get(field) !== undefined) result[field] = count(kymo, field, place);
  }
  return result;
}

function kindsOf(value: unknown, place: Place): ReadonlyMap<string, EdgeKind> {
  const result = new Map<string, EdgeKind>();
  if (value === undefined || value === null) return result;
  for (const [key, kind] of record(value, { file: place.file, path: `${place.path}.${ownEntry}.edges` })) {
    if (isEdgeKind(kind)) result.set(key, kind);
  }
  return result;
}

function isEdgeKind(kind: unknown): kind is EdgeKind {
  return typeof kind === 'string' && edgeKinds.has(kind);
}
