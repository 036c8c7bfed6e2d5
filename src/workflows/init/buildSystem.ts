import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { visibleControls } from '../../core/names/visibleControls';
import { findProgram } from '../../measurement/launch/findProgram';
import { Asking, type AskingOptions } from './asking/asking';
import { askAutotools, autotoolsBuild } from './autotools';
import { askCMake, cmakeBuild } from './cmake';
import { compilerAssignments, languagesOf } from './sources/compilers';
import type { Answer, Drafts, Program, TargetDraft } from './asking/draft';
import { isCopyable } from './asking/folders';
import { askMake } from './make/make';
import { askMeson, mesonBuild } from './meson';
import { buildsWithMpi, draftsOf, makesMeant, namedProgram, type Choices } from './programDrafts';
import { singleFileDrafts } from './singleFiles';
import { survey, type Language, type Survey } from './sources/survey';

/** A detected build system and its name. */
export interface FoundBuild extends Drafts {
  readonly system: System['name'] | 'single files';
}

export type FindOptions = AskingOptions & Choices;

/** A build system: its detection, its query, and its use for a program that the user names. */
interface System {
  readonly name: 'CMake' | 'Meson' | 'Autotools' | 'Makefile';
  /** The build system's file in the folder. */
  readonly file: string;
  /** The tool that the query needs. */
  readonly tool: string;
  readonly ask: (asking: Asking) => Promise<Answer>;
  readonly blind: (languages: readonly Language[]) => TargetDraft['build'];
}

const jobs = Math.min(8, availableParallelism());

/**
 * Queries the build systems of `folder` up to the first that builds a program; undefined if there is none and no file has a main program.
 * @throws KymoError `program-unknown` if a build system does not name the program that it builds; `cancelled`
 */
export async function findBuild(folder: string, options: FindOptions = {}): Promise<FoundBuild | undefined> {
  const sources = await survey(folder, options);
  const systems = systemsOf(new Set(await readdir(folder).catch(() => [])), options.executable);
  const reasons: string[] = [];
  for (const [index, system] of systems.entries()) {
    const answer = await ask(folder, system, options);
    if (answer.kind === 'programs' && answer.programs.length > 0 && makesMeant(answer.programs, options)) {
      const others = systems.slice(index + 1).map(({ file }) => file);
      return built(system, reasons, draftsOf(answer, sources, options), others);
    }
    reasons.push(
      answer.kind === 'programs'
        ? answer.programs.length === 0
          ? `${system.name} makes no program here, only libraries or nothing`
          : `${system.name} makes ${few(answer.programs.map(({ file }) => file))}`
        : answer.why,
    );
  }
  const [first] = systems;
  if (first === undefined) return withoutSystem(folder, sources, options);
  if (options.typed !== undefined) throw notMade(folder, reasons, options);
  if (options.executable === undefined) throw unknownProgram(folder, first, reasons);
  const build = first.blind(languagesOf(sources));
  const notes = ['"command" is not checked.'];
  const programs = [await unaskedProgram(folder, first, options.executable)];
  return built(
    first,
    reasons,
    draftsOf({ kind: 'programs', programs, notes, build: () => build }, sources, options),
    [],
  );
}

/** A program that the user names. Without its commands, the build file shows only that it uses MPI, never that it does not. */
async function unaskedProgram(folder: string, { file }: System, executable: string): Promise<Program> {
  const text = await readFile(path.join(folder, file), 'utf8').catch(() => '');
  return { ...namedProgram(executable), commands: buildsWithMpi(text) ? text : '' };
}

function built(
  system: System,
  reasons: readonly string[],
  drafts: Drafts,
  others: readonly string[],
): FoundBuild {
  const notUsed = `Not used: ${others.join(', ')}. If that is what to build with, put its commands into "build".`;
  return {
    system: system.name,
    targets: drafts.targets,
    notes: [
      `Build: ${system.name} (${system.file}).`,
      ...reasons.map((reason) => `${reason.replace(/\.$/, '')}.`),
      ...drafts.notes,
      ...(others.length === 0 ? [] : [notUsed]),
    ],
  };
}

function withoutSystem(folder: string, sources: Survey, options: FindOptions): FoundBuild | undefined {
  const { targets, notes } = singleFileDrafts(sources, options);
  if (targets.length === 0) {
    const mains = sources.sources.filter(({ hasMain }) => hasMain).map(({ path: file }) => file);
    if (mains.length === 0) return undefined;
    throw notMade(folder, [`there is no build system, and main programs are in ${few(mains)}`], options);
  }
  return {
    system: 'single files',
    targets,
    notes: ['Build: no build system; the files with a main program.', ...notes],
  };
}

function unknownProgram(folder: string, system: System, reasons: readonly string[]): KymoError {
  return new KymoError(
    'program-unknown',
    `Which program does the build make? ${folder} has ${system.file}, but: ${reasons.map((reason) => reason.replace(/\.$/, '')).join('; ')}. Fix this, or name the program that the build makes: kymo init --executable PATH, relative to that folder.`,
    { file: path.join(folder, system.file) },
  );
}

