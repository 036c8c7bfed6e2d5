import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { ScorepFeatures } from '../backends/scorep/installation/configSummary';
import { findScorep } from '../backends/scorep/installation/findScorep';
import { findProgram } from '../launch/findProgram';
import { runProcess, succeeded } from '../launch/process';
import { identifyCompiler, type CompilerIdentity } from '../compilers/compilerIdentity';
import { readDynamicNeeds } from '../../formats/elf/dynamicSection';
import { ElfFile } from '../../formats/elf/elfFile';
import { withFileSource } from '../files/fileSource';
import { scratchFolder } from '../files/leftovers';
import { present } from '../../core/present';
import { hardwareCounters, type HardwareCounters } from './hardwareCounters';

/** The output of `kymo doctor` (docs/INTERFACES.md). */
export interface Toolchain {
  readonly compilers: readonly Compiler[];
  readonly mpi?: Mpi;
  readonly scorep?: {
    readonly path: string;
    readonly version: string;
    readonly prefix?: string;
    readonly features: ScorepFeatures;
  };
  /** Absent where they cannot be tried. */
  readonly counters?: HardwareCounters;
  readonly slurm?: { readonly srun: string; readonly version: string };
  /** Sentences about missing software, their consequences, and the next step. */
  readonly problems: readonly string[];
}

export interface Compiler {
  readonly path: string;
  readonly language: 'c' | 'c++' | 'fortran';
  readonly family: 'gcc' | 'clang' | 'other';
  readonly version: string;
  /** Whether functions that it compiles have patchable entries, according to a trial. */
  readonly patchable: boolean;
  /** The library of its OpenMP programs, whose constructs are recorded; absent: it has none, or another one. */
  readonly openmp?: 'gnu' | 'llvm';
}

export interface Mpi {
  readonly cc?: string;
  readonly cxx?: string;
  readonly fc?: string;
  /** The launcher: `mpirun` or `mpiexec`. */
  readonly launcher?: string;
  /** First line of the launcher's `--version`. */
  readonly version: string;
}

export interface DetectOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

const candidates: readonly (readonly [Compiler['language'], readonly string[], readonly string[]])[] = [
  ['c', ['KYMO_CC', 'CC'], ['cc', 'gcc', 'clang', 'clang-19', 'clang-18', 'clang-17', 'clang-16', 'icx']],
  [
    'c++',
    ['KYMO_CXX', 'CXX'],
    ['c++', 'g++', 'clang++', 'clang++-19', 'clang++-18', 'clang++-17', 'clang++-16', 'icpx'],
  ],
  ['fortran', ['KYMO_FC', 'FC', 'F90', 'F77'], ['gfortran', 'flang-new', 'flang', 'ifx']],
];

