import type { ConfiguredTarget } from '../../../engine/requests/targetCommands';

/** What a user is asked to agree to: every command of a target, a line each. */
export function consentDetail(folder: string, { name, commands }: ConfiguredTarget, before = 'Kymo'): string {
  const lines = commands.map(({ purpose, line }) => `${purpose}:  ${visible(line)}`);
  return [
    `${before} builds and runs target ${name} with these commands of it:`,
    '',
    ...lines,
    '',
    `in ${folder}. Kymo asks again when these commands change.`,
  ].join('\n');
}

/** A command is one line here, and looks like what it is: no character of it breaks a line, hides or turns others around. */
function visible(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '⏎' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
