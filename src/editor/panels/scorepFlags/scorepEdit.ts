import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { ScorepTargetSettings } from '../../../core/scorepOptions/option';
import { EditedJson } from './editedJson';

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
  const root = parseTree(text, [], { allowTrailingComma: true });
  const targets = root === undefined ? undefined : findNodeAtLocation(root, ['targets']);
  const index = (targets?.children ?? []).findIndex(
    (one) => findNodeAtLocation(one, ['name'])?.value === target,
  );
  if (index < 0) return undefined;
  const edited = new EditedJson(text, ['targets', index]);
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
