import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTarget, type BuildOptions } from '../../src/measurement/build/buildTarget';
import { BuildError } from '../../src/measurement/build/buildError';
import { scratchPrefix } from '../../src/measurement/files/leftovers';
import { detectToolchain } from '../../src/measurement/toolchain/detect';
import { findProgram } from '../../src/measurement/compilers/identityCache';
import { WrapperTrial } from './wrappersTool';

let trial: WrapperTrial;
beforeAll(() => {
  trial = new WrapperTrial();
});
afterAll(() => trial.close());

const loop = 'int f(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }\n';

function build(command: string, extra: Partial<BuildOptions> = {}, lines: string[] = []) {
  return buildTarget({
    command,
    cwd: trial.folder,
    kind: 'measuring',
    tool: trial.tool,
    store: trial.store,
    environment: { XDG_CACHE_HOME: path.join(trial.base, 'cache'), KYMO_NODE: process.execPath },
    progress: { report: () => undefined, log: (line) => lines.push(line) },
    ...extra,
  });
}

describe('buildTarget', () => {
  it('runs the user’s command with the measuring compilers, and counts what they compiled', async () => {
    trial.write('a.c', loop);
    trial.write('b.c', 'int f(int);\nint main(void) { return f(3) != 3; }\n');
    trial.write('Makefile', 'prog: a.o b.o\n\t$(CC) $^ -o $@\n');
    const lines: string[] = [];
    const result = await build('make -j2 CC=${cc}', {}, lines);
    expect(result.units.map(({ source, sites }) => [path.basename(source), sites]).sort()).toEqual([
      ['a.c', 'probes'],
      ['b.c', 'text'],
    ]);
    expect(result.seconds).toBeGreaterThan(0);
    expect(trial.sleds('prog')).toBe(2);
    expect(lines[0]).toMatch(/^\$ make -j2 CC=.*kymo-cc$/);
    expect((await build('make CC=${cc}')).units).toEqual([]);
    const plain = await build('touch a.c && make CC=${cc}', { kind: 'vanilla' });
    expect(plain.units).toEqual([]);
    expect(trial.sleds('a.o')).toBe(0);
  });
  it.skipIf(findProgram('ccache', process.env.PATH ?? '') === undefined)(
    'has the whole call graph again when a cache of compilers knows the objects',
    async () => {
      const links = path.join(trial.base, 'masquerading');
      mkdirSync(links);
      symlinkSync(findProgram('ccache', process.env.PATH ?? '') ?? '', path.join(links, 'gcc'));
      trial.write('cached.c', loop);
      for (const [command, compiler, folders] of [
        ['ccache ${cc} -c cached.c', 'gcc', ''],
        ['${cc} -c cached.c', 'ccache gcc', ''],
        ['${cc} -c cached.c', 'gcc', `${links}:`],
      ] as const) {
        const environment = {
          XDG_CACHE_HOME: path.join(trial.base, 'cache'),
          CCACHE_DIR: path.join(trial.base, 'ccache'),
          PATH: `${folders}${process.env.PATH ?? ''}`,
        };
        for (const round of ['first', 'second']) {
          trial.forget();
          const { units } = await build(command, { environment, compilers: { cc: compiler } });
          expect(units, `${command}, ${compiler}, ${round} build`).toMatchObject([{ sites: 'probes' }]);
          expect(trial.units()).toHaveLength(1);
        }
      }
    },
  );
  it('works from an installation whose path has blanks', async () => {
    const odd = path.join(trial.base, 'in stalled');
    mkdirSync(odd);
    trial.run('cp', ['-r', trial.tool, odd]);
    trial.write('a.c', loop);
    const result = await build('make -B a.o CC=${cc}', { tool: path.join(odd, 'dist') });
    expect(result.units).toHaveLength(1);
  });
  it('rejects with the compilers’ messages', async () => {
    trial.write('bad.c', 'int f(void) {\n  return nothing;\n}\n');
    const error = await build('make bad.o CC=${cc}').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BuildError);
    expect(error).toMatchObject({
      reason: 'build-failed',
      where: { file: trial.file('bad.c'), line: 2, column: 10 },
    });
    const missing = await build('no-such-program').catch((caught: unknown) => caught);
    expect(missing).toMatchObject({ reason: 'build-failed' });
    expect(String(missing)).toContain('no-such-program');
  });
  it('can be cancelled', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    // Longer than any time limit of a test.
    const command = build('sleep 86400', { signal: stop.signal });
    await expect(command).rejects.toMatchObject({ reason: 'cancelled' });
  });
  it('leaves no folder of its own behind', async () => {
    // Those of this process: other tests build at the same time.
    const own = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(scratchPrefix('build')));
    await build('true');
    expect(own()).toEqual([]);
  });
});

describe('detectToolchain', () => {
  it('finds the compilers and tries their entries', async () => {
    const found = await detectToolchain();
    expect(
      found.compilers.find(({ language, family }) => language === 'c' && family === 'gcc'),
    ).toMatchObject({ patchable: true });
    expect(found.problems).toEqual([]);
  });
  it('says what is missing', async () => {
    const found = await detectToolchain({ environment: { PATH: trial.folder } });
    expect(found.compilers).toEqual([]);
    expect(found.problems.join()).toContain('No C compiler');
  });
});
