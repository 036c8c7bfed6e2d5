import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BothWays, buildShow, preprocess, unitHash } from './bothWays';
import { oddTexts } from './oddTexts';

const root = path.resolve(import.meta.dirname, '../../..');
const runtime = path.join(root, 'runtime');
const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-test-inserter-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let ways: BothWays;
let checked: string;
beforeAll(async () => {
  ways = await BothWays.open(scratch);
  checked = buildShow(scratch, 'gcc', 'checked', [
    '-O1',
    '-g',
    '-fsanitize=address,undefined',
    '-fno-sanitize-recover=all',
  ]);
});

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
    const { parsed } = ways.compare(preprocess(file, options));
    // The grammar does not know `asm` with several strings and what else the runtime's own sources need.
    if (!file.startsWith(`${runtime}/`) || file.includes('/inserter/')) expect(parsed).toBe(true);
  });
  it.each(oddTexts)('$name', ({ name, text, probes, options = [], grammar = true }) => {
    const file = path.join(scratch, `${name.replace(/\W+/g, '_')}.c`);
    writeFileSync(file, text);
    for (const compiler of ['gcc', 'clang-19']) {
      const { parsed, probes: found } = ways.compare(preprocess(file, options, compiler));
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
    const found = ways.compare({ name: 'unit.c', folder: scratch, text: Buffer.from(text) });
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
    expect(spawnSync(ways.show, ['/w/u.c', '/w', '10', unitHash], { input: text }).status).toBe(1);
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
      const run = spawnSync(checked, ['/w/u.c', '/w', '3', unitHash, '250', String(seed)], { input: text });
      expect([run.status, run.stderr.toString()]).toEqual([0, '']);
    }
  });
  it('is read in time that grows with its length only', () => {
    const many = 'f(a) int b; '.repeat(20_000) + 'int x[] = { 1 };'.repeat(20_000);
    // A limit of CPU time, which the kernel holds: a fraction of a second when it is in proportion, minutes when it is not.
    const limited = ['-c', 'ulimit -t 20 && exec "$@"', 'sh', ways.show, '/w/u.c', '/w', '3', unitHash];
    expect(spawnSync('sh', limited, { input: many })).toMatchObject({ signal: null });
  });
});

it('compiles without a warning with clang', () => {
  buildShow(scratch, 'clang-19', 'clang', ['-O1', '-Wconversion']);
});
