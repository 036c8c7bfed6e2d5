import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parseTree,
  type FormattingOptions,
  type JSONPath,
  type Node,
} from 'jsonc-parser';
import type { ScorepTargetSettings } from '../../../core/scorepOptions/option';

/** What replaces a part of a text. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/**
 * The one change of `kymo.json` that gives a target these settings; what is as wanted stays as it is written, comments too. Settings
 * that say nothing more than the default are taken out. Undefined when the text has no such target.
 * @param backend written beside them when given
 */
export function scorepEdit(
  text: string,
  target: string,
  settings: ScorepTargetSettings,
  backend?: 'scorep',
): TextChange | undefined {
  const root = parse(text);
  const targets = root === undefined ? undefined : findNodeAtLocation(root, ['targets']);
  const index = (targets?.children ?? []).findIndex(
    (one) => findNodeAtLocation(one, ['name'])?.value === target,
  );
  if (index < 0) return undefined;
  const edited = new EditedText(text, ['targets', index]);
  if (backend !== undefined) edited.set(['backend'], backend);
  const { flags, filtering, environment } = settings;
  edited.set(['scorep', 'flags'], flags.length === 0 ? undefined : flags);
  edited.set(['scorep', 'filtering'], filtering === 'hybrid' ? undefined : filtering);
  for (const name of edited.keys(['scorep', 'environment']))
    if (!Object.hasOwn(environment, name)) edited.set(['scorep', 'environment', name], undefined);
  for (const [name, value] of Object.entries(environment)) edited.set(['scorep', 'environment', name], value);
  edited.removeEmpty(['scorep', 'environment']);
  edited.removeEmpty(['scorep']);
  return difference(text, edited.text);
}

function parse(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

/** A text of JSON with comments that is changed value by value. */
class EditedText {
  private readonly formattingOptions: FormattingOptions;

  constructor(
    public text: string,
    private readonly base: JSONPath,
  ) {
    const indentation = /\n( +|\t)/.exec(text)?.[1] ?? '  ';
    const tabs = indentation.startsWith('\t');
    this.formattingOptions = {
      insertSpaces: !tabs,
      tabSize: tabs ? 1 : indentation.length,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    };
  }

  set(path: JSONPath, value: unknown): void {
    const node = this.find(path);
    if (value === undefined ? node === undefined : node !== undefined && sameValue(node, value)) return;
    const { formattingOptions } = this;
    this.text = applyEdits(
      this.text,
      modify(this.text, [...this.base, ...path], value, { formattingOptions }),
    );
  }

  keys(path: JSONPath): readonly string[] {
    const node = this.find(path);
    return node?.type === 'object'
      ? (node.children ?? []).map(({ children: [key] = [] }) => String(key?.value))
      : [];
  }

  removeEmpty(path: JSONPath): void {
    const node = this.find(path);
    if (node?.type === 'object' && (node.children ?? []).length === 0) this.set(path, undefined);
  }

  private find(path: JSONPath): Node | undefined {
    const root = parse(this.text);
    return root === undefined ? undefined : findNodeAtLocation(root, [...this.base, ...path]);
  }
}

/** Of texts and lists of texts. */
function sameValue(node: Node, value: unknown): boolean {
  if (node.type !== 'array') return node.value === value;
  const items: readonly unknown[] = (node.children ?? []).map((item): unknown => item.value);
  return (
    Array.isArray(value) && items.length === value.length && items.every((item, at) => item === value[at])
  );
}

function difference(before: string, after: string): TextChange {
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first++;
  let last = 0;
  const most = Math.min(before.length, after.length) - first;
  while (last < most && before[before.length - 1 - last] === after[after.length - 1 - last]) last++;
  return {
    offset: first,
    length: before.length - first - last,
    content: after.slice(first, after.length - last),
  };
}
