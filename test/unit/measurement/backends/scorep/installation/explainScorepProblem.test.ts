import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  explainScorepProblem,
  type ScorepProblemReason,
} from '../../../../../../src/measurement/backends/scorep/installation/explainScorepProblem';

const recorded = path.resolve(__dirname, '../../../../../data/scorep/said');
const said = (name: string): string => readFileSync(path.join(recorded, `${name}.txt`), 'utf8');

/** What a real Score-P printed, and what a user has to be told. */
const expected: Readonly<Record<string, readonly [ScorepProblemReason, RegExp]>> = {
  exception: ['scorep-frame-left', /int leaf\(int\) has no exit before that of int main/],
  longjmp: ['scorep-frame-left', /deep has no exit before that of tryit\./],
  depth: ['scorep-callpath-depth', /204 levels, the limit is 100/],
  memory: ['scorep-memory-exceeded', /90 kB per process/],
  'memory-mpi': ['scorep-memory-exceeded', /41 kB per process/],
  'memory-reserve': ['scorep-memory-refused', /2147 MB per process/],
  'filter-syntax': ['scorep-filter-invalid', /Unexpected token 'EXCLUD'/],
  'filter-syntax-compile': ['scorep-filter-invalid', /bad\.filt is not understood/],
  'filter-missing': ['scorep-filter-missing', /none\.filt cannot be read/],
  'filter-missing-compile': ['scorep-filter-missing', /none\.filt cannot be read/],
  'directory-parent': ['scorep-directory', /no\/such\/x8\. The folder that it lies in has to exist/],
  'directory-exists': ['scorep-directory', /x9 is there already/],
  'mpi-as-none': ['scorep-directory', /add "--mpp=mpi"/],
  'perf-unknown': ['scorep-metric-unknown', /“nosuch”/],
  'rusage-unknown': ['scorep-metric-unknown', /“ru_foo”/],
  'variable-value': ['scorep-variable-invalid', /SCOREP_TOTAL_MEMORY cannot be “lots”/],
  'variable-set': ['scorep-variable-invalid', /SCOREP_TIMER cannot be “foo”/],
  'option-unknown': ['scorep-option-unknown', /no option --nosuch/],
  'paradigm-unsupported': ['scorep-unsupported', /without “shmem”/],
  'threads-untracked': ['scorep-threads-untracked', /--thread=omp:opari2/],
  opari: ['scorep-opari', /omp_bad\.c:2 .*--noopenmp/],
  'lto-constructor': ['scorep-lto-constructor', /c1\.cc.*-fno-lto/],
  'not-linked': ['scorep-not-linked', /scorep_plugin_register_region/],
  'user-header': ['scorep-user-disabled', /#ifdef SCOREP_USER_ENABLE/],
  'user-symbols': ['scorep-user-disabled', /"--user"/],
  'static-link': ['scorep-static-link', /linked with -static.*shared ones only/],
  'compiler-other': ['scorep-compiler-mismatch', /built for gcc, and clang-19/],
};

describe('messages of Score-P', () => {
  it.each(Object.entries(expected))('%s', (name, [reason, message]) => {
    const problem = explainScorepProblem(said(name));
    expect(problem?.reason).toBe(reason);
    expect(problem?.message).toMatch(message);
  });

  it('covers every recorded output', () => {
    const names = readdirSync(recorded).map((file) => path.basename(file, '.txt'));
    expect(Object.keys(expected).sort()).toEqual(names.sort());
  });

  it('names the region, the depth and the place for those who act on them', () => {
    expect(explainScorepProblem(said('exception'))?.region).toBe('int leaf(int)');
    expect(explainScorepProblem(said('depth'))?.depth).toBe(204);
    expect(explainScorepProblem(said('opari'))?.where).toEqual({
      file: '/home/user/nbody/omp_bad.c',
      line: 2,
    });
  });

  it('quotes what it does not know, in full sentences and without control characters', () => {
    const problem = explainScorepProblem('[Score-P] a.c:1: Error: the \u001b[31mmoon is down\n');
    expect(problem).toEqual({
      reason: 'scorep-other',
      message:
        'Score-P reports: “the [31mmoon is down”. Its manual and “scorep-info config-vars --full” may explain it.',
    });
  });

  it('is silent where Score-P said nothing', () => {
    expect(explainScorepProblem('Segmentation fault\nError: nothing of Score-P\n')).toBeUndefined();
    expect(explainScorepProblem('')).toBeUndefined();
  });

  it('does not repeat more than a few hundred characters of what a program prints', () => {
    const long = 'x'.repeat(1_000_000);
    const output = `[Score-P] ERROR: Unknown parameter: '${long}'`;
    expect(explainScorepProblem(output)?.message.length).toBeLessThan(600);
  });
});
