import { basename } from 'node:path';
import type { Command } from 'commander';
import { distrustWorkspace } from '../../measurement/launch/trust';
import { doctor, type DoctorResult } from '../../workflows/doctor';
import type { RegisterCommand } from '../execution/context';

export const registerDoctor: RegisterCommand = (program: Command, run) => {
  program
    .command('doctor')
    .description(
      'prints the compilers and tools of this machine, and missing ones; exits with status 1 when something that measuring needs is missing',
    )
    .option('--trust', 'also start the Score-P that kymo.json names, to read its features')
    .action(({ trust }: { readonly trust?: boolean }) =>
      run(async ({ workspace, signal }) => {
        // Users run doctor on a clone before they trust its programs.
        if (trust !== true) distrustWorkspace();
        const result = await doctor(workspace, signal);
        signal.throwIfAborted();
        return { result, text: doctorText(result), ...(result.blocking.length === 0 ? {} : { status: 1 }) };
      }),
    );
};

const languageNames = { c: 'C', 'c++': 'C++', fortran: 'Fortran' } as const;

/** A list with ✓ for usable tools and ✗ for unusable ones. */
export function doctorText({
  compilers,
  counters,
  mpi,
  scorep,
  slurm,
  problems,
  notes,
}: DoctorResult): string {
  const lines: string[] = [];
  for (const { path, language, family, version, patchable } of compilers) {
    const what = `${languageNames[language].padEnd(8)} ${`${family} ${version}`.padEnd(16)} ${path}`;
    lines.push(patchable ? `✓ ${what}` : `✗ ${what} (cannot be measured with)`);
  }
  lines.push(
    openmpLine(compilers),
    mpi === undefined
      ? '– MPI      not found (needed only for MPI programs)'
      : `✓ MPI      ${[mpi.version, mpi.launcher].filter((text) => text !== undefined && text !== '').join(', ')}`,
    scorep === undefined
      ? '– Score-P  not found (not needed: Kymo measures by itself)'
      : `✓ Score-P  ${scorep.version}, ${scorep.path}${scorepFeatures(scorep.features)}`,
    slurm === undefined
      ? '– Slurm    not found (needed only on clusters)'
      : `✓ Slurm    ${[slurm.version, slurm.srun].filter((part) => part !== '').join(', ')}`,
    ...countersLines(counters),
  );
  lines.push('', ...problems.map((problem) => `✗ ${problem}`), ...notes.map((note) => `– ${note}`));
  if (problems.length === 0 && notes.length === 0) lines.push('Everything that measuring needs is here.');
  return lines.join('\n');
}

function countersLines(counters: DoctorResult['counters']): readonly string[] {
  if (counters === undefined) return [];
  return [
    counters.readable
      ? '✓ Counters instructions and cache misses of the processor'
      : `– Counters not needed unless kymo.json has "counters": true. ${counters.reason}`,
  ];
}

/** Which libraries, by compilers. */
function openmpLine(compilers: DoctorResult['compilers']): string {
  const libraries = [
    ['gnu', "GNU's library: all constructs but static loops"],
    ['llvm', "LLVM's library: all constructs"],
  ] as const;
  const recorded = libraries.flatMap(([openmp, what]) => {
    const names = compilers
      .filter((compiler) => compiler.openmp === openmp)
      .map(({ path }) => basename(path));
    return names.length === 0 ? [] : [`${what} (${names.join(', ')})`];
  });
  return recorded.length === 0
    ? '– OpenMP   no compiler has it (needed only for OpenMP programs)'
    : `✓ OpenMP   ${recorded.join('; ')}`;
}

type ScorepFeatures = (DoctorResult['scorep'] & object)['features'];

/** `(gcc 12.2.0 plug-in, openmpi, OPARI2; without PAPI)` */
function scorepFeatures(features: ScorepFeatures): string {
  if (!features.known) return '';
  const { gccPlugin, gccVersion, llvmPlugin, mpi, opari2, ompt, papi, cuda, hip } = features;
  const has = [
    ...(gccPlugin ? [`gcc ${gccVersion ?? ''} plug-in`.replace('  ', ' ')] : []),
    ...(llvmPlugin ? ['LLVM plug-in'] : []),
    ...(mpi === undefined ? [] : [mpi]),
    ...(opari2 ? ['OPARI2'] : []),
    ...(ompt ? ['OMPT'] : []),
    ...(papi ? ['PAPI'] : []),
    ...(cuda ? ['CUDA'] : []),
    ...(hip ? ['HIP'] : []),
  ];
  const without = [...(mpi === undefined ? ['MPI'] : []), ...(papi ? [] : ['PAPI'])];
  return ` (${has.join(', ')}${without.length === 0 ? '' : `; without ${without.join(' and ')}`})`;
}
