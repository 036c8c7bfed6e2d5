import { spawnSync } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyseUnit } from '../../../src/core/source/analyse';
import { insertProbes } from '../../../src/core/source/probeInsertion';
import { readManifest } from '../../../src/measurement/wrappers/manifest';
import { parserFor } from '../../unit/core/source/parsers';
import { oddTexts } from './oddTexts';

const root = path.resolve(import.meta.dirname, '../../..');
const runtime = path.join(root, 'runtime');
const { files } = readManifest(runtime).inserter;
const strict = ['-std=c11', '-D_GNU_SOURCE', '-Wall', '-Wextra', '-Wshadow', '-Werror'];
const hash = '0123456789abcdef';
const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-test-inserter-'));
const parser = await parserFor('c');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The inserter's work on texts, without a compiler (show.c). */
function build(compiler: string, name: string, options: readonly string[]): string {
  const program = path.join(scratch, name);
  const sources = files.filter((file) => !file.endsWith('main.c')).map((file) => path.join(runtime, file));
  const show = path.join(import.meta.dirname, 'show.c');
  const include = `-I${path.join(runtime, 'inserter')}`;
  const made = spawnSync(compiler, [...strict, ...options, include, ...sources, show, '-o', program], {
    encoding: 'utf8',
  });
  expect(made.stderr).toBe('');
  return program;
}

let show: string;
let checked: string;
beforeAll(() => {
  show = build('gcc', 'show', ['-O1']);
  checked = build('gcc', 'checked', [
    '-O1',
    '-g',
    '-fsanitize=address,undefined',
    '-fno-sanitize-recover=all',
  ]);
});

interface Preprocessed {
  readonly name: string;
  readonly folder: string;
  readonly text: Buffer;
}

function preprocess(file: string, options: readonly string[] = [], compiler = 'gcc'): Preprocessed {
  const folder = path.dirname(file);
  const { stdout, status, stderr } = spawnSync(compiler, ['-E', '-w', ...options, path.basename(file)], {
    cwd: folder,
    maxBuffer: 1 << 28,
  });
  expect(status, stderr.toString()).toBe(0);
  return { name: path.basename(file), folder, text: stdout };
}

/** Both ways, with all borders that decide; what differs is returned. */
function compare({ name, folder, text }: Preprocessed): {
  readonly probes: number;
  readonly parsed: boolean;
} {
  const encoding = isUtf8(text) ? 'utf8' : 'latin1';
  const source = path.join(folder, name);
  let probes = 0;
  let parsed = true;
  for (const minimumStatements of [0, 1, 3, 10, 30]) {
    const analysis = analyseUnit({
      text: text.toString(encoding),
      language: 'c',
      parser,
      source,
      directory: folder,
      minimumStatements,
    });
    parsed = analysis.unit.parsed;
    const style = { architecture: 'x86-64', asmInline: true } as const;
    const expected = insertProbes(text.toString(encoding), analysis.probePoints, hash, style);
    const made = spawnSync(show, [source, folder, String(minimumStatements), hash], {
      input: text,
      maxBuffer: 1 << 28,
    });
    expect(made.status).toBe(0);
    probes += made.stdout.toString('latin1').split('const char kymo_probe_').length - 1;
    // Where the parser is not sure it is silent about functions that the scanner understands.
    if (parsed) expect(made.stdout.toString(encoding)).toBe(expected);
  }
  return { probes, parsed };
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.c'))
    .map((name) => path.join(root, folder, name));

describe('the inserter writes what the parser’s way writes, byte for byte', () => {
  it.each(
    ['examples/stencil', 'runtime/inserter', 'runtime', 'runtime/x86-64'].flatMap((folder) =>
      sourcesIn(folder),
    ),
  )('%s', (file) => {
    const options = [`-I${runtime}`, '-D_GNU_SOURCE', '-fopenmp'];
    const { parsed } = compare(preprocess(file, options));
    // The grammar does not know `asm` with several strings and what else the runtime's own sources need.
    if (!file.startsWith(`${runtime}/`) || file.includes('/inserter/')) expect(parsed).toBe(true);
  });
  it.each(oddTexts)('$name', ({ name, text, probes, options = [], grammar = true }) => {
    const file = path.join(scratch, `${name.replace(/\W+/g, '_')}.c`);
    writeFileSync(file, text);
    for (const compiler of ['gcc', 'clang-19']) {
      const { parsed, probes: found } = compare(preprocess(file, options, compiler));
      expect(parsed).toBe(grammar);
      expect(found > 0).toBe(probes);
    }
  });
  it.each([
    ['# 1 "file with \\"quotes\\" and \\\\"\nint f(int n) { while (n) n--; return n; }\n', true],
    ['int f(int n) { while (n) n--; return n; }', true],
    ['# 7 "/usr/include/x.h" 3\nint f(int n) { while (n) n--; return n; }\n', false],
    [
      '# 1 "a.c"\n# 1 "b.h" 1 3 4\nint f(int n) { while (n) n--; }\n# 2 "a.c" 2\nint g(int n) { while (n) n--; }',
      true,
    ],
    ['#line 5 "x.c"\n#pragma once\n int f(int n)\r\n{ while (n) n--; return n; }\r\n', true],
    ['', false],
    ['\n', false],
  ])('markers: %j', (text, probes) => {
    const found = compare({ name: 'unit.c', folder: scratch, text: Buffer.from(text) });
    expect(found.probes > 0).toBe(probes);
  });
});

describe('what is not certain is left to the general way', () => {
  it.each([
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
  ])('%#', (text) => {
    expect(spawnSync(show, ['/w/u.c', '/w', '10', hash], { input: text }).status).toBe(1);
  });
});

describe('hostile text', () => {
  it.each([1, 2, 3])('damaged copies of real texts harm nothing (seed %i)', (seed) => {
    const texts = [
      preprocess(path.join(root, 'examples/stencil/field.c')).text,
      preprocess(path.join(runtime, 'inserter/definitions.c'), ['-D_GNU_SOURCE', `-I${runtime}`]).text,
      Buffer.from(oddTexts.map(({ text }) => text.toString('latin1')).join('\n'), 'latin1'),
    ];
    for (const text of texts) {
      const run = spawnSync(checked, ['/w/u.c', '/w', '3', hash, '250', String(seed)], { input: text });
      expect([run.status, run.stderr.toString()]).toEqual([0, '']);
    }
  });
  it('is read in time that grows with its length only', () => {
    const many = 'f(a) int b; '.repeat(20_000) + 'int x[] = { 1 };'.repeat(20_000);
    const begin = performance.now();
    spawnSync(show, ['/w/u.c', '/w', '3', hash], { input: many });
    expect(performance.now() - begin).toBeLessThan(20_000);
  });
});

it('compiles without a warning with clang', () => {
  build('clang-19', 'clang', ['-O1', '-Wconversion']);
});
