import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A preprocessed text with the functions that get probes. */
export interface ProbeText {
  readonly file: string;
  readonly bytes: Buffer;
  readonly encoding: 'utf8' | 'latin1';
  /** Functions with a loop. */
  readonly probed: readonly string[];
  /** Functions that get probes only where the number of statements does not matter. */
  readonly small: readonly string[];
}

const folder = import.meta.dirname;

function probeText(file: string, probed = '', small = ''): ProbeText {
  const bytes = readFileSync(path.join(folder, file));
  const names = (list: string): string[] => list.split(' ').filter((name) => name !== '');
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  return { file, bytes, encoding, probed: names(probed), small: names(small) };
}

export const probeTexts: readonly ProbeText[] = [
  probeText('attributes.c', 'f h k'),
  probeText('blank-line.i'),
  probeText('comments.c', 'f'),
  probeText('crlf.c', 'f g'),
  probeText('declarators.c', 'fp plain made pointer array'),
  probeText('declared-labels.c'),
  probeText('empty.i'),
  probeText('header-flags.i', 'g'),
  probeText('initialisers.c', 'f'),
  probeText('k-and-r-definitions.c', 'a b'),
  probeText('latin-1.c', 'f'),
  probeText('line-directives.i', 'f'),
  probeText('macros.i', 'one_a one_b two_a two_b three_a three_b f'),
  probeText('nested-functions.c', 'outer after'),
  probeText('no-markers.i', 'f'),
  probeText('nothing-worth-a-probe.c', '', 'f'),
  probeText('pragmas.i', 'f'),
  probeText('quoted-file-name.i', 'f'),
  probeText('statement-expressions.i', 'f'),
  probeText('statements.c', 'f duff', 'g'),
  probeText('system-header.i'),
  probeText('two-files.i', '', 'f g'),
  probeText('unicode.c', 'größe g'),
];

/** Files that compilers preprocess, with the options that they need. */
export const compilerTexts: readonly { readonly file: string; readonly options?: readonly string[] }[] = [
  ...probeTexts.filter(({ file }) => file.endsWith('.c') && file !== 'comments.c'),
  { file: 'comments.c', options: ['-C'] },
  { file: 'macros.c' },
  { file: 'pragmas.c', options: ['-fopenmp'] },
  { file: 'statement-expressions.c' },
];

/** The grammar of the TypeScript inserter does not know this C, so that the functions get no probes; the other inserter gives them probes. */
export const unknownToGrammar = probeText('unknown-to-the-grammar.c');

/** Texts of whose structure the inserter in C cannot be certain: it leaves them to the one in TypeScript, which never fails. */
export const uncertainTexts: readonly string[] = [
  'int f(void) { return 0; ',
  'int f(void) { return (0; }',
  'int f(void) { return "; }\n',
  '/* int f(void) { return 0; }',
  'int f(void) <% return 0; %>',
  'int f(void) { return 0; } }',
  '# 99999999999 "x.c"\nint f(void) { return 0; }',
  'int f(void) { return @; }',
  `int f(void) ${'{'.repeat(3000)}${'}'.repeat(3000)}`,
  `int x = ${'('.repeat(100_000)}`,
];
