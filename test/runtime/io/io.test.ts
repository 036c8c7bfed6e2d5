import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult, type KymoResult } from '../../../src/formats/kymo-result/resultFile';
import { readManifest } from '../../../src/measurement/compilers/manifest';
import { ioLayer } from '../../../src/measurement/layers/ioLayer';
import { runtimeFolder } from '../build';
import { Workbench, type Outcome } from '../harness';
import { everything, readSites, writeSelection } from '../selection';

const workbench = new Workbench();
afterAll(() => {
  rmSync(workbench.folder, { recursive: true, force: true });
});

const programs = path.join(import.meta.dirname, 'programs');

const layers: Partial<Record<string, string>> = {};
beforeAll(() => {
  const { cflags, files } = readManifest(runtimeFolder).io;
  for (const compiler of ['gcc', 'clang-19']) {
    const layer = path.join(workbench.folder, `layer-${compiler}.so`);
    const strict = ['-Wall', '-Wextra', '-Werror'];
    execFileSync(compiler, [...cflags, ...strict, '-o', layer, ...files], { cwd: runtimeFolder });
    layers[compiler] = layer;
  }
});

interface Calls {
  readonly visits: number;
  readonly read: number;
  readonly written: number;
}

/** All calls of input and output in a run with all functions recorded, by their names. */
function measured(
  compiler: string,
  objects: readonly string[],
  words: readonly string[],
): { readonly outcome: Outcome; readonly calls: Readonly<Record<string, Calls>> } {
  const folder = workbench.path('results');
  mkdirSync(folder);
  const selection = workbench.path('selection');
  const chosen = objects.map((object) => everything(readSites(object), 'entry', new Map()));
  const functions = writeSelection(selection, chosen).length;
  const outcome = workbench.run(objects[0] ?? '', words, {
    KYMO_SELECTION: selection,
    KYMO_RESULTS: folder,
    LD_PRELOAD: layers[compiler] ?? '',
  });
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.kymo'));
  const result = parseResult(readFileSync(path.join(folder, name)), name);
  return { outcome, calls: callsOf(result, functions) };
}

function callsOf({ regions, threads }: KymoResult, functions: number): Readonly<Record<string, Calls>> {
  const calls: Record<string, Calls> = {};
  for (const { slot, visits, counters } of threads)
    for (const [node, of] of slot.entries()) {
      const region = regions[of - functions];
      if (region?.kind !== 'io') continue;
      const before = calls[region.name] ?? { visits: 0, read: 0, written: 0 };
      calls[region.name] = {
        visits: before.visits + (visits[node] ?? 0),
        read: before.read + (counters.get('bytesRead')?.[node] ?? 0),
        written: before.written + (counters.get('bytesWritten')?.[node] ?? 0),
      };
    }
  return calls;
}

describe.each(['gcc', 'clang-19'] as const)('input and output, %s', (compiler) => {
  const compile = (source: string, shared = false): string =>
    workbench.compile(
      { compiler, kind: 'entry', flags: ['-O1'] },
      path.join(programs, source),
      ['-ldl'],
      shared,
    );

  it('each call is a visit with its bytes, also in handlers and threads; errno and output are those of a run without', () => {
    const program = compile('moves.c');
    const { outcome, calls } = measured(compiler, [program], [workbench.path('data')]);
    expect(outcome).toEqual(workbench.run(program, [workbench.path('data')]));
    expect(outcome.status).toBe(3);
    expect(outcome.output).toContain('read -1, EBADF 1, kept 1, open -1, ENOENT 1');
    expect(outcome.output).toContain('cancelled 1');
    const truth = [...outcome.output.matchAll(/^= (\w+) (\d+) (\d+) (\d+)$/gm)];
    expect(truth).toHaveLength(17);
    const expected = truth.map(([, name = '', visits, read, written]) => [
      name,
      { visits: Number(visits), read: Number(read), written: Number(written) },
    ]);
    expect(calls).toEqual(Object.fromEntries(expected));
  });

  it('what the runtime reads and writes for itself is none of it', () => {
    const program = compile('opens.c');
    const library = compile('library.c', true);
    const { outcome, calls } = measured(compiler, [program, library], [library]);
    expect(outcome).toMatchObject({ status: 3, output: '= write 9' });
    expect(calls).toEqual({ write: { visits: 1, read: 0, written: 9 } });
  });

  it('calls below the depth limit have their bytes, too', () => {
    const program = compile('below.c');
    const { outcome, calls } = measured(compiler, [program], []);
    expect(outcome).toEqual(workbench.run(program, []));
    expect(calls.write).toEqual({ visits: 400, read: 0, written: 400 });
  });

  it('streams of C++', () => {
    const program = compile('streams.cpp');
    const { outcome, calls } = measured(compiler, [program], [workbench.path('data')]);
    expect(outcome.status).toBe(3);
    const sum = (what: 'read' | 'written'): number =>
      Object.values(calls).reduce((total, one) => total + one[what], 0);
    expect([sum('read'), sum('written')]).toEqual([1 << 20, 1 << 20]);
  });
});

describe('input and output of Fortran', () => {
  it('statements read and write by calls of their library', () => {
    const program = workbench.compile(
      { compiler: 'gcc', kind: 'entry', flags: ['-O1'] },
      path.join(programs, 'units.f90'),
    );
    const { outcome, calls } = measured('gcc', [program], [workbench.path('data')]);
    expect(outcome.status).toBe(3);
    // Beside the records, its library writes what `stop` says.
    const written = (8 << 16) + 'STOP 3\n'.length;
    expect(calls).toMatchObject({ read: { read: 8 << 16 }, write: { written } });
  });
});

describe('the layer', () => {
  it('passes on what a program that is not measured calls', () => {
    const program = path.join(workbench.folder, 'plain');
    execFileSync('gcc', ['-O1', '-pthread', '-w', '-o', program, path.join(programs, 'moves.c')]);
    const words = [workbench.path('data')];
    const plain = workbench.run(program, words);
    expect(workbench.run(program, words, { LD_PRELOAD: layers.gcc ?? '' })).toEqual(plain);
    expect(plain.status).toBe(3);
  });

  it('is built for programs that are linked dynamically', async () => {
    const environment = { ...process.env, XDG_CACHE_HOME: path.join(workbench.folder, 'cache') };
    expect(await ioLayer('/bin/true', environment)).toMatchObject({ kind: 'layer' });
    const file = path.join(programs, 'moves.c');
    const program = workbench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-static'] }, file);
    expect(await ioLayer(program, environment)).toMatchObject({
      kind: 'missing',
      note: expect.stringContaining('statically') as unknown,
    });
  });
});
