import { isKeyword } from './keywords';

/**
 * A pattern that matches exactly this name, whatever characters it has. A character that patterns cannot contain becomes `?`.
 * A `\` becomes a set, because Score-P interprets one before a blank or the end of a line.
 */
export function escapePattern(name: string): string {
  const escaped = name
    .replace(/[\\*?[\]# \t]/g, (character) => (character === '\\' ? '[\\\\]' : `\\${character}`))
    .replace(/[\r\n\0]/g, '?');
  // The name of a function may be a keyword.
  return isKeyword(escaped) ? `\\${escaped}` : escaped;
}
