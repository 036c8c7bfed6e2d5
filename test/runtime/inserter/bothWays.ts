import { spawnSync } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { expect } from 'vitest';
import type { Parser } from 'web-tree-sitter';
import { analyseUnit } from '../../../src/core/source/analyse';
import { insertProbes } from '../../../src/core/probes/probeInsertion';
import { readManifest } from '../../../src/measurement/compilers/manifest';
import { parserFor } from '../../unit/core/source/parsers';

const runtime = path.resolve(import.meta.dirname, '../../../runtime');
const strict = ['-std=c11', '-D_GNU_SOURCE', '-Wall', '-Wextra', '-Wshadow', '-Werror'];
export const unitHash = '0123456789abcdef';

/** Compiles show.c, the inserter's text processing without a compiler, and expects no warnings. Returns the program. */
export function buildShow(
  scratch: string,
  compiler: string,
  name: string,
  options: readonly string[],
): string {
  const program = path.join(scratch, name);
  const { files } = readManifest(runtime).inserter;
  const sources = files.filter((file) => !file.endsWith('main.c')).map((file) => path.join(runtime, file));
  const show = path.join(import.meta.dirname, 'show.c');
  const include = `-I${path.join(runtime, 'inserter')}`;
  const made = spawnSync(compiler, [...strict, ...options, include, ...sources, show, '-o', program], {
    encoding: 'utf8',
  });
  expect(made.stderr).toBe('');
  return program;
}

export interface Preprocessed {
  readonly name: string;
  readonly folder: string;
  readonly text: Buffer;
}

export function preprocess(file: string, options: readonly string[] = [], compiler = 'gcc'): Preprocessed {
  const folder = path.dirname(file);
  const { stdout, status, stderr } = spawnSync(compiler, ['-E', '-w', ...options, path.basename(file)], {
    cwd: folder,
    maxBuffer: 1 << 28,
  });
  expect(status, stderr.toString()).toBe(0);
  return { name: path.basename(file), folder, text: stdout };
}

/** Compares the inserter with the implementation in TypeScript. */
export class BothWays {
  private constructor(
    readonly show: string,
    private readonly parser: Parser,
  ) {}

  static async open(scratch: string): Promise<BothWays> {
    return new BothWays(buildShow(scratch, 'gcc', 'show', ['-O1']), await parserFor('c'));
  }

  /** Expects the same text from both, with several minimum numbers of statements for a probe. */
  compare({ name, folder, text }: Preprocessed): { readonly probes: number; readonly parsed: boolean } {
    const encoding = isUtf8(text) ? 'utf8' : 'latin1';
    const source = path.join(folder, name);
    let probes = 0;
    let parsed = true;
    for (const minimumStatements of [0, 1, 3, 10, 30]) {
      const decoded = text.toString(encoding);
      const analysis = analyseUnit({
        text: decoded,
        language: 'c',
        parser: this.parser,
        source,
        directory: folder,
        minimumStatements,
      });
      parsed = analysis.unit.parsed;
      const style = { architecture: 'x86-64', asmInline: true } as const;
      const expected = insertProbes(decoded, analysis.probePoints, unitHash, style, encoding);
      const made = spawnSync(this.show, [source, folder, String(minimumStatements), unitHash], {
        input: text,
        maxBuffer: 1 << 28,
      });
      expect(made.status).toBe(0);
      probes += made.stdout.toString('latin1').split('const char kymo_probe_').length - 1;
      // When the parser is not sure, it omits functions that the scanner understands.
      if (parsed) expect(made.stdout.toString(encoding)).toBe(expected);
    }
    return { probes, parsed };
  }
}