/** The program that the user runs is none of the build's. */
function notMade(
  folder: string,
  reasons: readonly string[],
  { executable = '', typed }: FindOptions,
): KymoError {
  const byHand =
    typed === undefined
      ? ''
      : ', or write how the program is built into the file that this makes: kymo init --executable PATH';
  return new KymoError(
    'program-unknown',
    `The build of ${folder} does not make ${visibleControls(executable)}: ${reasons.map((reason) => reason.replace(/\.$/, '')).join('; ')}. Name a program that it makes, or fix the build${byHand}.`,
    { file: path.join(folder, executable) },
  );
}

/** The build systems with files in the folder, the preferred one first. */
function systemsOf(names: ReadonlySet<string>, goal: string | undefined): readonly System[] {
  const first = (...candidates: readonly string[]): string | undefined =>
    candidates.find((name) => names.has(name));
  const systems: System[] = [];
  if (names.has('CMakeLists.txt'))
    systems.push({
      name: 'CMake',
      file: 'CMakeLists.txt',
      tool: 'cmake',
      ask: (asking) => askCMake(asking, jobs),
      blind: (languages) => cmakeBuild(languages, jobs),
    });
  if (names.has('meson.build'))
    systems.push({ name: 'Meson', file: 'meson.build', tool: 'meson', ask: askMeson, blind: mesonBuild });
  const makefile = first('GNUmakefile', 'makefile', 'Makefile');
  const script = first('configure', 'configure.ac', 'configure.in');
  // A package that was configured in its own folder cannot be configured elsewhere.
  const isConfigured = names.has('config.status') && makefile !== undefined;
  if (
    script !== undefined &&
    !isConfigured &&
    first('Makefile.in', 'Makefile.am', 'auto.def') !== undefined
  ) {
    const hasConfigure = names.has('configure');
    const unknown = { mpi: [], configureOptions: [], makeOptions: [], hasConfigure };
    systems.push({
      name: 'Autotools',
      file: script,
      tool: hasConfigure ? 'make' : 'autoreconf',
      ask: (asking) => askAutotools(asking, jobs),
      blind: (languages) => autotoolsBuild(jobs, { ...unknown, languages }),
    });
  }
  if (makefile !== undefined)
    systems.push({
      name: 'Makefile',
      file: makefile,
      tool: 'make',
      ask: (asking) => askMake(asking, jobs, goal),
      blind: (languages) => ({ command: `make -j${String(jobs)} ${compilerAssignments(languages)}`.trim() }),
    });
  return systems;
}

async function ask(
  folder: string,
  { name, file, tool, ask: question }: System,
  options: FindOptions,
): Promise<Answer> {
  if (options.run === false)
    return { kind: 'unknown', why: `${name} was not asked, because no program may be started (--no-run)` };
  if ((await findProgram(tool)) === undefined)
    return { kind: 'unknown', why: `${tool} is not installed, so ${name} could not be asked` };
  const levels = await levelsAbove(path.join(folder, file));
  const answer = await askIn(folder, 0, options, question);
  if (makesPrograms(answer) || levels === 0 || !isCopyable(upwards(folder, levels))) return answer;
  // Files beside the folder may be missing in the copy.
  const wider = await askIn(folder, levels, options, question);
  return makesPrograms(wider) ? wider : answer;
}

function makesPrograms(answer: Answer): boolean {
  return answer.kind === 'programs' && answer.programs.length > 0;
}

async function askIn(
  folder: string,
  levels: number,
  options: FindOptions,
  question: System['ask'],
): Promise<Answer> {
  try {
    return await Asking.in(folder, upwards(folder, levels), options, question);
  } catch (error) {
    if (!(error instanceof KymoError) || error.reason !== 'tree-too-large') throw error;
    return { kind: 'unknown', why: error.message.replace(/\.$/, '') };
  }
}

function upwards(folder: string, levels: number): string {
  return path.resolve(folder, ...Array<string>(levels).fill('..'));
}

/** Number of folder levels above its own that a build file refers to by `..`; a configure script knows its own tree only. */
async function levelsAbove(file: string): Promise<number> {
  if (path.basename(file).startsWith('configure')) return 0;
  const text = await readFile(file, 'latin1').catch(() => '');
  const references = text.slice(0, 1 << 20).matchAll(/(?<![\w.])(?:\.\.\/){0,2}\.\.(?=[/\s"')}]|$)/gm);
  return Math.max(0, ...[...references].map(([reference]) => reference.split('/').length));
}

const mostNamed = 8;

function few(files: readonly string[]): string {
  const names = files.slice(0, mostNamed).map(visibleControls).join(', ');
  return files.length > mostNamed ? `${names} and ${String(files.length - mostNamed)} more` : names;
}
