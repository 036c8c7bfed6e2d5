/** The example with planted bottlenecks: it builds, each of them runs, and what `truth.json` names is in the program. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/measurement/launch/findProgram';

interface Place {
  readonly hypotheses: readonly string[];
  readonly function: string;
  readonly ranks: readonly number[];
}

interface Bottleneck extends Partial<Place> {
  readonly hypotheses: readonly string[];
  readonly also?: readonly Place[];
  readonly falseParents?: readonly string[];
}

interface Truth {
  readonly ranks: number;
  readonly threads: number;
  readonly bottlenecks: Readonly<Record<string, Bottleneck>>;
}

const example = path.resolve('examples/bottlenecks');
const truth = JSON.parse(readFileSync(path.join(example, 'truth.json'), 'utf8')) as Truth;
const names = Object.keys(truth.bottlenecks);

const hasMpi = (await findProgram('mpirun')) !== undefined;
const compilers = ['gcc', 'clang-19'];
const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };
const environment = {
  ...process.env,
  ...asRoot,
  OMP_NUM_THREADS: String(truth.threads),
  OMP_WAIT_POLICY: 'passive',
};

let parent: string;
beforeAll(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'kymo bottlenecks ü '));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe.skipIf(!hasMpi).each(compilers)('planted bottlenecks, %s', (compiler) => {
  let folder: string;
  const start = (command: string, ...words: readonly string[]) =>
    spawnSync(command, words, { cwd: folder, encoding: 'utf8', env: environment });
  const mpirun = (...words: readonly string[]) =>
    start('mpirun', '--oversubscribe', '-np', String(truth.ranks), './bottlenecks', ...words);

  beforeAll(() => {
    folder = path.join(parent, compiler);
    cpSync(example, folder, { recursive: true });
    start('make', 'clean');
  });

  it('the example builds without warnings', () => {
    const { status, stderr } = start('make', '-j2', `CC=${compiler}`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('truth.json has the bottlenecks that the program lists, with functions that it has', () => {
    expect(start('./bottlenecks', '--list').stdout.trim().split('\n')).toEqual(names);
    const symbols = new Set(start('nm', 'bottlenecks').stdout.match(/(?<= [tT] )\w+/g));
    for (const { also = [], falseParents = [], ...found } of Object.values(truth.bottlenecks)) {
      const functions = [found, ...also].flatMap((place) => place.function ?? []);
      for (const name of [...functions, ...falseParents]) expect(symbols).toContain(name);
    }
  });

  it.each(names)('%s runs', (name) => {
    const { status, stdout, stderr } = mpirun(name, '2');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${name}: 2 steps on ${truth.ranks} ranks, `));
  });

  it('an unknown name is refused, with the way to the names', () => {
    for (const words of [['no-such-bottleneck'], ['deep', '0'], []]) {
      const { status, stderr } = start('./bottlenecks', ...words);
      expect({ status, stderr }).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--list') as unknown,
      });
    }
  });
});
