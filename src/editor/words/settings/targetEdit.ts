import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { EditedJson } from './editedJson';

/** A replacement of a part of a text. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/**
 * The edit of `kymo.json` that `change` makes to a target. All other text stays as the user wrote it, comments included. Undefined when the
 * text has no such target.
 * @param change gets the text with paths relative to the target
 */
export function targetEdit(
  text: string,
  target: string,
  change: (edited: EditedJson) => void,
): TextChange | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const targets = root === undefined ? undefined : findNodeAtLocation(root, ['targets']);
  const index = (targets?.children ?? []).findIndex(
    (node) => findNodeAtLocation(node, ['name'])?.value === target,
  );
  if (index < 0) return undefined;
  const edited = new EditedJson(text, ['targets', index]);
  change(edited);
  return difference(text, edited.text);
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
