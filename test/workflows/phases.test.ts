import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldIterations } from '../../src/core/profile/foldIterations';
import type { Profile } from '../../src/core/profile/profile';
import { callPathNames } from '../../src/core/profile/tree';
import { bytesSource } from '../../src/formats/byteSource';
import { readCube } from '../../src/formats/cube4/read';
import { openIterations, type IterationsFile } from '../../src/formats/kymo-iterations/read';
import { measure, type MeasureResult } from '../../src/workflows/measure';
import { refine } from '../../src/workflows/refine';

const built = existsSync(path.resolve('dist/wrapper.js'));
let base: string;
beforeAll(() => {
  if (!built) process.stderr.write('skipped: run "npm run build" first\n');
  base = mkdtempSync(path.join(tmpdir(), 'kymo phases ü '));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const iterations = 60;
/** Iteration i relaxes 1 + i/10 times, and writes a checkpoint each 25 iterations. */
const body = `
double relax(double *a, int n) { double s = 0; for (int i = 1; i < n - 1; ++i) { a[i] = 0.5 * (a[i-1] + a[i+1]); s += a[i]; } return s; }
double checkpoint(double *a, int n) { double s = 0; for (int k = 0; k < 20; ++k) for (int i = 0; i < n; ++i) s += a[i] * k; return s; }`;
const head =
  '#include <stdio.h>\n#include <stdlib.h>\n#define NOINLINE __attribute__((noinline))\nNOINLINE double unused(double x) { return x + 1; }\n';
const functions = body.replaceAll(/^double/gm, 'NOINLINE double');
const loop = (inside: string): string =>
  `int main(void) { int n = 2000; double *a = calloc(n, sizeof *a), s = 0; a[0] = 1; for (int i = 0; i < ${iterations}; ++i) { ${inside} } printf("%g\\n", s); return 0; }\n`;
const pass =
  'for (int k = 0; k < 1 + i / 10; ++k) s += relax(a, n); if (i % 25 == 24) s += checkpoint(a, n);';

const sources: Readonly<
  Record<string, { readonly file: string; readonly text: string; readonly phase?: string }>
> = {
  function: {
    file: 'program.c',
    text: `${head}${functions}\nNOINLINE double step(double *a, int n, int i) { double s = 0; ${pass} return s; }\n${loop('s += step(a, n, i);')}`,
    phase: 'step',
  },
  macros: {
    file: 'program.c',
    text: `#include <kymo.h>\n${head}${functions}\n${loop(`KYMO_PHASE_BEGIN("step"); ${pass} KYMO_PHASE_END("step");`)}`,
  },
  'macros in C++': {
    file: 'program.cpp',
    text: `#include <kymo.h>\n${head}${functions}\n${loop(`KYMO_PHASE_BEGIN("step"); ${pass} KYMO_PHASE_END("step");`).replace('calloc', '(double *)calloc')}`,
  },
  'the user macros of Score-P': {
    file: 'program.c',
    text: `#include <scorep/SCOREP_User.h>\n${head}${functions}\n${loop(`SCOREP_USER_REGION_DEFINE(h) SCOREP_USER_REGION_BEGIN(h, "step", SCOREP_USER_REGION_TYPE_DYNAMIC) ${pass} SCOREP_USER_REGION_END(h)`)}`,
  },
  Fortran: {
    file: 'program.f90',
    text: `module work
contains
  subroutine relax(a)
    real(8), intent(inout) :: a(:)
    integer :: i
    do i = 2, size(a) - 1
      a(i) = 0.5d0 * (a(i-1) + a(i+1))
    end do
  end subroutine
  subroutine checkpoint(a, s)
    real(8), intent(in) :: a(:)
    real(8), intent(inout) :: s
    s = s + sum(a)
  end subroutine
end module
program main
  use work
  real(8) :: a(2000) = 0, s = 0
  integer :: i, k
  a(1) = 1
  do i = 0, ${iterations - 1}
    call kymo_phase_begin('step')
    do k = 1, 1 + i / 10
      call relax(a)
    end do
    if (mod(i, 25) == 24) call checkpoint(a, s)
    call kymo_phase_end('step')
  end do
  print *, a(5), s
end program
`,
  },
  'Score-P’s user macros in Fortran': {
    file: 'program.F90',
    text: '',
  },
};

function workspaceOf(name: string, more: Readonly<Record<string, unknown>> = {}): string {
  const source = sources[name];
  if (source === undefined) throw new Error(name);
  const fortran = sources.Fortran?.text ?? '';
  const text =
    source.text !== ''
      ? source.text
      : `#include "scorep/SCOREP_User.inc"\n${fortran}`
          .replace('  integer :: i, k\n', '  integer :: i, k\n  SCOREP_USER_REGION_DEFINE(handle)\n')
          .replace(
            "call kymo_phase_begin('step')",
            'SCOREP_USER_OA_PHASE_BEGIN(handle, "step", SCOREP_USER_REGION_TYPE_COMMON)',
          )
          .replace("call kymo_phase_end('step')", 'SCOREP_USER_OA_PHASE_END(handle)');
  const workspace = mkdtempSync(path.join(base, 'work space-'));
  writeFileSync(path.join(workspace, source.file), text);
  const compiler = source.file.endsWith('.cpp') ? '${cxx}' : source.file.endsWith('.c') ? '${cc}' : '${fc}';
  const target = {
    name: 'program',
    build: {
      command: `${compiler} -O2 -fno-inline -c ${source.file} -o program.o && ${compiler} program.o -o program`,
      clean: 'rm -f program program.o',
    },
    executable: './program',
    repetitions: 1,
    ...(source.phase === undefined ? {} : { phase: source.phase }),
    ...more,
  };
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
  writeFileSync(
    path.join(workspace, 'all.filter'),
    'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nINCLUDE *main* *MAIN* *relax* *checkpoint*\nSCOREP_REGION_NAMES_END\n',
  );
  return workspace;
}

const signal = new AbortController().signal;
/** A measurement, without the notes that a busy machine and short runs add. */
async function run(workspace: string): Promise<MeasureResult> {
  const result = await measure({ workspace, filter: path.join(workspace, 'all.filter'), signal });
  // One filter is for the programs of all languages.
  const beside = /the machine is busy|too short|matches no function of the program/;
  return { ...result, notes: result.notes.filter((note) => !beside.test(note)) };
}

function iterationsOf(result: MeasureResult): IterationsFile {
  const file = path.join(path.dirname(result.profile), 'iterations.kymo');
  return openIterations(bytesSource(readFileSync(file)), file);
}

/** Visits (or seconds) of each iteration by region. */
function series(file: IterationsFile, what: 'visits' | 'seconds'): Record<string, number[]> {
  const { contexts, regions, iterations: count } = file.directory;
  const found: Record<string, number[]> = {};
  let iteration = 0;
  for (const sample of file.samples()) {
    for (let at = 0; at < sample.count; at++) {
      const region = regions[contexts[sample.contexts[at] ?? 0]?.region ?? -1]?.name ?? '?';
      const values = (found[plain(region)] ??= Array<number>(count).fill(0));
      values[iteration] = (values[iteration] ?? 0) + (sample[what][at] ?? 0);
    }
    iteration++;
  }
  return found;
}

const plain = (name: string): string => /relax|checkpoint|step/.exec(name)?.[0] ?? name;

function totals(profile: Profile, metric: string): Record<string, number> {
  const column = profile.stored.get(metric) ?? new Float64Array(profile.callPaths.count);
  const found: Record<string, number> = {};
  column.forEach((value, path_) => {
    const name = plain(callPathNames(profile, path_).at(-1) ?? '?');
    found[name] = (found[name] ?? 0) + value;
  });
  return found;
}

const sum = (values: readonly number[] = []): number => values.reduce((a, b) => a + b, 0);

describe.skipIf(!built)('a target with a phase', () => {
  it.each(Object.keys(sources))(
    'by %s: series whose sums are the profile’s, in iterations.kymo and as instance=N',
    async (name) => {
      const result = await run(workspaceOf(name));
      expect(result.notes).toEqual([]);
      expect(result.iterations).toMatchObject({ phase: 'step', count: iterations });
      const file = iterationsOf(result);
      expect(file.directory).toMatchObject({ phase: 'step', iterations });
      const visits = series(file, 'visits');
      expect(visits.step).toEqual(Array<number>(iterations).fill(1));
      expect(visits.relax).toEqual(Array.from({ length: iterations }, (_, i) => 1 + Math.floor(i / 10)));
      expect(visits.checkpoint).toEqual(
        Array.from({ length: iterations }, (_, i) => (i % 25 === 24 ? 1 : 0)),
      );
      const grown = readCube(readFileSync(result.profile), result.profile);
      expect(grown.regions.filter((region) => /^instance=\d+$/.test(region.name))).toHaveLength(iterations);
      const folded = foldIterations(grown);
      const seconds = series(file, 'seconds');
      for (const region of ['step', 'relax', 'checkpoint']) {
        expect(sum(visits[region])).toBe(totals(folded, 'visits')[region]);
        // A nanosecond for each value.
        expect(Math.abs(sum(seconds[region]) - (totals(folded, 'time')[region] ?? 0))).toBeLessThan(
          iterations * 1e-9,
        );
      }
    },
  );

  it('records the phase whatever the filter says, and refine keeps it', async () => {
    const workspace = workspaceOf('function');
    const filter = path.join(workspace, 'nothing.filter');
    writeFileSync(filter, 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nSCOREP_REGION_NAMES_END\n');
    const result = await measure({ workspace, filter, signal });
    expect(series(iterationsOf(result), 'visits')).toEqual({ step: Array<number>(iterations).fill(1) });
    const refined = await refine({ workspace, signal, maximumIterations: 1, repetitions: 1 });
    const folder = path.join(refined.directory, 'i0');
    const [found = ''] = execFileSync('find', [folder, '-name', 'iterations.kymo'], {
      encoding: 'utf8',
    }).split('\n');
    expect(openIterations(bytesSource(readFileSync(found)), found).directory.iterations).toBe(iterations);
  });

  it('says why there are no iterations', async () => {
    const missing = await run(workspaceOf('function', { phase: 'stpe' }));
    expect(missing.notes.join(' ')).toMatch(/^There are no iterations: “stpe” is no function of the program/);
    const never = await run(workspaceOf('function', { phase: 'unused' }));
    expect(never.notes.join(' ')).toMatch(/^The phase “unused” never ran/);
    const marked = await run(workspaceOf('macros', { phase: 'stpe' }));
    expect(marked.notes.join(' ')).toMatch(
      /“stpe” is no function .* The iterations are those of “step”, which the source marks/,
    );
  });

  it('by the name that the source gives it, also where kymo.json has it', async () => {
    const result = await run(workspaceOf('macros', { phase: 'step' }));
    expect(result.notes).toEqual([]);
    expect(iterationsOf(result).directory.iterations).toBe(iterations);
  });
});
