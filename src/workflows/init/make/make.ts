import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../../../measurement/launch/findProgram';
import type { Asking } from '../asking/asking';
import { compilerOf, inOrder } from '../sources/compilers';
import type { Answer, Program } from '../asking/draft';
import { buildWord, isPlainPath, oneLine, shellWord, outsideNotes } from '../asking/draft';
import { linkedPrograms } from './linkedPrograms';
import { compilationOf, readMakeOutput, type MakeOutput } from './makeOutput';
import {
  candidateVariables,
  dependentVariables,
  usedAssignments,
  type Assignments,
  type CompilerVariable,
} from './makeVariables';
import type { Language } from '../sources/survey';

const seconds = 60;
/** Number of attempts; each proceeds further than the previous one. */
const mostRounds = 6;
/** Generated files. */
const product = /\.(o|lo|a|la|so)(\.\d+)*$/;

/** Runs `make -n`, which prints the commands of a build. It runs in a copy, because make still rebuilds its own makefiles and runs `$(shell …)`. */
export async function dryRun(
  asking: Asking,
  cwd: string,
  words: readonly string[],
): Promise<MakeOutput & { readonly problem?: string }> {
  for (let round = 1; ; round++) {
    const { output, problem } = await asking.run(['make', '-n', '-k', '-w', ...words], seconds, cwd);
    const read = readMakeOutput(output, path.join(asking.folder, cwd));
    // A missing product of one sub-make would prevent linking in the next one.
    const parts = read.missing.filter((file) => product.test(file) && isWithin(file, asking.root));
    if (parts.length === 0 || round === mostRounds)
      return { ...read, ...(problem === undefined ? {} : { problem }) };
    for (const file of parts) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, '', { flag: 'a' });
    }
  }
}

function isWithin(file: string, folder: string): boolean {
  return file.startsWith(folder + path.sep);
}

/** @param wanted a program that the user names; it becomes the goal if the usual goals do not make it */
export async function askMake(asking: Asking, jobs: number, wanted?: string): Promise<Answer> {
  const program = wanted === undefined ? undefined : path.posix.normalize(wanted);
  const first = await askForGoals(asking, jobs, [], program);
  const isEnough = ({ answer }: Asked): boolean =>
    answer.kind === 'programs' &&
    (program === undefined || answer.programs.some(({ file }) => file === program));
  if (isEnough(first)) return first.answer;
  for (const goal of ['all', ...(program === undefined ? [] : [program])]) {
    const asked = first.targets.has(goal) ? await askForGoals(asking, jobs, [goal], program) : first;
    if (isEnough(asked)) return asked.answer;
  }
  return first.answer;
}

interface Asked {
  readonly answer: Answer;
  readonly targets: ReadonlySet<string>;
}

async function askForGoals(
  asking: Asking,
  jobs: number,
  goals: readonly string[],
  wanted: string | undefined,
): Promise<Asked> {
  const plain = await dryRun(asking, '', ['-p', ...goals]);
  const candidates = candidateVariables(plain.variables);
  for (const { marker, command } of candidates) await asking.addProgram(marker, await installed(command));
  const values = candidates.map(({ name, marker, options }) => `${name}=${[marker, ...options].join(' ')}`);
  const first = await dryRun(asking, '', ['-p', ...values, ...goals]);
  const {
    marked,
    options: byName,
    doubt,
  } = await withOptionsByName(asking, { plain, first, candidates }, [...values, ...goals]);
  const { programs, notes, outside } = programsIn(asking, marked, plain, wanted);
  if (programs.length === 0 || marked.isBroken) {
    const found =
      outside.length === 0
        ? 'links no program by default'
        : `links programs outside of this folder (${outside.slice(0, 3).map(oneLine).join(', ')})`;
    const problem = plain.problem === undefined ? '' : `: ${plain.problem}`;
    return {
      answer: {
        kind: 'unknown',
        why: `The Makefile ${marked.isBroken ? 'cannot be used' : found}${problem}`,
      },
      targets: plain.targets,
    };
  }
  const assignments = await usedAssignments(candidates, marked);
  const options = [`-j${String(jobs)}`, ...(await withoutMissingTools(marked))];
  const command = makeCommand(assignments, [...options, ...byName.map(buildWord)], goals);
  const clean = plain.targets.has('clean') ? { clean: 'make clean' } : {};
  return {
    answer: {
      kind: 'programs',
      programs,
      notes: [...notes, ...assignments.notes, ...doubt, ...doubts(marked)],
      build: () => ({ command, ...clean }),
    },
    targets: plain.targets,
  };
}

