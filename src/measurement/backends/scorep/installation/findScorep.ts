import path from 'node:path';
import { KymoError } from '../../../../core/errors';
import { findProgram, isExecutableFile } from '../../../launch/findProgram';
import { endWords } from '../../../launch/endWords';
import { runProcess, succeeded, type ProcessResult } from '../../../launch/process';
import { readConfigSummary, type ScorepFeatures } from './configSummary';
import { instrumenterOptions, type InstrumenterOptions } from './instrumenterOptions';
import { present } from '../../../../core/present';

/** The only instrumenter that belongs to the machine: any other one is a program that a `kymo.json` names. */
export const usualInstrumenter = 'scorep';

/** An installed Score-P. */
export interface ScorepInstallation {
  /** Absolute path of the instrumenter, `scorep`. */
  readonly path: string;
  /** Such as `8.4`. */
  readonly version: string;
  readonly prefix?: string;
  readonly features: ScorepFeatures;
  /** Options that this instrumenter accepts. */
  readonly options: InstrumenterOptions;
  /** Absolute paths of its other programs. */
  readonly tools: { readonly config?: string; readonly info?: string; readonly score?: string };
  /** Sentences about what keeps it from measuring functions, with the next step. */
  readonly problems: readonly string[];
}

export interface FindScorepOptions {
  /** A name of `PATH`, or a path; default `scorep`. */
  readonly instrumenter?: string;
  /** Default: the one of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the installed Score-P for its version and features; undefined when there is none.
 * @throws KymoError `scorep-broken` when there is one that does not start, `cancelled`
 */
export async function findScorep(options: FindScorepOptions = {}): Promise<ScorepInstallation | undefined> {
  const environment = options.environment ?? process.env;
  const program = await locate(options.instrumenter ?? usualInstrumenter, environment.PATH);
  if (program === undefined) return undefined;
  const ask = (tool: string | undefined, ...rest: string[]): Promise<string> =>
    tool === undefined ? Promise.resolve('') : answer([tool, ...rest], environment, options);
  const answerText = await ask(program, '--version');
  const version = /(\d+\.\d+[\w.-]*)/.exec(answerText)?.[1];
  if (version === undefined)
    throw new KymoError(
      'scorep-broken',
      `${program} does not print the version of a Score-P (it printed “${answerText.trim().slice(0, 200)}”). Load the module of a Score-P, or name its instrumenter in "scorep": {"instrumenter": "…"} of kymo.json.`,
      { file: program },
    );
  const tools = await siblings(path.dirname(program));
  const [help, summary, prefix] = await Promise.all([
    ask(program, '--help'),
    ask(tools.info, 'config-summary').catch(() => ''),
    ask(tools.config, '--prefix').catch(() => ''),
  ]);
  const features = readConfigSummary(summary);
  return {
    path: program,
    version,
    ...(prefix.trim() === '' ? {} : { prefix: prefix.trim() }),
    features,
    options: instrumenterOptions(help),
    tools,
    problems: problemsOf(program, version, features, tools),
  };
}

/** Whether an instrumenter may also be asked in untrusted workspaces. */
export function isOfMachine(instrumenter: string | undefined): boolean {
  return instrumenter === undefined || instrumenter === usualInstrumenter;
}

async function locate(name: string, searchPath: string | undefined): Promise<string | undefined> {
  if (!name.includes('/')) return findProgram(name, searchPath);
  const file = path.resolve(name);
  return (await isExecutableFile(file)) ? file : undefined;
}

async function siblings(folder: string): Promise<ScorepInstallation['tools']> {
  const [config, info, score] = await Promise.all(
    ['scorep-config', 'scorep-info', 'scorep-score'].map((name) => findProgram(name, folder)),
  );
  return {
    ...present({ config, info, score }),
  };
}

async function answer(
  argv: readonly [string, ...string[]],
  environment: Readonly<Record<string, string | undefined>>,
  { instrumenter, signal }: FindScorepOptions,
): Promise<string> {
  const result = await runProcess(
    { argv },
    {
      timeoutSeconds: 30,
      env: { ...environment, LC_ALL: 'C' },
      asksMachine: isOfMachine(instrumenter),
      signal,
    },
  );
  if (result.end.kind === 'aborted') throw new KymoError('cancelled', 'Cancelled while asking Score-P.');
  if (succeeded(result)) return result.stdout;
  throw new KymoError(
    'scorep-broken',
    `${argv.join(' ')} ${wayToEnd(result)}, so this Score-P cannot be used. A library that it needs may be missing: load the modules that it was built with (compiler, MPI), or another Score-P.`,
    { file: argv[0] },
  );
}

function wayToEnd({ end, stderr, stdout }: ProcessResult): string {
  const lastLine = (stderr.trim() || stdout.trim()).split('\n').at(-1)?.slice(0, 300) ?? '';
  const words = lastLine === '' ? '' : ` and printed “${lastLine}”`;
  if (end.kind === 'timeout') return `did not answer within ${end.seconds} s`;
  return `${endWords(end)}${end.kind === 'exit' || end.kind === 'signal' ? words : ''}`;
}

function problemsOf(
  program: string,
  version: string,
  { known, compilerInstrumentation, gccPlugin, llvmPlugin }: ScorepFeatures,
  tools: ScorepInstallation['tools'],
): readonly string[] {
  const problems: string[] = [];
  if (tools.config === undefined)
    problems.push(
      `${program} has no scorep-config beside it, so nothing can be linked with it: the installation is not complete.`,
    );
  if (known && (!compilerInstrumentation || (!gccPlugin && !llvmPlugin)))
    problems.push(
      `${program} (Score-P ${version}) was built without a compiler plug-in, so functions cannot be instrumented by filter. Install the plug-in headers of the compiler (gcc-NN-plugin-dev, or the llvm and clang development packages) and build Score-P again, or load another one.`,
    );
  return problems;
}
