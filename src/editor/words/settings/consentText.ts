import * as l10n from '@vscode/l10n';
import type { ConfiguredTarget } from '../../../engine/requests/targetCommands';

/**
 * Text of a consent dialog: every command of a target on its own line.
 * @param writesFirst whether Kymo writes `kymo.json` before
 */
export function consentDetail(
  folder: string,
  { name, commands }: ConfiguredTarget,
  writesFirst = false,
): string {
  const lines = commands.map(({ purpose, line }) => `${purpose}:  ${visible(line)}`);
  return [
    writesFirst
      ? l10n.t`Kymo writes a first one, then builds and runs target ${name} with these commands:`
      : l10n.t`Kymo builds and runs target ${name} with these commands:`,
    '',
    ...lines,
    '',
    l10n.t`in ${folder}. Kymo asks again when these commands change.`,
  ].join('\n');
}

/** Escapes a command so that it stays on one line and looks as it is: no character can break the line, or hide or reorder others. */
function visible(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '⏎' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
