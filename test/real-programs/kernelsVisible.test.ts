import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeKernels, visibleKernels, type KernelProgram } from '../visibleKernels';
import { debianSources, type DebianSources } from './debianSource';

const built = existsSync(path.resolve(import.meta.dirname, '../../dist/wrapper.js'));

/** Executed functions with own statements ≥ 10 or a loop are recorded at the optimisation the program is built with (-O3), inlined or not. */
describe.skipIf(!built)('kernels of real programs are visible', () => {
  let sources: DebianSources | undefined;
  beforeAll(() => {
    sources = debianSources();
  });
  afterAll(() => sources?.remove());

  const program = (name: string, minimum: number, rest: Omit<KernelProgram, 'sources' | 'scratch'>): void => {
    it(name, async (context) => {
      const tree = sources?.unpack(name);
      if (sources === undefined || tree === undefined) {
        context.skip('package sources cannot be reached');
        return;
      }
      const scratch = mkdtempSync(path.join(sources.directory, 'kernels-'));
      const found = await visibleKernels({ ...rest, sources: tree, scratch });
      const said = describeKernels(name, found);
      process.stderr.write(`${said}\n`);
      expect(found.kernels.length).toBeGreaterThan(minimum);
      const all = found.kernels.length + found.unknown.length;
      expect(found.kernels.filter((k) => k.recorded).length / all, said).toBeGreaterThanOrEqual(0.95);
    });
  };

  program('minisat2', 20, {
    target: {
      name: 'minisat',
      build: { command: 'make -j2 CXX=${cxx} r' },
      executable: 'build/release/bin/minisat',
      run: { arguments: ['-verb=0', 'small.cnf'], successStatuses: [10, 20] },
    },
    prepare: (tree) => {
      writeFileSync(path.join(tree, 'small.cnf'), formula(60, 255));
    },
  });

  program('metis', 60, {
    target: {
      name: 'gpmetis',
      build: {
        command:
          'cmake -S . -B b -DCMAKE_BUILD_TYPE=Release -DGKLIB_PATH="$PWD/GKlib" && make -j2 -C b gpmetis',
      },
      executable: 'b/programs/gpmetis',
      run: { arguments: ['graphs/4elt.graph', '20'] },
    },
  });
});

/** A 3-SAT formula in DIMACS form, always the same. */
function formula(variables: number, clauses: number): string {
  let state = 11;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const lines = [`p cnf ${variables} ${clauses}`];
  for (let i = 0; i < clauses; i++) {
    // Three different variables.
    const first = random(variables);
    const chosen = [first, first + 1 + random(10), first + 11 + random(20)].map((v) => (v % variables) + 1);
    lines.push(`${chosen.map((v) => (random(2) === 0 ? v : -v)).join(' ')} 0`);
  }
  return `${lines.join('\n')}\n`;
}
