import type { Node } from 'jsonc-parser';
import { readCount, readNumber, readText, typeName, type ObjectReader } from './configReader';
import type { ConfigSource } from './configSource';

/** The values of a parameter: a list of at least one number or string. */
export function parseValues(parameters: ObjectReader, name: string): readonly (string | number)[] {
  const { source } = parameters;
  const items = parameters.list(name, 'numbers and strings');
  if (items.length === 0)
    source.fail(parameters.required(name), `${JSON.stringify(name)} needs at least one value.`);
  return items.map((item) => parseValue(source, item, name));
}

/** A number or a string. */
export function parseValue(source: ConfigSource, node: Node, name: string): string | number {
  if (node.type === 'string') return readText(source, node, `each value of ${JSON.stringify(name)}`);
  const value = readNumber(node);
  if (value === undefined)
    source.fail(
      node,
      `each value of ${JSON.stringify(name)} must be a number or a string, found ${typeName(node)}.`,
    );
  return value;
}

/** Whole numbers of at least one: a single one, or a list. */
export function parseRanks(source: ConfigSource, node: Node, what: string): readonly number[] {
  if (node.type !== 'array') return [readCount(source, node, what)];
  const items = node.children ?? [];
  if (items.length === 0) source.fail(node, `${what} must not be an empty list.`);
  return items.map((item) => readCount(source, item, `each item of ${what}`));
}