/** Finds all software that a measurement may use. A compiler with several names is listed once. */
export async function detectToolchain(options: DetectOptions = {}): Promise<Toolchain> {
  const environment = options.environment ?? process.env;
  const scratch = await scratchFolder('doctor');
  try {
    const compilers: Compiler[] = [];
    for (const [language, variables, names] of candidates) {
      const named = variables.map((variable) => environment[variable] ?? '').filter(isPlainName);
      compilers.push(...(await compilersOf(language, [...named, ...names], scratch, options)));
    }
    const c = compilers.find(({ language }) => language === 'c')?.path;
    const { signal } = options;
    const [{ counters, counterProblems }, mpi, { scorep, scorepProblems }, slurm] = await Promise.all([
      detectCounters(c, { env: plainEnvironment(options), signal }),
      detectMpi(options),
      detectScorep(options),
      detectSlurm(options),
    ]);
    return {
      compilers,
      ...present({ counters, mpi, scorep, slurm }),
      problems: [...problemsOf(compilers), ...counterProblems, ...scorepProblems],
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function isPlainName(name: string): boolean {
  return name !== '' && !path.basename(name).startsWith('kymo-');
}

async function locate(name: string, options: DetectOptions): Promise<string | undefined> {
  const searchPath = options.environment === undefined ? process.env.PATH : options.environment.PATH;
  return findProgram(name, name.includes('/') ? path.dirname(name) : searchPath);
}

async function compilersOf(
  language: Compiler['language'],
  names: readonly string[],
  scratch: string,
  options: DetectOptions,
): Promise<Compiler[]> {
  const compilers = new Map<string, Compiler>();
  for (const name of names) {
    const program = await locate(name.includes('/') ? name : path.basename(name), options);
    if (program === undefined || options.signal?.aborted === true) continue;
    const real = await realpath(program).catch(() => program);
    if (compilers.has(real)) continue;
    const compiler = await describeCompiler(program, language, scratch, options);
    if (compiler !== undefined) compilers.set(real, compiler);
  }
  return [...compilers.values()];
}

async function describeCompiler(
  program: string,
  language: Compiler['language'],
  scratch: string,
  options: DetectOptions,
): Promise<Compiler | undefined> {
  const identity =
    language === 'fortran' ? await fortranIdentity(program, options) : await identifyCompiler([program]);
  if (identity === undefined) return undefined;
  const patchable =
    identity.family !== 'other' && (await tryPatchable(program, language, identity, scratch, options));
  const openmp = await openmpOf(program, language, scratch, options);
  const { family, version } = identity;
  return { path: program, language, family, version, patchable, ...present({ openmp }) };
}

async function fortranIdentity(
  program: string,
  options: DetectOptions,
): Promise<CompilerIdentity | undefined> {
  const text = await firstOutput([program, '--version'], options);
  if (text === undefined) return undefined;
  const gnu = /^GNU Fortran.* (\d+(?:\.\d+)+)/m.exec(text);
  const version = gnu?.[1] ?? /(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1] ?? '';
  const family = gnu !== null ? 'gcc' : /flang|clang/i.test(text) ? 'clang' : 'other';
  const machine = process.arch === 'x64' ? 'x86-64' : process.arch === 'arm64' ? 'aarch64' : 'other';
  return { family, version, architecture: machine };
}

const trial: Record<Compiler['language'], { readonly name: string; readonly text: string }> = {
  c: { name: 'trial.c', text: 'int kymo_trial(int n) { return n + 1; }\n' },
  'c++': { name: 'trial.cc', text: 'int kymo_trial(int n) { return n + 1; }\n' },
  fortran: {
    name: 'trial.f90',
    text: 'subroutine kymo_trial(n)\n  integer :: n\n  n = n + 1\nend subroutine\n',
  },
};

/** Whether the compiler records the patchable entry of a function that is compiled with one. */
async function tryPatchable(
  program: string,
  language: Compiler['language'],
  identity: CompilerIdentity,
  scratch: string,
  options: DetectOptions,
): Promise<boolean> {
  const length = identity.architecture === 'aarch64' ? 2 : 5;
  const { name, text } = trial[language];
  const source = path.join(scratch, name);
  const object = path.join(scratch, `${name}.o`);
  await writeFile(source, text);
  await rm(object, { force: true });
  const result = await runProcess(
    { argv: [program, '-O2', `-fpatchable-function-entry=${String(length)}`, '-c', '-o', object, source] },
    {
      cwd: scratch,
      timeoutSeconds: 60,
      env: plainEnvironment(options),
      asksMachine: true,
      signal: options.signal,
    },
  );
  if (!succeeded(result)) return false;
  return (await readFile(object).catch(() => Buffer.alloc(0))).includes('__patchable_function_entries');
}

const openmpTrial: Record<Compiler['language'], { readonly name: string; readonly text: string }> = {
  c: { name: 'openmp.c', text: '#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n' },
  'c++': { name: 'openmp.cc', text: '#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n' },
  fortran: {
    name: 'openmp.f90',
    text: 'program openmp\n  use omp_lib\n  print *, omp_get_max_threads()\nend program\n',
  },
};

async function openmpOf(
  program: string,
  language: Compiler['language'],
  scratch: string,
  options: DetectOptions,
): Promise<Compiler['openmp']> {
  const { name, text } = openmpTrial[language];
  const linked = path.join(scratch, `${name}.out`);
  await writeFile(path.join(scratch, name), text);
  await rm(linked, { force: true });
  const built = await firstOutput([program, '-fopenmp', '-o', linked, path.join(scratch, name)], options);
  if (built === undefined) return undefined;
  const { needed } = await withFileSource(linked, (source) => readDynamicNeeds(ElfFile.open(source)));
  if (needed.some((library) => /^libi?omp5?\.so/.test(library))) return 'llvm';
  return needed.some((library) => library.startsWith('libgomp.so')) ? 'gnu' : undefined;
}

function plainEnvironment(options: DetectOptions): Record<string, string | undefined> {
  return { ...(options.environment ?? process.env), LC_ALL: 'C', KYMO_WRAPPER: 'off' };
}

async function firstOutput(
  argv: readonly [string, ...string[]],
  options: DetectOptions,
): Promise<string | undefined> {
  const result = await runProcess(
    { argv },
    { timeoutSeconds: 30, env: plainEnvironment(options), asksMachine: true, signal: options.signal },
  );
  if (!succeeded(result)) return undefined;
  return result.stdout === '' ? result.stderr : result.stdout;
}

async function detectCounters(
  compiler: string | undefined,
  options: Parameters<typeof hardwareCounters>[1],
): Promise<{ readonly counters?: HardwareCounters; readonly counterProblems: readonly string[] }> {
  if (compiler === undefined) return { counterProblems: [] };
  try {
    return { ...present({ counters: await hardwareCounters(compiler, options) }), counterProblems: [] };
  } catch (error) {
    // An incomplete installation is one more finding about this machine.
    if (!(error instanceof KymoError)) throw error;
    return { counterProblems: [error.message] };
  }
}

async function detectMpi(options: DetectOptions): Promise<Mpi | undefined> {
  const [cc, cxx, fc, launcher] = await Promise.all([
    locate('mpicc', options),
    firstOf(['mpicxx', 'mpic++', 'mpiCC'], options),
    firstOf(['mpifort', 'mpif90', 'mpif77'], options),
    firstOf(['mpirun', 'mpiexec'], options),
  ]);
  if (cc === undefined && cxx === undefined && fc === undefined && launcher === undefined) return undefined;
  const text = launcher === undefined ? undefined : await firstOutput([launcher, '--version'], options);
  return {
    ...present({ cc, cxx, fc, launcher }),
    version: text?.split('\n')[0]?.trim() ?? '',
  };
}

async function firstOf(names: readonly string[], options: DetectOptions): Promise<string | undefined> {
  for (const name of names) {
    const program = await locate(name, options);
    if (program !== undefined) return program;
  }
  return undefined;
}

async function detectScorep({ environment = process.env, signal }: DetectOptions): Promise<{
  readonly scorep?: Toolchain['scorep'] & object;
  readonly scorepProblems: readonly string[];
}> {
  try {
    const installation = await findScorep({ environment, signal });
    if (installation === undefined) return { scorepProblems: [] };
    const { path: file, version, prefix, features, problems } = installation;
    return {
      scorep: { path: file, version, ...present({ prefix }), features },
      scorepProblems: problems,
    };
  } catch (error) {
    // A Score-P that does not start is reported to the user.
    return { scorepProblems: error instanceof KymoError ? [error.message] : [] };
  }
}

async function detectSlurm(options: DetectOptions): Promise<Toolchain['slurm']> {
  const srun = await locate('srun', options);
  if (srun === undefined) return undefined;
  const text = await firstOutput([srun, '--version'], options);
  return { srun, version: /(\d+\.\d+\S*)/.exec(text ?? '')?.[1] ?? '' };
}

function problemsOf(compilers: readonly Compiler[]): string[] {
  const problems: string[] = [];
  if (!compilers.some(({ language }) => language === 'c')) {
    problems.push(
      'No C compiler was found: the measurement library cannot be built. Install gcc or clang (Debian, Ubuntu: apt install gcc g++).',
    );
  }
  for (const { path: file, family, version, patchable } of compilers) {
    if (patchable) continue;
    problems.push(
      `${file} (${family} ${version}) makes no patchable function entries, so programs built with it cannot be measured. Use gcc 8 or clang 10, or newer.`,
    );
  }
  return problems;
}
