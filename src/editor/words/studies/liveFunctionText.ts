import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type { LiveFunction } from '../../../workflows/studies/liveFunctions';
import { cut, escapeIcons } from './statusText';

const nameCharacters = 120;
const pathCharacters = 80;

/** A function in the list of those that can be switched: whether it is recorded now, its name and its place. */
export function liveFunctionText({ name, state, file, line }: LiveFunction): {
  readonly label: string;
  readonly description: string;
} {
  const place = file === undefined ? [] : [`${cut(path.basename(file), pathCharacters)}:${line ?? 1}`];
  const isRecorded = state !== 'left out';
  return {
    label: `$(${isRecorded ? 'record' : 'circle-slash'}) ${escapeIcons(plain(cut(name, nameCharacters)))}`,
    description: escapeIcons(
      plain([isRecorded ? l10n.t('recorded') : l10n.t('not recorded'), ...place].join(' · ')),
    ),
  };
}

/** Neither control characters nor such as reorder the text around them. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');
}

/** Those that can be switched: first the ones that this command changes, then the others, each by name. */
export function switchableFunctions(
  functions: readonly LiveFunction[],
  on: boolean,
): { readonly changing: readonly LiveFunction[]; readonly others: readonly LiveFunction[] } {
  const sorted = functions
    .filter(({ state }) => state === 'recorded' || state === 'left out')
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const isChanging = ({ state }: LiveFunction): boolean => (state === 'left out') === on;
  return {
    changing: sorted.filter(isChanging),
    others: sorted.filter((one) => !isChanging(one)),
  };
}

/** The innermost function around a line. @param line from 1 */
export function functionAround(
  functions: readonly LiveFunction[],
  file: string,
  at: number,
): LiveFunction | undefined {
  let found: LiveFunction | undefined;
  for (const candidate of functions) {
    const { line = Infinity, endLine = line } = candidate;
    if (candidate.file !== file || at < line || at > endLine) continue;
    if (found === undefined || line > (found.line ?? 0)) found = candidate;
  }
  return found;
}
