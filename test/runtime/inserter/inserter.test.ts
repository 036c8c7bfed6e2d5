import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compilerTexts, probeTexts, uncertainTexts, unknownToGrammar } from '../../probeTexts/texts';
import { BothWays, buildShow, preprocess, unitHash } from './bothWays';

const root = path.resolve(import.meta.dirname, '../../..');
const runtime = path.join(root, 'runtime');
const corpus = path.join(root, 'test/probeTexts');
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

describe('the inserter writes the same bytes as the general way with the parser', () => {
  it.each(
    ['examples/stencil', 'runtime/inserter', 'runtime', 'runtime/x86-64'].flatMap((folder) =>
      sourcesIn(folder),
    ),
  )('%s', (file) => {
    const options = [`-I${runtime}`, '-D_GNU_SOURCE', '-fopenmp'];
    const { parsed } = ways.compare(preprocess(file, options));
    // The grammar does not know `asm` with several strings and other syntax of the runtime's own sources.
    if (!file.startsWith(`${runtime}/`) || file.includes('/inserter/')) expect(parsed).toBe(true);
  });
  it.each(compilerTexts)('$file after the preprocessors of gcc and clang', ({ file, options }) => {
    for (const compiler of ['gcc', 'clang-19'])
      expect(ways.compare(preprocess(path.join(corpus, file), options, compiler)).parsed).toBe(true);
  });
  it.each(probeTexts)('$file', ({ file, bytes, probed, small }) => {
    const { parsed, probes } = ways.compare({ name: file, folder: corpus, text: bytes });
    expect(parsed).toBe(true);
    expect(probes > 0).toBe(probed.length + small.length > 0);
  });
});

it('probes functions that the grammar does not know', () => {
  for (const compiler of ['gcc', 'clang-19']) {
    const { file } = unknownToGrammar;
    const { parsed, probes } = ways.compare(preprocess(path.join(corpus, file), [], compiler));
    expect([parsed, probes > 0]).toEqual([false, true]);
  }
});

describe('the inserter leaves text of uncertain structure to the general way', () => {
  it.each(uncertainTexts)('%#', (text) => {
    expect(spawnSync(ways.show, ['/w/u.c', '/w', '10', unitHash], { input: text }).status).toBe(1);
  });
});

describe('hostile text', () => {
  it.each([1, 2, 3])('damaged copies of real texts do no harm (seed %i)', (seed) => {
    const texts = [
      preprocess(path.join(root, 'examples/stencil/field.c')).text,
      preprocess(path.join(runtime, 'inserter/definitions.c'), ['-D_GNU_SOURCE', `-I${runtime}`]).text,
      Buffer.from(probeTexts.map(({ bytes }) => bytes.toString('latin1')).join('\n'), 'latin1'),
    ];
    for (const text of texts) {
      const run = spawnSync(checked, ['/w/u.c', '/w', '3', unitHash, '250', String(seed)], { input: text });
      expect([run.status, run.stderr.toString()]).toEqual([0, '']);
    }
  });
  it('is read in time proportional to its length', () => {
    const many = 'f(a) int b; '.repeat(20_000) + 'int x[] = { 1 };'.repeat(20_000);
    // The kernel enforces a limit of CPU time: proportional reading takes a fraction of a second, any other takes minutes.
    const limited = ['-c', 'ulimit -t 20 && exec "$@"', 'sh', ways.show, '/w/u.c', '/w', '3', unitHash];
    expect(spawnSync('sh', limited, { input: many })).toMatchObject({ signal: null });
  });
});

it('compiles without a warning with clang', () => {
  buildShow(scratch, 'clang-19', 'clang', ['-O1', '-Wconversion']);
});

describe('columns are those of the original text, also behind letters outside ASCII', () => {
  const compiled = (compiler: string, options: readonly string[], text: Buffer): string => {
    const { status, stderr } = spawnSync(compiler, [...options, '-x', 'cpp-output', '-'], { input: text });
    expect(status, stderr.toString()).toBe(0);
    return stderr.toString('latin1');
  };
  const columnsBy = {
    'gcc, debug information of declarations': (text: Buffer) => {
      const object = path.join(scratch, 'columns.o');
      compiled('gcc', ['-g', '-c', '-o', object], text);
      const { stdout } = spawnSync('readelf', ['--debug-dump=info', object], { encoding: 'utf8' });
      return stdout.match(/(?<=DW_AT_decl_column *: )\d+/g) ?? [];
    },
    'clang, places of warnings': (text: Buffer) => {
      const options = ['-fsyntax-only', '-Wmissing-prototypes', '-Wmissing-variable-declarations'];
      return compiled('clang-19', options, text).match(/(?<=:1:)\d+(?=: warning)/g) ?? [];
    },
  };

  it.each(Object.entries(columnsBy))('%s', (_, columnsOf) => {
    for (const name of ['unicode.c', 'latin-1.c']) {
      const { text } = preprocess(path.join(corpus, name));
      const probed = spawnSync(ways.show, [path.join(corpus, name), corpus, '0', unitHash], { input: text });
      expect(probed.stdout.toString('latin1')).toContain('kymo_probe_');
      const columns = columnsOf(text);
      expect(columns.length).toBeGreaterThan(1);
      expect(columnsOf(probed.stdout)).toEqual(expect.arrayContaining([...columns]));
    }
  });
});