interface ByName {
  readonly marked: MakeOutput & { readonly problem?: string };
  /** Assignments for make. */
  readonly options: readonly string[];
  readonly doubt: readonly string[];
}

/**
 * A Makefile may choose options by the name of its compiler (`ifneq (,$(findstring gcc,$(CC)))`), so that another name would build another
 * program. Then the variables that follow from the name become assignments of their own.
 */
async function withOptionsByName(
  asking: Asking,
  runs: { plain: MakeOutput; first: ByName['marked']; candidates: readonly CompilerVariable[] },
  words: readonly string[],
): Promise<ByName> {
  const { plain, first, candidates } = runs;
  const wanted = compilationsIn(plain, candidates);
  if (compilationsIn(first, candidates) === wanted) return { marked: first, options: [], doubt: [] };
  const options = dependentVariables(plain, first, candidates);
  const marked = options.length === 0 ? first : await dryRun(asking, '', ['-p', ...options, ...words]);
  if (options.length > 0 && compilationsIn(marked, candidates) === wanted)
    return { marked, options, doubt: [] };
  const doubt =
    'The Makefile chooses options by the name of its compiler: compare the output of the build with that of your own.';
  return { marked: first, options: [], doubt: options.length === 0 ? [] : [doubt] };
}

/** The commands that compile and link, with the compilers as the makefile names them. */
function compilationsIn({ commands }: MakeOutput, candidates: readonly CompilerVariable[]): string {
  const lines = commands.flatMap(({ words }) => {
    const { compiler, arguments: own } = compilationOf(words) ?? {};
    if (compiler === undefined || own === undefined) return [];
    return [[candidates.find(({ marker }) => marker === compiler)?.command ?? compiler, ...own].join(' ')];
  });
  return lines.sort().join('\n');
}

function makeCommand(
  { environment, variables }: Assignments,
  options: readonly string[],
  goals: readonly string[],
): string {
  return [environment, 'make', ...options, variables, ...goals.map(buildWord)]
    .filter((text) => text !== '')
    .join(' ');
}

/** `$(shell …)` must get an answer even if the compiler is missing. */
async function installed(command: string): Promise<string> {
  if ((await findProgram(command)) !== undefined || command.includes('/')) return shellWord(command);
  return { C: 'cc', 'C++': 'c++', Fortran: 'gfortran' }[compilerOf(command)?.language ?? 'C'];
}

/** A note on other failures of make; a build with failures may still make the program. */
export function doubts({ problem }: { readonly problem?: string }): readonly string[] {
  return problem === undefined ? [] : [`The build may fail, for ${problem}`];
}

/**
 * The programs of a dry run that can stand in kymo.json.
 * @param plain a dry run with the compilers by their names
 * @param wanted a program that the user names, which may be outside of the folder
 */
export function programsIn(
  asking: Asking,
  { commands }: MakeOutput,
  plain: MakeOutput,
  wanted?: string,
): {
  readonly programs: readonly Program[];
  /** Paths of those that are left out. */
  readonly outside: readonly string[];
  readonly notes: readonly string[];
} {
  const compiled = plain.commands.flatMap(({ words }) =>
    compilationOf(words) === undefined ? [] : [words.join(' ')],
  );
  const text = compiled.join('\n');
  const all = linkedPrograms(commands).map(({ file, isHelper }): Program => {
    const relative = asking.relative(file);
    const folder = path.dirname(relative);
    return {
      name: path.basename(relative),
      file: relative,
      folder,
      commands: text,
      ...(isHelper || plain.makeSources.has(path.basename(relative)) ? { purpose: 'helper' as const } : {}),
    };
  });
  const programs = all.filter(({ file }) => isPlainPath(file) || file === wanted);
  const outside = all.filter((program) => !programs.includes(program)).map(({ file }) => file);
  return { programs, outside, notes: outsideNotes(outside.length) };
}

/** Languages of the compilers in commands. */
export function languagesIn({ commands }: MakeOutput): {
  readonly all: readonly Language[];
  readonly mpi: readonly Language[];
} {
  const compilers = commands.flatMap(({ words }) => compilerOf(compilationOf(words)?.compiler ?? '') ?? []);
  return {
    all: inOrder(compilers.map(({ language }) => language)),
    mpi: inOrder(compilers.flatMap(({ language, mpi }) => (mpi ? [language] : []))),
  };
}

/** Assignments that skip documentation whose tool is missing, so that it does not fail the build. */
export async function withoutMissingTools({ commands }: MakeOutput): Promise<readonly string[]> {
  const makesManual = commands.some(({ words }) => words.some((word) => /(^|\/)makeinfo$/.test(word)));
  return makesManual && (await findProgram('makeinfo')) === undefined ? ['MAKEINFO=true'] : [];
}
