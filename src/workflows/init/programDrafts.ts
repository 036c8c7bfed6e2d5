import path from 'node:path';
import { at } from '../../core/at';
import type { ProposedLauncher } from '../../measurement/config/config';
import { allowedProcessors } from '../../measurement/launch/processors';
import { targetNameOf, type Answer, type Drafts, type Program, type TargetDraft } from './asking/draft';
import { meantProgram } from './meantProgram';
import type { Survey } from './sources/survey';

/** Decisions of the user that replace guesses. */
export interface Choices {
  /** The program, relative to the workspace. */
  readonly executable?: string;
  readonly launcher?: ProposedLauncher;
  /** How the program is run; then `executable` must be one that the build makes. */
  readonly typed?: RunDraft;
}

/** A run as it was typed. */
export type RunDraft = Required<Pick<TargetDraft, 'arguments' | 'runFolder'>> & Pick<TargetDraft, 'launcher'>;

/** Maximum number of targets: a configuration with hundreds of programs (tests, examples) is unreadable. */
const mostTargets = 8;
const mostNames = 20;

/** Targets for the programs of a build system, those to measure first; each guess has a note. */
export function draftsOf(
  { programs, notes, build }: Extract<Answer, { kind: 'programs' }>,
  sources: Survey,
  choices: Choices,
): Drafts {
  const unique = [...new Map(programs.map((program) => [program.file, program])).values()];
  const sorted = [0, 1, 2].flatMap((rank) => unique.filter((program) => rankOf(program) === rank));
  const { executable } = choices;
  const { offered, note } =
    executable === undefined
      ? firstPrograms(sorted)
      : { offered: [programNamed(sorted, executable, choices)], note: [] };
  const drafts = offered.map((program) => draft(program, build(program), sources, choices));
  return {
    targets: drafts.map(({ target }) => target),
    notes: [...notes, ...note, ...new Set(drafts.flatMap((made) => made.notes))],
  };
}

/** Tests and examples are targets only if there is nothing else, or by their name. */
function firstPrograms(sorted: readonly Program[]): {
  readonly offered: readonly Program[];
  readonly note: readonly string[];
} {
  const others = sorted.filter((program) => rankOf(program) < 2);
  const offered = (others.length === 0 ? sorted : others).slice(0, mostTargets);
  if (sorted.length < 2) return { offered, note: [] };
  const names = sorted.slice(0, mostNames).map(({ file }) => file);
  const more = sorted.length > names.length ? ` and ${String(sorted.length - names.length)} more` : '';
  const why = sorted.some(({ purpose }) => purpose === 'installed') ? 'those that it installs first, ' : '';
  const first = offered.length === 1 ? 'The first one' : `The first ${String(offered.length)}`;
  const cut =
    sorted.length > offered.length
      ? ` ${first} became ${offered.length === 1 ? 'the target' : 'targets'}.`
      : '';
  const note = `Programs of the build, ${why}tests and examples last: ${names.join(', ')}${more}.${cut} For one alone: kymo init --force --executable PATH.`;
  return { offered, note: [note] };
}

/** Whether the build makes the program that the user runs. */
export function makesMeant(programs: readonly Program[], { typed, executable }: Choices): boolean {
  const files = programs.map(({ file }) => file);
  return typed === undefined || executable === undefined || meantProgram(files, executable) !== undefined;
}

/** The program with the given name, whether the build names it or not. */
function programNamed(programs: readonly Program[], wanted: string, { typed }: Choices): Program {
  const meant = meantProgram(
    programs.map(({ file }) => file),
    wanted,
  );
  if (typed !== undefined && meant !== undefined) return at(programs, meant);
  const program = namedProgram(wanted);
  const { file } = program;
  return (
    programs.find((other) => other.file === file) ?? programs.find(({ name }) => name === file) ?? program
  );
}

/** A program of which only the path is known. */
export function namedProgram(wanted: string): Program {
  const file = path.posix.normalize(wanted);
  return { name: path.basename(file), file, folder: '', commands: '' };
}

const aside = /^(unit_?)?(tests?|testing|test_?suite|examples?|samples?|demos?|bench(marks?)?|fuzz(ing)?)$/i;
const asideName = /^(test|example|demo|bench|fuzz)|(tests?|example|demo|bench|fuzz)$/i;

