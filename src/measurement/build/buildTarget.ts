import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { ProgressSink } from '../../core/progress';
import { substitute } from '../config/substitute';
import { endWords } from '../launch/endWords';
import { launcherProgram } from '../launch/launcherProgram';
import { leftBehind } from '../launch/leftBehind';
import { runProcess, type ProcessResult } from '../launch/process';
import { BuildError } from './buildError';
import { parseDiagnostics, type Diagnostic } from './diagnostics';
import { LineSplitter } from './lineSplitter';
import { requireCompilers } from './requireCompilers';
import { shellWord, wrapperFolder } from './wrapperFolder';
import { removeLeftovers, scratchFolder } from '../files/leftovers';
import { cacheFolder } from '../compilers/settings';

/** Commands, folders and compilers of a build. */
export interface BuildOptions {
  /** The user's own command (`kymo.json`), with `${cc}`, `${cxx}` and `${fc}`; run by the shell. */
  readonly command: string;
  /** Creates the build files before `command`; its trial programs are compiled without instrumentation. */
  readonly configure?: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  /**
   * `vanilla`: with the plain compilers; `collecting`: with the plain compilers, and the call graph is collected;
   * `instrumenting`: with `instrumenter` before the plain compilers.
   */
  readonly kind: 'measuring' | 'vanilla' | 'collecting' | 'instrumenting';
  /** Words before each command of the compiler, such as `scorep` with its options. */
  readonly instrumenter?: readonly string[];
  /** Additional options of the instrumenter for commands that link. */
  readonly instrumenterAtLink?: readonly string[];
  /** The plain compilers; default: `KYMO_CC`/`CC` … of the environment, then `cc`, `c++`, `gfortran`. */
  readonly compilers?: Partial<PlainCompilers>;
  /** Folder that holds `wrapper.js`, `grammars` and `runtime` (the tool's `dist`). */
  readonly tool: string;
  /** Folder for the fragments of the call graph; absolute. */
  readonly store: string;
  readonly probes?: boolean;
  readonly minimumStatements?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly progress: ProgressSink;
}

export interface PlainCompilers {
  readonly cc: string;
  readonly cxx: string;
  readonly fc: string;
}

