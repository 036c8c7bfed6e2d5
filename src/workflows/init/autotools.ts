import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Asking } from './asking/asking';
import { compilerAssignments, mpiAssignments } from './sources/compilers';
import { buildFolder, type Answer, type TargetDraft } from './asking/draft';
import { doubts, dryRun, languagesIn, programsIn, withoutMissingTools } from './make/make';
import type { Language } from './sources/survey';

const prepareSeconds = 180;
const configureSeconds = 300;

export interface AutotoolsBuild {
  readonly languages: readonly Language[];
  /** Languages whose compiler is MPI's own command. */
  readonly mpi: readonly Language[];
  readonly configureOptions: readonly string[];
  readonly makeOptions: readonly string[];
  readonly hasConfigure: boolean;
}

/** Configures outside of the tree, as the build will, and queries the resulting makefiles. */
export async function askAutotools(asking: Asking, jobs: number): Promise<Answer> {
  const hasConfigure = await exists(path.join(asking.folder, 'configure'));
  const steps: readonly (readonly [number, ...string[]])[] = [
    ...(hasConfigure ? [] : [[prepareSeconds, 'autoreconf', '-i'] as const]),
    [configureSeconds, 'sh', '-c', `mkdir -p ${buildFolder} && cd ${buildFolder} && exec ../configure`],
  ];
  for (const [seconds, ...argv] of steps) {
    const { problem } = await asking.run(argv, seconds);
    if (problem !== undefined)
      return { kind: 'unknown', why: `The package could not be configured: ${problem}` };
  }
  const plain = await dryRun(asking, buildFolder, ['-p']);
  // The order of commands and data bases of sub-makes is undefined.
  const made = await dryRun(asking, buildFolder, []);
  const { programs, notes } = programsIn(asking, made, plain);
  if (programs.length === 0 || made.isBroken)
    return {
      kind: 'unknown',
      why: `The configured package ${made.isBroken ? 'cannot be built' : 'links no program'}${made.problem === undefined ? '' : `: ${made.problem}`}`,
    };
  const { all, mpi } = languagesIn(made);
  const build = autotoolsBuild(jobs, {
    languages: all,
    mpi,
    // Libtool would create a script in place of the program.
    configureOptions: (await exists(path.join(asking.folder, buildFolder, 'libtool')))
      ? ['--disable-shared']
      : [],
    makeOptions: await withoutMissingTools(made),
    hasConfigure,
  });
  return { kind: 'programs', programs, notes: [...notes, ...doubts(made)], build: () => build };
}

export function autotoolsBuild(
  jobs: number,
  { languages, mpi, configureOptions, makeOptions, hasConfigure }: AutotoolsBuild,
): TargetDraft['build'] {
  const plain = languages.filter((language) => !mpi.includes(language));
  // Handwritten scripts take the compilers from the environment only.
  const assignments = [compilerAssignments(plain), mpiAssignments(mpi)]
    .filter((text) => text !== '')
    .join(' ');
  const prepare = hasConfigure ? '' : '(test -x configure || autoreconf -i) && ';
  const configure = [assignments, '../configure', ...configureOptions].join(' ').trim();
  const make = [mpiAssignments(mpi), 'make', `-j${String(jobs)}`, ...makeOptions].join(' ').trim();
  return {
    command: `${prepare}mkdir -p ${buildFolder} && cd ${buildFolder} && (test -f Makefile || ${configure}) && ${make}`,
    clean: `rm -rf ${buildFolder}`,
  };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
