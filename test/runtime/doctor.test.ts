import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { doctorText } from '../../src/cli/commands/doctor';
import { detectToolchain, type Toolchain } from '../../src/measurement/toolchain/detect';
import { doctor } from '../../src/workflows/doctor';

const workspace = mkdtempSync(path.join(tmpdir(), 'kymo doctor '));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const bare = (): Promise<Toolchain> => detectToolchain({ environment: { PATH: workspace } });

describe('doctor', () => {
  it('names the software to install on an empty machine', async () => {
    const result = await doctor(workspace, undefined, bare);
    expect(result.compilers).toEqual([]);
    expect(result.problems).toHaveLength(1);
    expect(result.blocking).toEqual(result.problems);
    expect(result.problems[0]).toMatch(/No C compiler.*apt install gcc; dnf install gcc/);
    expect(doctorText(result)).toMatch(/– OpenMP[\s\S]*– MPI[\s\S]*✗ No C compiler/);
  });
  it('reports missing software that the targets of kymo.json need', async () => {
    writeFileSync(
      path.join(workspace, 'kymo.json'),
      JSON.stringify({
        version: 1,
        targets: [
          {
            name: 'a',
            build: { command: 'make CC=${cc}' },
            executable: 'a',
            backend: 'scorep',
            run: { launcher: { kind: 'mpirun', ranks: 2 } },
          },
          {
            name: 'b',
            build: { command: '${cc} b.c' },
            executable: 'b',
            run: { launcher: { kind: 'slurm', ranks: 2 } },
          },
          ...['no-such-qsub', 'sh'].map((program) => ({
            name: `by ${program}`,
            build: { command: '${cc} b.c' },
            executable: 'b',
            run: { launcher: { kind: 'template', ranks: 2, command: [program, '${program}'] } },
          })),
        ],
      }),
    );
    const { problems } = await doctor(workspace, undefined, bare);
    expect(problems.join('\n')).toMatch(
      /a is run by mpirun[^\n]*openmpi[\s\S]*a wants the back-end "scorep"[\s\S]*b is run by srun[\s\S]*by no-such-qsub is run by no-such-qsub/,
    );
    expect(problems.join('\n')).not.toContain('by sh is run');
    writeFileSync(path.join(workspace, 'kymo.json'), '{"version": 1,');
    expect((await doctor(workspace, undefined, bare)).blocking.join('\n')).toContain('kymo.json:1:');
  });
  it('distinguishes what only programs in other languages need', async () => {
    const { compilers, ...machine } = await detectToolchain();
    const onlyC = { ...machine, compilers: compilers.filter(({ language }) => language === 'c') };
    const { blocking, problems } = await doctor(tmpdir(), undefined, () => Promise.resolve(onlyC));
    expect(problems.join('\n')).toContain('needed only for Fortran programs');
    expect(blocking).toEqual([]);
  });
  it('finds the installed compilers', async () => {
    const result = await doctor(tmpdir());
    const gcc = result.compilers.find(({ language, family }) => language === 'c' && family === 'gcc');
    if (gcc?.openmp === 'gnu')
      expect(doctorText(result)).toMatch(/✓ OpenMP {3}GNU's library: all constructs but static loops \(.*cc/);
    for (const compiler of result.compilers) expect(doctorText(result)).toContain(compiler.path);
    expect(result.compilers.some(({ language }) => language === 'c')).toBe(
      !result.problems.some((text) => text.startsWith('No C compiler')),
    );
  });
});
