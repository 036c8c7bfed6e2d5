import { unescaped } from './symbolNames';

const linePattern =
  /^!(\d+) = (?:distinct )?!(\{|DI(?:Subprogram|SubroutineType|BasicType|DerivedType|CompositeType|Namespace|File|LexicalBlock|TemplateTypeParameter)\()/;
const fieldPattern = /\b(\w+): ("[^"]*"|[^,"()]+)/g;
/** Maximum length of names and paths; only damaged texts have longer ones. */
const longestText = 4096;

/** The fields of a node, `name: "x"`, `scope: !7`. */
export type Fields = ReadonlyMap<string, string>;

const noFields: Fields = new Map();

interface Node {
  /** `{` for a list. */
  readonly kind: string;
  readonly line: string;
  fields?: Fields;
  list?: readonly (number | undefined)[];
}

/** The numbered nodes of a module: stored line by line, parsed once on request. */
export class Metadata {
  private readonly nodes = new Map<number, Node>();

  note(line: string): void {
    const match = linePattern.exec(line);
    if (match !== null) this.nodes.set(Number(match[1]), { kind: match[2]?.replace('(', '') ?? '', line });
  }

  /** E.g. `is(7, 'DIFile')`. */
  is(number: number | undefined, kind: string): boolean {
    return this.nodes.get(number ?? -1)?.kind === kind;
  }

  /** Empty for unknown nodes. */
  fields(number: number | undefined): Fields {
    const node = this.nodes.get(number ?? -1);
    if (node === undefined) return noFields;
    node.fields ??= new Map(
      [...node.line.matchAll(fieldPattern)].map(([, key = '', value = '']) => [key, value]),
    );
    return node.fields;
  }

  /** The nodes of `!{!4, null, i64 16}`; undefined for elements that are not nodes. */
  list(number: number | undefined): readonly (number | undefined)[] {
    const node = this.nodes.get(number ?? -1);
    if (node === undefined) return [];
    node.list ??= listed(/\{(.*)\}/.exec(node.line)?.[1] ?? '');
    return node.list;
  }
}

function listed(inner: string): readonly (number | undefined)[] {
  return inner === '' ? [] : inner.split(', ').map(nodeNumber);
}

/** A field's text without quotes. */
export function textOf(fields: Fields, key: string): string | undefined {
  const value = fields.get(key);
  return value?.startsWith('"') === true ? unescaped(value.slice(1, -1).slice(0, longestText)) : undefined;
}

/** Number of the node that a field refers to. */
export function numberOf(fields: Fields, key: string): number | undefined {
  return nodeNumber(fields.get(key) ?? '');
}

function nodeNumber(text: string): number | undefined {
  return /^!\d+$/.test(text) ? Number(text.slice(1)) : undefined;
}
