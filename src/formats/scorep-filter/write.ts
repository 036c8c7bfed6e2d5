import { isKeyword } from './keywords';

/** A function to be instrumented, and why. */
export interface FilterEntry {
  readonly name: string;
  readonly mangledName?: string;
  /** One sentence; becomes a comment. */
  readonly reason?: string;
}

/**
 * The whitelist form for any Score-P (compile time and run time): everything is excluded, then each function included by its mangled
 * name, with its reason above it. An entry without a mangled name is matched by its name with any return type and parameters.
 */
export function writeFilter(entries: readonly FilterEntry[], title?: string): string {
  const lines = title === undefined ? [] : [`# ${oneLine(title)}`];
  lines.push('SCOREP_REGION_NAMES_BEGIN', '  EXCLUDE *');
  for (const entry of entries) {
    const shown =
      entry.name === entry.mangledName || entry.mangledName === undefined ? '' : `${entry.name}: `;
    const comment = oneLine(`${shown}${entry.reason ?? ''}`).replace(/:$/, '');
    if (comment !== '') lines.push(`  # ${comment}`);
    lines.push(`  INCLUDE ${patternFor(entry)}`);
  }
  lines.push('SCOREP_REGION_NAMES_END', '');
  return lines.join('\n');
}

function patternFor({ name, mangledName }: FilterEntry): string {
  if (mangledName !== undefined) return `MANGLED ${escapePattern(mangledName)}`;
  // A plain identifier is its own mangled name (C).
  if (/^[A-Za-z_]\w*$/.test(name)) return `MANGLED ${escapePattern(name)}`;
  return name.includes('(') ? `*${escapePattern(name)}` : `*${escapePattern(name)}(*`;
}

/**
 * A pattern that matches exactly this name, whatever characters it has. What cannot be written becomes `?`; a `\\` stands in a set,
 * because Score-P takes one before a blank or the end of the line for something else.
 */
export function escapePattern(name: string): string {
  const escaped = name
    .replace(/[\\*?[\]# \t]/g, (character) => (character === '\\' ? '[\\\\]' : `\\${character}`))
    .replace(/[\r\n\0]/g, '?');
  // A function may be called like a keyword.
  return isKeyword(escaped) ? `\\${escaped}` : escaped;
}

/** Names come from any source: nothing in them may end the comment. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