export interface BuildResult {
  readonly seconds: number;
  /** Units that the wrappers compiled, in no order; empty for a vanilla build and when nothing was out of date. */
  readonly units: readonly BuiltUnit[];
  /** Warnings and notes of the compilers in the part of the output that was stored. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A line of the wrappers' log. */
export interface BuiltUnit {
  readonly source: string;
  /** `probes`: with a fragment and probes; `text`: with a fragment only; `entries`: patchable entries only. */
  readonly sites: 'probes' | 'text' | 'entries';
  /** Hash of the fragment. */
  readonly hash?: string;
  /** For units with entries only: the compiler's option that prevents probes. */
  readonly option?: string;
}

/**
 * Runs the build command once. Rejects with `BuildError` (reason `build-failed`, with the compilers' messages) when it does not
 * succeed, with `no-compiler`, and with `cancelled` after an abort, within a second and with nothing left running.
 */
export async function buildTarget(options: BuildOptions): Promise<BuildResult> {
  // Builds that were killed left temporary files.
  removeLeftovers(tmpdir(), false);
  removeLeftovers(cacheFolder(process.env), true);
  const scratch = await scratchFolder('build');
  try {
    const log = path.join(scratch, 'units');
    const environment = await buildEnvironment(options, log);
    // With SCOREP_WRAPPER=off, Score-P's own wrappers and Kymo's instrumenting one are plain compilers.
    const configured =
      options.configure === undefined
        ? undefined
        : await runStep(options, options.configure, { ...environment, SCOREP_WRAPPER: 'off' });
    const built = await runStep(options, options.command, environment);
    return {
      seconds: (configured?.seconds ?? 0) + built.seconds,
      units: await readLog(log),
      diagnostics: built.diagnostics,
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Runs one of the user's commands and logs its output immediately. */
async function runStep(
  { cwd, progress, signal }: BuildOptions,
  text: string,
  environment: BuildEnvironment,
): Promise<{ readonly seconds: number; readonly diagnostics: readonly Diagnostic[] }> {
  const command = substitute(text, {
    cc: shellWord(environment.CC),
    cxx: shellWord(environment.CXX),
    fc: shellWord(environment.FC),
  });
  progress.log(`$ ${command}`);
  const out = new LineSplitter((line) => progress.log(line));
  const errors = new LineSplitter((line) => progress.log(line));
  const launcher = await launcherProgram();
  const result = await runProcess(
    { shell: command },
    {
      cwd,
      env: environment,
      signal,
      launcher,
      onStdout: (piece) => out.add(piece),
      onStderr: (piece) => errors.add(piece),
    },
  );
  out.end();
  errors.end();
  const message = leftBehind('The build', result);
  if (message !== undefined) progress.log(message);
  const diagnostics = parseDiagnostics(withFolders(result), cwd);
  requireSuccess(command, cwd, result, diagnostics);
  return { seconds: result.seconds, diagnostics };
}

/** The output for the parsers: compilers print messages to standard error, make prints its folders to standard output. */
function withFolders(result: ProcessResult): string {
  const folders = new Set(result.stdout.match(/^\S*make(?:\[\d+\])?: Entering directory .*$/gm) ?? []);
  // With several folders, two streams do not show which one a message belongs to.
  const folder = folders.size === 1 ? [...folders].join('\n') : '';
  return `${folder}\n${result.stderr}\n${result.stdout}`;
}

type BuildEnvironment = Record<string, string | undefined> & { CC: string; CXX: string; FC: string };

async function buildEnvironment(options: BuildOptions, log: string): Promise<BuildEnvironment> {
  const users: NodeJS.ProcessEnv = { ...process.env, ...options.environment };
  const base = { ...users, ...includePaths(users, path.join(options.tool, 'runtime', 'include')) };
  const plain = {
    cc: options.compilers?.cc ?? plainCompiler([base.KYMO_CC, base.CC], 'cc'),
    cxx: options.compilers?.cxx ?? plainCompiler([base.KYMO_CXX, base.CXX], 'c++'),
    fc: options.compilers?.fc ?? plainCompiler([base.KYMO_FC, base.FC], 'gfortran'),
  };
  await requireCompilers(`${options.configure ?? ''} ${options.command}`, plain, base.PATH);
  const all = (cc: string, cxx: string, fc: string) => ({ CC: cc, CXX: cxx, FC: fc, F77: fc, F90: fc });
  if (options.kind === 'vanilla')
    return { ...base, ...all(plain.cc, plain.cxx, plain.fc), KYMO_WRAPPER: 'off' };
  const folder = await wrapperFolder(path.join(options.tool, 'runtime', 'wrappers'));
  return {
    ...base,
    ...all(path.join(folder, 'kymo-cc'), path.join(folder, 'kymo-cxx'), path.join(folder, 'kymo-fc')),
    KYMO_CC: plain.cc,
    KYMO_CXX: plain.cxx,
    KYMO_FC: plain.fc,
    // A cached object comes without its part of the call graph, which the wrapper writes only when it compiles.
    CCACHE_DISABLE: '1',
    KYMO_NODE: process.execPath,
    ...purpose(options),
    KYMO_STORE: options.store,
    KYMO_BUILD_LOG: log,
    KYMO_PROBES: options.probes === false ? 'off' : 'on',
    ...(options.minimumStatements === undefined
      ? {}
      : { KYMO_MINIMUM_STATEMENTS: String(options.minimumStatements) }),
  };
}

/** Include folders that compilers search after those of the command, so that the plain compilers also find `kymo.h`. */
function includePaths(users: NodeJS.ProcessEnv, folder: string): Readonly<Record<string, string>> {
  const extended = (before: string | undefined): string =>
    before === undefined || before === '' ? folder : `${before}:${folder}`;
  return {
    C_INCLUDE_PATH: extended(users.C_INCLUDE_PATH),
    CPLUS_INCLUDE_PATH: extended(users.CPLUS_INCLUDE_PATH),
  };
}

/** Variables that give the wrappers their purpose (runtime/wrappers/launch.sh). */
function purpose({
  kind,
  instrumenter = [],
  instrumenterAtLink = [],
}: BuildOptions): Readonly<Record<string, string>> {
  switch (kind) {
    case 'measuring':
    case 'vanilla':
      return { KYMO_PURPOSE: 'measure' };
    case 'collecting':
      return { KYMO_PURPOSE: 'collect' };
    case 'instrumenting': {
      // Newlines separate the words in the variables.
      const broken = [...instrumenter, ...instrumenterAtLink].find((word) => word.includes('\n'));
      if (broken !== undefined)
        throw new KymoError(
          'config-invalid',
          `An option of the instrumenter cannot contain a line break: ${JSON.stringify(broken)}.`,
        );
      return {
        KYMO_PURPOSE: 'instrument',
        KYMO_INSTRUMENTER: instrumenter.join('\n'),
        KYMO_INSTRUMENTER_LINK: instrumenterAtLink.join('\n'),
      };
    }
  }
}

/** The first usable candidate: a wrapper in the environment must not wrap itself. */
function plainCompiler(candidates: readonly (string | undefined)[], otherwise: string): string {
  const usable = candidates.find(
    (name) => name !== undefined && name !== '' && !/^kymo-(cc|cxx|fc)$/.test(path.basename(name)),
  );
  return usable ?? otherwise;
}

function requireSuccess(
  command: string,
  cwd: string,
  { end, stdout, stderr }: ProcessResult,
  diagnostics: readonly Diagnostic[],
): void {
  if (end.kind === 'exit' && end.status === 0) return;
  if (end.kind === 'aborted') throw new KymoError('cancelled', 'The build was cancelled.');
  const hasStarted = end.kind !== 'failed-to-start';
  const output = hasStarted ? stderr || stdout : '';
  throw new BuildError(command, cwd, endWords(end), hasStarted ? diagnostics : [], output);
}

async function readLog(file: string): Promise<BuiltUnit[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BuiltUnit);
}
