import type { ConfiguredTarget } from '../../../engine/requests/targetCommands';

/** Text of a consent dialog: every command of a target on its own line. */
export function consentDetail(folder: string, { name, commands }: ConfiguredTarget, before = 'Kymo'): string {
  const lines = commands.map(({ purpose, line }) => `${purpose}:  ${visible(line)}`);
  return [
    `${before} builds and runs target ${name} with these commands:`,
    '',
    ...lines,
    '',
    `in ${folder}. Kymo asks again when these commands change.`,
  ].join('\n');
}

/** Escapes a command so that it stays on one line and looks as it is: no character can break the line, or hide or reorder others. */
function visible(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '⏎' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
