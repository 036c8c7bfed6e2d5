import type { Parser, Tree } from 'web-tree-sitter';
import { at, atUint } from '../../at';
import { firstPosition } from '../../firstPosition';
import { cursorSteps } from './cursorSteps';

/**
 * A syntax tree copied out of WebAssembly into flat arrays, in pre-order: the children of node `i` start at `i + 1`, its
 * subtree ends before `next[i]`. Analyses then run at JavaScript's speed, without recursion, however deep the source nests.
 */
export class SyntaxTree {
  constructor(
    readonly text: string,
    private readonly kinds: readonly string[],
    private readonly fields: readonly string[],
    private readonly kindIds: Uint32Array,
    private readonly fieldIds: Uint32Array,
    private readonly starts: Uint32Array,
    private readonly ends: Uint32Array,
    private readonly nexts: Uint32Array,
    /** Ascending positions of nodes that the parser could not make sense of or had to invent. */
    readonly errors: readonly number[],
  ) {}

  get length(): number {
    return this.kindIds.length;
  }

  kind(node: number): string {
    const id = atUint(this.kindIds, node);
    return id === 65535 ? 'ERROR' : (this.kinds[id] ?? '');
  }

  start(node: number): number {
    return atUint(this.starts, node);
  }

  end(node: number): number {
    return atUint(this.ends, node);
  }

  /** First position after the node's subtree. */
  next(node: number): number {
    return atUint(this.nexts, node);
  }

  textOf(node: number): string {
    return this.text.slice(this.start(node), this.end(node));
  }

  *children(node: number): IterableIterator<number> {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) yield child;
  }

  /** The first child under a field name; undefined for no node, too, so that calls can be chained. */
  field(node: number | undefined, name: string): number | undefined {
    if (node === undefined) return undefined;
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) {
      if (this.fields[atUint(this.fieldIds, child)] === name) return child;
    }
    return undefined;
  }

  fieldOf(node: number): string | undefined {
    const id = atUint(this.fieldIds, node);
    return id === 0 ? undefined : this.fields[id];
  }

  /** The first child of one of these kinds. */
  childOfKind(node: number, ...kinds: readonly string[]): number | undefined {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) {
      if (kinds.includes(this.kind(child))) return child;
    }
    return undefined;
  }

  /** Whether the subtree has something that the parser was not sure of. */
  hasError(node: number): boolean {
    const end = this.next(node);
    const first = this.errors[firstPosition(this.errors.length, (error) => at(this.errors, error) >= node)];
    return first !== undefined && first < end;
  }
}

/** Parses text; the tree needs no clean-up. The parser has its language set. */
export function parseText(parser: Parser, text: string): SyntaxTree {
  parser.reset();
  const tree = parser.parse(text);
  if (tree === null || parser.language === null) throw new Error('The parser has no language.');
  try {
    return flatten(tree, text, parser.language.types, parser.language.fields);
  } finally {
    tree.delete();
  }
}

function flatten(
  tree: Tree,
  text: string,
  kinds: readonly string[],
  fields: readonly (string | null)[],
): SyntaxTree {
  const kindIds: number[] = [];
  const fieldIds: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const nexts: number[] = [];
  const errors: number[] = [];
  const open: number[] = [];
  const cursor = cursorSteps(tree);
  try {
    for (;;) {
      const node = kindIds.length;
      const kind = cursor.kind();
      const start = cursor.start();
      const end = cursor.end();
      kindIds.push(kind);
      fieldIds.push(cursor.field());
      starts.push(start);
      ends.push(end);
      nexts.push(0);
      if (kind === 65535 || (start === end && cursor.isMissing())) errors.push(node);
      if (start !== end && cursor.toFirstChild()) {
        open.push(node);
        continue;
      }
      nexts[node] = kindIds.length;
      while (!cursor.toNextSibling()) {
        const parent = open.pop();
        if (parent === undefined) {
          return new SyntaxTree(
            text,
            kinds,
            fields.map((name) => name ?? ''),
            Uint32Array.from(kindIds),
            Uint32Array.from(fieldIds),
            Uint32Array.from(starts),
            Uint32Array.from(ends),
            Uint32Array.from(nexts),
            errors,
          );
        }
        nexts[parent] = kindIds.length;
        cursor.toParent();
      }
    }
  } finally {
    cursor.delete();
  }
}
