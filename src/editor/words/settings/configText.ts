import { findNodeAtLocation, getLocation, parseTree, type Node } from 'jsonc-parser';
import schema from '../../../../media/kymo.schema.json';
import { nearestName } from '../../../core/nearest';

/** An unknown key of `kymo.json` that resembles a known one. */
export interface MisspelledKey {
  /** Offset of the key with its quotes, in characters of the text. */
  readonly offset: number;
  readonly length: number;
  readonly key: string;
  readonly suggestion: string;
}

/** A place of `kymo.json` with completions that the schema does not contain. */
export type ConfigPlace =
  | { readonly kind: 'phase'; readonly target?: string }
  | { readonly kind: 'executable' }
  /** A function of which a growth is expected, and that growth. */
  | { readonly kind: 'expected-function' }
  | { readonly kind: 'growth'; readonly target: number }
  | { readonly kind: 'command' };

/** A value that is being typed, with its quotes. */
export interface ConfigValue {
  readonly place: ConfigPlace;
  readonly offset: number;
  readonly length: number;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

/** Unknown keys that resemble a known one, in their order; none if the text is not JSON yet. */
export function misspelledKeys(text: string): readonly MisspelledKey[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const keys: MisspelledKey[] = [];
  if (root !== undefined) collect(root, schema as Schema, keys);
  return keys;
}

/** The value at an offset, if it can be completed. */
export function valueAt(text: string, offset: number): ConfigValue | undefined {
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  const place = expectedAt(path, isAtPropertyKey) ?? placeOf(text, path);
  const type = place?.kind === 'expected-function' ? 'property' : 'string';
  if (place === undefined || previousNode?.type !== type) return undefined;
  const { offset: start, length } = previousNode;
  return offset > start && offset < start + length ? { place, offset: start, length } : undefined;
}

function expectedAt(path: readonly (string | number)[], isKey: boolean): ConfigPlace | undefined {
  const [targets, target, expect] = path;
  if (targets !== 'targets' || typeof target !== 'number' || expect !== 'expect' || path.length !== 4)
    return undefined;
  return isKey ? { kind: 'expected-function' } : { kind: 'growth', target };
}

function placeOf(text: string, path: readonly (string | number)[]): ConfigPlace | undefined {
  if (path.length < 3 || path[0] !== 'targets') return undefined;
  const inTarget = path.slice(2).join('.');
  if (inTarget === 'executable') return { kind: 'executable' };
  if (inTarget === 'build.command') return { kind: 'command' };
  if (inTarget !== 'phase') return undefined;
  const root = parseTree(text, [], { allowTrailingComma: true });
  const name = root === undefined ? undefined : findNodeAtLocation(root, [...path.slice(0, 2), 'name']);
  const target: unknown = name?.value;
  return { kind: 'phase', ...(typeof target === 'string' ? { target } : {}) };
}

/** Adds the misspelled keys of a node. Parts that the schema does not describe are not checked. */
function collect(node: Node, of: Schema, misspelled: MisspelledKey[]): void {
  const rule = resolved(of);
  if (node.type === 'array' && rule.items !== undefined) {
    for (const item of node.children ?? []) collect(item, rule.items, misspelled);
  } else if (node.type === 'object' && rule.properties !== undefined)
    collectObject(node, rule.properties, rule.additionalProperties === false, misspelled);
}

function collectObject(
  node: Node,
  rules: Readonly<Record<string, Schema>>,
  closed: boolean,
  misspelled: MisspelledKey[],
): void {
  const members = (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined ? [] : [{ key, name: String(key.value), value }],
  );
  const missing = Object.keys(rules).filter((name) => !members.some((member) => member.name === name));
  for (const { key, name, value } of members) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule !== undefined) {
      if (value !== undefined) collect(value, rule, misspelled);
      continue;
    }
    const suggestion = closed ? nearestName(name, missing) : undefined;
    if (suggestion !== undefined)
      misspelled.push({ offset: key.offset, length: key.length, key: name, suggestion });
  }
}

function resolved(rule: Schema): Schema {
  const name = rule.$ref?.split('/').at(-1);
  const definitions = schema.definitions as Readonly<Record<string, Schema>>;
  return name === undefined ? rule : (definitions[name] ?? rule);
}