/** 0 for installed programs, 2 for tests and examples, which are rarely measured. */
function rankOf({ name, folder, purpose }: Program): number {
  if (purpose !== undefined) return purpose === 'installed' ? 0 : 2;
  return folder.split('/').some((part) => aside.test(part)) || asideName.test(name) ? 2 : 1;
}

interface MadeDraft {
  readonly target: TargetDraft;
  readonly notes: readonly string[];
}

function draft(program: Program, build: TargetDraft['build'], sources: Survey, choices: Choices): MadeDraft {
  const { launcher, note } = launcherOf(program.commands, sources, choices);
  return {
    target: {
      name: targetNameOf(program.name),
      build,
      executable: program.file.includes('/') ? program.file : `./${program.file}`,
      ...choices.typed,
      ...launcher,
    },
    notes: note === undefined ? [] : [note],
  };
}

/** In the commands of a build, or in the file that describes it. */
const mpiCommand =
  /\bmpi(cc|cxx|c\+\+|CC|g\+\+|gcc|icc|icpc|icx|icpx|f77|f90|fort|ifort|ifx)(?![\w+])|\blibmpi|-lmpi|openmpi|mpich|\bfind_package\s*\(\s*MPI\b|\bdependency\s*\(\s*['"]mpi['"]/;

/** Whether commands that build a program, or the file of its build system, use MPI. */
export function buildsWithMpi(text: string): boolean {
  return mpiCommand.test(text);
}

/** Most programs accept four: a power of two, and a square number for those that divide a plane. */
const mostRanks = 4;

/**
 * The number of ranks of a first configuration: two at least, so that something is sent, and no more than processors. Ranks with threads of
 * OpenMP share the processors.
 */
export function proposedRanks(processors: number, { usesOpenMp }: Pick<Survey, 'usesOpenMp'>): number {
  return !usesOpenMp && processors >= mostRanks ? mostRanks : 2;
}

/**
 * The launcher of a program, with the reason. Commands are more reliable than sources: MPI may be switched off, or be in sources that are not
 * compiled.
 * @param commands that build the program; empty if unknown
 */
export function launcherOf(
  commands: string,
  sources: Survey,
  { launcher, typed }: Choices,
): { readonly launcher: Pick<TargetDraft, 'launcher'>; readonly note?: string } {
  const { usesMpi } = sources;
  const direct = {};
  const count = proposedRanks(allowedProcessors().length, sources);
  const withRanks = (kind: Exclude<ProposedLauncher, 'local'>): Pick<TargetDraft, 'launcher'> => ({
    launcher: { kind, ranks: [count] },
  });
  if (typed !== undefined)
    return typedLauncher(typed, buildsWithMpi(commands) || (usesMpi && commands === ''));
  if (launcher === 'local') return { launcher: direct };
  if (launcher !== undefined) return { launcher: withRanks(launcher) };
  const otherwise = (kind: string): string => `Otherwise: kymo init --force --launcher ${kind}.`;
  if (usesMpi && /MPI\w*=(0|OFF|NO|FALSE)\b/i.test(commands))
    return {
      launcher: direct,
      note: `Launcher: none, because the build switches MPI off. ${otherwise('mpirun')}`,
    };
  if (buildsWithMpi(commands) || (usesMpi && commands === ''))
    return {
      launcher: withRanks('mpirun'),
      note: `Launcher: mpirun with ${count} ranks, because the ${commands === '' ? 'sources use' : 'build uses'} MPI. Set "ranks" to what you run with: some programs need a certain number. ${otherwise('local')}`,
    };
  if (!usesMpi) return { launcher: direct };
  return {
    launcher: direct,
    note: `Launcher: none, because the build does not use MPI, although sources mention it. ${otherwise('mpirun')}`,
  };
}

/** What was typed is what runs. */
function typedLauncher({ launcher }: RunDraft, withMpi: boolean): ReturnType<typeof launcherOf> {
  if (launcher !== undefined) return { launcher: { launcher } };
  if (!withMpi) return { launcher: {} };
  return {
    launcher: {},
    note: 'Launcher: none, as you wrote it, although the build uses MPI. For several ranks: kymo refine -- mpirun -n 4 ./program.',
  };
}
