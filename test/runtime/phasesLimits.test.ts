import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/formats/byteSource';
import { ProcessStream } from '../../src/formats/kymo-iterations/processStream';
import { Workbench, type Measured } from './harness';
import { readIterations } from './iterations';
import { readResults } from './result';
import { everything, readSites, writeSelection } from './selection';

const bench = new Workbench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));
const include = path.resolve(import.meta.dirname, '../../runtime/include');
const phases = ['step'];
let file = '';
beforeAll(() => {
  file = bench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-O2', `-I${include}`] }, 'phases.c');
});

function chosen() {
  const { sites, regions } = everything(readSites(file), 'entry');
  return {
    sites,
    regions: new Map([...regions].filter(([name]) => ['leaf', 'rare', 'step'].includes(name))),
  };
}

function measure(count: number): Measured {
  return bench.measure(file, [chosen()], ['function', String(count), 'memory'], {}, new Map(), phases);
}

/** Runs a program in a shell that sets a limit. */
function limited(limit: string, words: readonly string[]) {
  const results = bench.path('results');
  const selection = bench.path('selection');
  mkdirSync(results);
  writeSelection(selection, [chosen()], new Map(), phases);
  const done = spawnSync('bash', ['-c', `${limit}; exec "$0" "$@"`, file, ...words], {
    encoding: 'utf8',
    cwd: bench.folder,
    env: { ...process.env, KYMO_SELECTION: selection, KYMO_RESULTS: results },
  });
  return { status: done.status, signal: done.signal, stdout: done.stdout, stderr: done.stderr, results };
}

describe('limits of iterations', () => {
  it('a million iterations take no more memory than a thousand, and none is lost', () => {
    const few = measure(1000);
    const many = measure(1_000_000);
    const memory = ({ outcome }: Measured): number => Number(/Anonymous: +(\d+)/.exec(outcome.output)?.[1]);
    expect(many.results[0]?.mapped).toBe(few.results[0]?.mapped);
    expect(memory(many) - memory(few)).toBeLessThan(256); // KiB
    const result = many.results[0];
    if (result === undefined) throw new Error('no result');
    const name = path.join(many.folder, `${result.host}.${result.pid}.iterations`);
    const stream = new ProcessStream(bytesSource(readFileSync(name)), name, '00000000deadbeef');
    let count = 0;
    let leaves = 0;
    for (let next = stream.next(); next !== undefined; next = stream.next(), count++)
      for (let at = 0; at < next.count; at++)
        if (stream.nodes[next.nodes[at] ?? 0]?.slot === many.slots.indexOf('leaf'))
          leaves += next.visits[at] ?? 0;
    expect(count).toBe(1_000_000);
    // 1 … 7 visits in turn, and one more in every fiftieth iteration.
    expect(leaves).toBe(
      Array.from({ length: 1_000_000 }, (_, i) => (i % 7) + 1 + (i % 50 === 0 ? 1 : 0)).reduce(
        (a, b) => a + b,
        0,
      ),
    );
  });

  it('when the disk is full, one line reports it, the run continues, and the written part can be read', () => {
    const words = ['function', '100000'];
    const plain = bench.run(file, words);
    const done = limited('ulimit -f 100', words); // KiB
    expect({ status: done.status, signal: done.signal }).toEqual({
      status: plain.status,
      signal: plain.signal,
    });
    expect(done.stdout).toBe(plain.output);
    expect(done.stderr).toMatch(/^kymo: iterations from number \d+ on are not recorded, .*\n$/);
    const [result] = readResults(done.results);
    expect(result?.flags).toBe(16);
    const measured: Measured = {
      outcome: { status: 0, signal: null, output: '' },
      results: [],
      slots: ['leaf', 'rare', 'step'],
      folder: done.results,
    };
    const iterations = result === undefined ? [] : readIterations(measured, result);
    expect(iterations.length).toBeGreaterThan(1000);
    expect(iterations.length).toBeLessThan(100_000);
  });

  it('when the folder is not writable, only the iterations are lost', () => {
    const done = limited('ulimit -f 0', ['function', '100']);
    expect(done.status).toBe(0);
    expect(done.stderr.split('\n').filter((line) => line.startsWith('kymo: '))).toHaveLength(2);
    expect(
      readdirSync(done.results).filter((name) => statSync(path.join(done.results, name)).size > 0),
    ).toEqual([]);
  });
});

describe('sources with Kymo’s macros, built without Kymo', () => {
  it('compile without warnings and link, and the macros do nothing', () => {
    for (const compiler of [
      'gcc -std=c99 -Wpedantic',
      'g++ -x c++ -std=c++98',
      'clang-19 -std=c11 -Wpedantic',
    ]) {
      const program = bench.path('plain');
      const source = path.resolve(import.meta.dirname, 'programs/marks.c');
      execFileSync('bash', [
        '-c',
        `${compiler} -Wall -Wextra -Werror -I"${include}" "${source}" -o "${program}"`,
      ]);
      expect(bench.run(program, []).output).toBe('ok 30\n');
    }
  });

  it('in Fortran link with empty functions, which those of the runtime override', () => {
    const program = bench.path('fortran');
    const source = path.resolve(import.meta.dirname, 'programs/marks.f90');
    const empty = path.join(include, 'kymo_empty.c');
    const object = bench.path('empty.o');
    execFileSync('gcc', ['-Wall', '-Wextra', '-Werror', '-c', empty, '-o', object]);
    execFileSync('gfortran', [source, object, `-J${bench.folder}`, '-o', program]);
    expect(bench.run(program, []).output.trim()).toBe('30');
    const built = bench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-O1'] }, 'marks.f90', [object]);
    const measured = bench.measure(built, [everything(readSites(built), 'entry')], []);
    const [result] = measured.results;
    if (result === undefined) throw new Error('no result');
    expect(result.regions.map(({ name, isPhase }) => [name, isPhase])).toEqual([
      ['time step', true],
      ['inner', false],
    ]);
    const iterations = readIterations(measured, result);
    expect(iterations).toHaveLength(10);
    expect(iterations.every(({ visits }) => visits['time step/inner'] === 3)).toBe(true);
  });
});

describe('the cost of recording', () => {
  // When two processors share a core, work on the other one slows this one by half; then the test tries again.
  it(
    'calibration: of 1000 and more calls of a private function, with its spread, the same within 20 % again',
    { retry: 5 },
    () => {
      const text = readFileSync(path.resolve(import.meta.dirname, '../../runtime/calibrate.c'), 'utf8');
      const [, batch, batches] = /enum \{ BATCH = (\d+), BATCHES = (\d+)/.exec(text) ?? [];
      expect(Number(batch) * Number(batches)).toBeGreaterThanOrEqual(1000);
      // Another program may take the processor during a measurement, so the best of a few neighbouring ones are compared.
      const runs = Array.from({ length: 9 }, () => measure(10).results[0]?.entry ?? []).sort(
        (a, b) => (a[0] ?? 0) - (b[0] ?? 0),
      );
      for (const [pair = 0, spread = 0, inside = 0, outside = 0] of runs) {
        expect(pair).toBeGreaterThan(0);
        expect(spread).toBeGreaterThanOrEqual(0); // It is 0 when the timer resolves no difference.
        expect(inside + outside).toBeCloseTo(Math.max(pair, inside), 15);
      }
      const [first = [], , third = []] = runs;
      expect(first[1] ?? Infinity).toBeLessThan(first[0] ?? 0);
      expect(third[0] ?? 0).toBeLessThan(1.2 * (first[0] ?? 0));
    },
  );
});
