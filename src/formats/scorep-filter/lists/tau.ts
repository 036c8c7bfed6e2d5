import { KymoError } from '../../../core/errors';
import { escapePattern } from '../syntax/escapePattern';

const lists = {
  BEGIN_EXCLUDE_LIST: { block: 'REGION', action: 'EXCLUDE' },
  BEGIN_INCLUDE_LIST: { block: 'REGION', action: 'INCLUDE' },
  BEGIN_FILE_EXCLUDE_LIST: { block: 'FILE', action: 'EXCLUDE' },
  BEGIN_FILE_INCLUDE_LIST: { block: 'FILE', action: 'INCLUDE' },
} as const;

type List = (typeof lists)[keyof typeof lists];

/**
 * Converts TAU's selective instrumentation file to a Score-P filter. An include list contains only functions; `#` is the wildcard of
 * names, `*` and `?` are those of files, which have no folder. Loops, phases and other parts of functions have no
 * counterpart; notes report them.
 */
export function readTauSelection(
  text: string,
  file: string,
): { readonly text: string; readonly notes: readonly string[] } {
  const rules: Record<List['block'], Record<List['action'], string[]>> = {
    FILE: { EXCLUDE: [], INCLUDE: [] },
    REGION: { EXCLUDE: [], INCLUDE: [] },
  };
  const notes: string[] = [];
  let open: List | 'ignored' | undefined;
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || (open === undefined && line.startsWith('#'))) return;
    if (/^END_\w+$/.test(line)) open = undefined;
    else if (/^BEGIN_\w+$/.test(line)) {
      open = listOf(line);
      if (open === 'ignored')
        notes.push(`Line ${index + 1}: ${line} has no counterpart in Score-P's filters.`);
    } else if (open === undefined) {
      throw new KymoError(
        'filter-invalid',
        `${file}:${index + 1}:1: Expected the BEGIN_… of a list, found “${line}”.`,
        { file, line: index + 1, column: 1 },
      );
    } else if (open !== 'ignored') {
      rules[open.block][open.action].push(open.block === 'FILE' ? filePattern(line) : namePattern(line));
    }
  });
  return { text: filterText(rules), notes };
}

function listOf(line: string): List | 'ignored' {
  return Object.entries(lists).find(([begin]) => begin === line)?.[1] ?? 'ignored';
}

function filterText(rules: Record<List['block'], Record<List['action'], string[]>>): string {
  const lines: string[] = [];
  for (const block of ['FILE', 'REGION'] as const) {
    const { INCLUDE: included, EXCLUDE: excluded } = rules[block];
    if (included.length + excluded.length === 0) continue;
    lines.push(`SCOREP_${block}_NAMES_BEGIN`);
    if (included.length > 0) lines.push('  EXCLUDE *');
    lines.push(...included.map((pattern) => `  INCLUDE ${pattern}`));
    lines.push(...excluded.map((pattern) => `  EXCLUDE ${pattern}`));
    lines.push(`SCOREP_${block}_NAMES_END`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Removes TAU's quotes and the language after a name (`C`); `#` matches anything. */
function namePattern(line: string): string {
  const name = line.replace(/^"(.*)"$/, '$1').replace(/\)\s+C(?:\+\+)?$/, ')');
  return name.split('#').map(escapePattern).join('*');
}

function filePattern(line: string): string {
  const name = line
    .replace(/^"(.*)"$/, '$1')
    .split(/([*?])/)
    .map((piece) => (piece === '*' || piece === '?' ? piece : escapePattern(piece)))
    .join('');
  return /^[*/]/.test(name) ? name : `*/${name}`;
}
