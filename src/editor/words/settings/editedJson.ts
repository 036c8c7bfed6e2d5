import { applyEdits, findNodeAtLocation, modify, parseTree, type JSONPath, type Node } from 'jsonc-parser';

type Scalar = string | number;
type Value = Scalar | readonly Scalar[] | { readonly [name: string]: Value };

/** Maximum length of a list on one line. */
const longestLine = 100;

/**
 * A JSON text with comments that is changed value by value. Unchanged text stays as the user wrote it; jsonc-parser's own edits would
 * reformat the neighbours of a new value.
 */
export class EditedJson {
  private readonly eol: string;
  private readonly unit: string;

  /** @param base path of the object that the other paths begin in */
  constructor(
    public text: string,
    private readonly base: JSONPath,
  ) {
    this.eol = text.includes('\r\n') ? '\r\n' : '\n';
    this.unit = /\n( +|\t)/.exec(text)?.[1] ?? '  ';
  }

  /** Sets a value; undefined removes it. */
  set(path: readonly string[], value: Value | undefined): void {
    const node = this.find(path);
    if (value === undefined) {
      if (node !== undefined)
        this.text = applyEdits(this.text, modify(this.text, [...this.base, ...path], undefined, {}));
    } else if (node === undefined) this.insert(path, value);
    else if (!sameValue(node, value)) {
      const { offset, length } = node;
      this.replace(offset, length, this.written(value, this.indentationAt(offset)));
    }
  }

  keys(path: readonly string[]): readonly string[] {
    const node = this.find(path);
    return node?.type === 'object'
      ? (node.children ?? []).map(({ children: [key] = [] }) => String(key?.value))
      : [];
  }

  removeEmpty(path: readonly string[]): void {
    const node = this.find(path);
    if (node?.type === 'object' && (node.children ?? []).length === 0) this.set(path, undefined);
  }

  private insert(path: readonly string[], value: Value): void {
    const name = path.at(-1) ?? '';
    const parent = this.find(path.slice(0, -1));
    if (parent === undefined) this.insert(path.slice(0, -1), { [name]: value });
    else if (parent.type !== 'object') this.set(path.slice(0, -1), { [name]: value });
    else this.insertMember(parent, name, value);
  }

  private insertMember(object: Node, name: string, value: Value): void {
    const last = object.children?.at(-1);
    if (last === undefined) {
      const text = this.written({ [name]: value }, this.indentationAt(object.offset));
      this.replace(object.offset, object.length, text);
      return;
    }
    const isSpread = this.text.slice(object.offset, last.offset).includes('\n');
    const indentation = this.indentationAt(last.offset);
    const member = `${JSON.stringify(name)}: ${this.written(value, indentation)}`;
    const end = last.offset + last.length;
    const [, comma = '', blank = '', comment = ''] =
      /^(\s*,)?([ \t]*)(\/\/[^\r\n]*|\/\*[^\r\n]*\*\/)?/.exec(this.text.slice(end)) ?? [];
    // A comment behind the last member stays with it.
    const position =
      isSpread && comment !== '' ? end + comma.length + blank.length + comment.length : end + comma.length;
    this.replace(position, 0, isSpread ? `${this.eol}${indentation}${member}` : ` ${member}`);
    if (comma === '') this.replace(end, 0, ',');
  }

  private replace(offset: number, length: number, content: string): void {
    this.text = this.text.slice(0, offset) + content + this.text.slice(offset + length);
  }

  private written(value: Value, indentation: string): string {
    const line = inOneLine(value);
    if (line.length <= longestLine && (typeof value !== 'object' || Array.isArray(value))) return line;
    return JSON.stringify(value, undefined, this.unit).replaceAll('\n', `${this.eol}${indentation}`);
  }

  /** Indentation of the line that contains the offset. */
  private indentationAt(offset: number): string {
    const line = this.text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(this.text.slice(line))?.[0] ?? '';
  }

  private find(path: readonly string[]): Node | undefined {
    const root = parseTree(this.text, [], { allowTrailingComma: true });
    return root === undefined ? undefined : findNodeAtLocation(root, [...this.base, ...path]);
  }
}

function inOneLine(value: Value): string {
  return Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    : JSON.stringify(value);
}

/** Compares texts, numbers and lists of them. */
function sameValue(node: Node, value: Value): boolean {
  if (node.type !== 'array') return node.value === value;
  const items: readonly unknown[] = (node.children ?? []).map((item): unknown => item.value);
  return (
    Array.isArray(value) &&
    items.length === value.length &&
    items.every((item, index) => item === value[index])
  );
}
