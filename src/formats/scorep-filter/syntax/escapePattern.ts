import { isKeyword } from './keywords';

/**
 * A pattern that matches exactly this name, whatever characters it has. A character that no pattern can hold becomes `?`.
 * A `\` stands in a set: before a blank or the end of a line, Score-P reads one as something else.
 */
export function escapePattern(name: string): string {
  const escaped = name
    .replace(/[\\*?[\]# \t]/g, (character) => (character === '\\' ? '[\\\\]' : `\\${character}`))
    .replace(/[\r\n\0]/g, '?');
  // The name of a function may be a keyword.
  return isKeyword(escaped) ? `\\${escaped}` : escaped;
}
