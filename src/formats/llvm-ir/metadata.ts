import { unescaped } from './symbolNames';

const linePattern =
  /^!(\d+) = (?:distinct )?!(?:\{|DI(?:Subprogram|SubroutineType|BasicType|DerivedType|CompositeType|Namespace|File|LexicalBlock|TemplateTypeParameter)\()/;
const fieldPattern = /(\w+): ("[^"]*"|[^,"()]+)/g;

/** The fields of a node, `name: "x"`, `scope: !7`. */
export type Fields = ReadonlyMap<string, string>;

const noFields: Fields = new Map();

/** The numbered nodes of a module: noted line by line, taken apart when they are asked for. */
export class Metadata {
  private readonly lines = new Map<number, string>();
  private readonly known = new Map<number, Fields>();

  note(line: string): void {
    const match = linePattern.exec(line);
    if (match !== null) this.lines.set(Number(match[1]), line);
  }

  /** `is(7, 'DIFile')`. */
  is(number: number | undefined, kind: string): boolean {
    return this.lines.get(number ?? -1)?.includes(`!${kind}(`) === true;
  }

  /** Empty for what is not there. */
  fields(number: number | undefined): Fields {
    if (number === undefined) return noFields;
    let fields = this.known.get(number);
    if (fields === undefined) {
      const found = (this.lines.get(number) ?? '').matchAll(fieldPattern);
      fields = new Map([...found].map(([, key = '', value = '']) => [key, value]));
      this.known.set(number, fields);
    }
    return fields;
  }

  /** What `!{!4, null, i64 16}` names; undefined for what is no number of a node. */
  list(number: number | undefined): readonly (number | undefined)[] {
    const inner = /\{(.*)\}/.exec(this.lines.get(number ?? -1) ?? '')?.[1] ?? '';
    return inner === '' ? [] : inner.split(', ').map(nodeNumber);
  }
}

/** A field's text without quotes. */
export function textOf(fields: Fields, key: string): string | undefined {
  const value = fields.get(key);
  return value?.startsWith('"') === true ? unescaped(value.slice(1, -1)) : undefined;
}

/** The node that a field names. */
export function numberOf(fields: Fields, key: string): number | undefined {
  return nodeNumber(fields.get(key) ?? '');
}

function nodeNumber(text: string): number | undefined {
  return /^!\d+$/.test(text) ? Number(text.slice(1)) : undefined;
}
