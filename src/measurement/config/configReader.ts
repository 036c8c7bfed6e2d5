import type { Node } from 'jsonc-parser';
import type { ConfigSource } from './configSource';
import { nearestKey } from './nearestKey';
import { suggestion } from '../../core/nearest';

/**
 * Reads the members of one JSON object: wrong types are errors at their place, unknown and repeated keys are warnings. `name`
 * denotes the object in messages.
 */
export class ObjectReader {
  private readonly members = new Map<string, Node>();
  /** Unknown keys, by the valid ones that they are near to. */
  private readonly mistaken = new Map<string, { readonly key: string; readonly keyNode: Node }>();

  /** @param validKeys the valid keys; undefined when users choose the names */
  constructor(
    readonly source: ConfigSource,
    readonly node: Node,
    private readonly name: string,
    validKeys?: readonly string[],
  ) {
    if (node.type !== 'object') source.fail(node, `${name} must be an object {…}, found ${typeName(node)}.`);
    for (const property of node.children ?? []) {
      const [keyNode, value] = property.children ?? [];
      if (keyNode === undefined || value === undefined) continue;
      const key = String(keyNode.value);
      if (validKeys !== undefined && !validKeys.includes(key)) {
        const nearest = nearestKey(key, validKeys);
        const hint = nearest === undefined ? '.' : `; did you mean ${JSON.stringify(nearest)}?`;
        source.warn(keyNode, `${name} has no key ${JSON.stringify(key)}${hint}`);
        if (nearest !== undefined) this.mistaken.set(nearest, { key, keyNode });
        continue;
      }
      if (this.members.has(key))
        source.warn(keyNode, `${JSON.stringify(key)} is given twice; the last one applies.`);
      this.members.set(key, value);
    }
  }

  keys(): readonly string[] {
    return [...this.members.keys()];
  }

  nodeOf(key: string): Node | undefined {
    return this.members.get(key);
  }

  required(key: string): Node {
    const found = this.members.get(key);
    if (found !== undefined) return found;
    const needs = `${this.name} needs the key ${JSON.stringify(key)}`;
    const mistaken = this.mistaken.get(key);
    return mistaken === undefined
      ? this.source.fail(this.node, `${needs}.`)
      : this.source.fail(
          mistaken.keyNode,
          `${needs} and has ${JSON.stringify(mistaken.key)}; did you mean ${JSON.stringify(key)}?`,
        );
  }

  object(key: string, validKeys?: readonly string[]): ObjectReader | undefined {
    const node = this.members.get(key);
    return node === undefined
      ? undefined
      : new ObjectReader(this.source, node, JSON.stringify(key), validKeys);
  }

  /** A string with at least one character that is not blank. */
  text(key: string): string | undefined {
    const node = this.members.get(key);
    return node === undefined ? undefined : readText(this.source, node, JSON.stringify(key));
  }

  /** Each value must be a string; empty ones are allowed. */
  strings(key: string): readonly string[] {
    return this.list(key, 'strings').map((item) =>
      readString(this.source, item, `each item of ${JSON.stringify(key)}`),
    );
  }

  list(key: string, of: string): readonly Node[] {
    const node = this.members.get(key);
    if (node === undefined) return [];
    if (node.type !== 'array')
      this.source.fail(node, `${JSON.stringify(key)} must be a list of ${of} […], found ${typeName(node)}.`);
    return node.children ?? [];
  }

  /** A number above zero. */
  positive(key: string, otherwise: number): number {
    const node = this.members.get(key);
    if (node === undefined) return otherwise;
    const value = readNumber(node);
    if (value === undefined || value <= 0)
      this.source.fail(node, `${JSON.stringify(key)} must be a number above 0, found ${typeName(node)}.`);
    return value;
  }

  /** A whole number of at least one. */
  count(key: string, otherwise: number): number {
    const node = this.members.get(key);
    return node === undefined ? otherwise : readCount(this.source, node, JSON.stringify(key));
  }

  flag(key: string): boolean | undefined {
    const node = this.members.get(key);
    const value: unknown = node?.value;
    if (node === undefined || typeof value === 'boolean') return value as boolean | undefined;
    return this.source.fail(node, `${JSON.stringify(key)} must be true or false, found ${typeName(node)}.`);
  }

  oneOf<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const node = this.members.get(key);
    if (node === undefined) return undefined;
    const value: unknown = node.value;
    const choice = choices.find((candidate) => candidate === value);
    if (choice !== undefined) return choice;
    const hint = typeof value === 'string' ? suggestion(value, choices) : '';
    return this.source.fail(
      node,
      `${JSON.stringify(key)} must be ${choices.map((item) => JSON.stringify(item)).join(' or ')}, found ${typeName(node)}${hint || '.'}`,
    );
  }
}

export function readString(source: ConfigSource, node: Node, what: string): string {
  const value: unknown = node.value;
  if (typeof value !== 'string') source.fail(node, `${what} must be a string, found ${typeName(node)}.`);
  // No argument, path or environment of a program can contain it.
  if (value.includes('\0')) source.fail(node, `${what} must not contain a NUL character.`);
  return value;
}

export function readText(source: ConfigSource, node: Node, what: string): string {
  const value = readString(source, node, what);
  if (value.trim() === '') source.fail(node, `${what} must not be empty.`);
  return value;
}

export function readCount(source: ConfigSource, node: Node, what: string): number {
  const value = readNumber(node);
  if (value === undefined || !Number.isSafeInteger(value) || value < 1)
    source.fail(node, `${what} must be a whole number of at least 1, found ${typeName(node)}.`);
  return value;
}

/** Finite numbers only: `1e999` is not one. */
export function readNumber(node: Node): number | undefined {
  const value: unknown = node.value;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A value's description for messages. */
export function typeName(node: Node): string {
  const value: unknown = node.value;
  switch (node.type) {
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'string':
      return `the string ${shortened(JSON.stringify(value))}`;
    case 'number':
      return `the number ${String(value)}`;
    case 'boolean':
    case 'null':
    case 'property':
      return String(value);
  }
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…"`;
}
