import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../core/errors';
import {
  findScorep,
  isOfMachine,
  usualInstrumenter,
} from '../measurement/backends/scorep/installation/findScorep';
import { settingsProblems } from '../measurement/backends/scorep/build/settingsProblems';
import type { Target } from '../measurement/config/config';
import { loadConfig } from '../measurement/config/loadConfig';
import { findProgram } from '../measurement/launch/findProgram';
import { runProcess } from '../measurement/launch/process';
import { workspaceIsTrusted } from '../measurement/launch/trust';
import { detectToolchain, type Toolchain } from '../measurement/toolchain/detect';
import { toolFolder } from '../measurement/files/toolFolder';
import { scratchFolder } from '../measurement/files/leftovers';

/** What `kymo doctor --json` prints. */
export interface DoctorResult extends Toolchain {
  /** Those of the problems that prevent measuring: the machine's, or those of a target of kymo.json. */
  readonly blocking: readonly string[];
  /** Checks that were skipped, with the reason; these are not problems. */
  readonly notes: readonly string[];
}

/** How to install missing tools, by the system's package manager. */
const install = {
  c: 'apt install gcc; dnf install gcc',
  'c++': 'apt install g++; dnf install gcc-c++',
  fortran: 'apt install gfortran; dnf install gcc-gfortran',
  headers: 'apt install libc6-dev; dnf install glibc-devel',
  make: 'apt install make; dnf install make',
  cmake: 'apt install cmake; dnf install cmake',
  meson: 'apt install meson; dnf install meson',
  autoreconf: 'apt install autoconf automake libtool; dnf install autoconf automake libtool',
  mpi: 'apt install openmpi-bin libopenmpi-dev; dnf install openmpi openmpi-devel, then "module load mpi"',
} as const;

/**
 * Checks this machine for all requirements of measuring, and for those of the workspace's `kymo.json`, if there is one. A Score-P that the
 * file names is started only in a trusted workspace. A problem names a missing tool, its purpose, and how to get it.
 */
export async function doctor(
  workspace: string,
  signal?: AbortSignal,
  detect: typeof detectToolchain = detectToolchain,
): Promise<DoctorResult> {
  const toolchain = await detect(signal === undefined ? {} : { signal });
  const asked = await targetsOf(workspace);
  const blocking = [
    ...installationProblems(),
    ...(await unusableCompilers(toolchain, signal)),
    ...platformProblems(),
    ...asked.problems,
    ...(await Promise.all(asked.targets.map((target) => targetProblems(target, toolchain)))).flat(),
  ];
  const others = [
    ...otherLanguages(toolchain),
    ...toolchain.problems.filter((problem) => !problem.startsWith('No C compiler')),
    ...mpiProblems(toolchain),
    ...asked.targets.flatMap((target) => counterProblems(target, toolchain.counters)),
  ];
  return {
    ...toolchain,
    blocking: [...new Set(blocking)],
    problems: [...new Set([...blocking, ...others])],
    notes: [...new Set(asked.targets.flatMap(unaskedInstrumenter))],
  };
}

function installationProblems(): readonly string[] {
  try {
    toolFolder();
    return [];
  } catch (error) {
    if (error instanceof KymoError) return [error.message];
    throw error;
  }
}

async function unusableCompilers(
  { compilers }: Toolchain,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const c = compilers.find(({ language }) => language === 'c');
  if (c === undefined)
    return [`No C compiler was found, and without one nothing can be measured. Install one: ${install.c}.`];
  const ofC = compilers.filter(({ language }) => language === 'c');
  if (ofC.every(({ patchable }) => !patchable))
    return [
      `None of the C compilers (${ofC.map(({ path: file }) => file).join(', ')}) makes programs that can be measured. Use gcc 8 or clang 10, or newer.`,
    ];
  return (await canLink(c.path, signal))
    ? []
    : [
        `${c.path} cannot build a program: the C library's headers are missing. Install them: ${install.headers}.`,
      ];
}

function otherLanguages({ compilers }: Toolchain): readonly string[] {
  if (!compilers.some(({ language }) => language === 'c')) return [];
  const named = [
    ['c++', 'C++'],
    ['fortran', 'Fortran'],
  ] as const;
  return named
    .filter(([language]) => !compilers.some((compiler) => compiler.language === language))
    .map(
      ([language, name]) =>
        `No ${name} compiler was found; needed only for ${name} programs: ${install[language]}.`,
    );
}

async function canLink(compiler: string, signal: AbortSignal | undefined): Promise<boolean> {
  const folder = await scratchFolder('doctor');
  try {
    const source = path.join(folder, 'trial.c');
    await writeFile(source, '#include <stdio.h>\nint main(void) { return puts("it works") < 0; }\n');
    const { end } = await runProcess(
      { argv: [compiler, '-o', path.join(folder, 'trial'), source] },
      { cwd: folder, timeoutSeconds: 60, asksMachine: true, ...(signal === undefined ? {} : { signal }) },
    );
    return end.kind === 'exit' && end.status === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function platformProblems(): readonly string[] {
  if (process.platform !== 'linux')
    return [
      `Kymo's own runtime measures on Linux; this is ${process.platform}. Connect VS Code to a Linux machine.`,
    ];
  return process.arch === 'x64' || process.arch === 'arm64'
    ? []
    : [
        `Kymo's own runtime measures on x86-64 and aarch64; this is ${process.arch}. Use the back-end "scorep".`,
      ];
}

/** Kymo records MPI calls through a library that the `mpicc` of the program's MPI builds. */
function mpiProblems({ mpi }: Toolchain): readonly string[] {
  if (mpi?.launcher === undefined || mpi.cc !== undefined) return [];
  return [
    `mpicc was not found: MPI programs run, and their MPI calls are not recorded. Install it: ${install.mpi}.`,
  ];
}

async function targetsOf(
  workspace: string,
): Promise<{ readonly targets: readonly Target[]; readonly problems: readonly string[] }> {
  try {
    const { config } = await loadConfig(workspace);
    return { targets: config.targets, problems: [] };
  } catch (error) {
    // Without a configuration, only the machine is checked.
    const isBroken = error instanceof KymoError && error.reason !== 'config-missing';
    return { targets: [], problems: isBroken ? [error.message] : [] };
  }
}

/** A note about a Score-P in kymo.json, which is not started because the file may be part of a clone. */
function unaskedInstrumenter({ name, backend, scorep: { instrumenter } }: Target): readonly string[] {
  if (backend !== 'scorep' || workspaceIsTrusted() || isOfMachine(instrumenter)) return [];
  return [
    `${name} is measured with ${JSON.stringify(instrumenter)}, a program that kymo.json names. Kymo did not start it to query its features: trust the workspace first (on the command line: kymo doctor --trust).`,
  ];
}

async function templateProblems(name: string, [program]: readonly string[]): Promise<readonly string[]> {
  if (program === undefined || program.includes('/') || (await findProgram(program)) !== undefined) return [];
  return [
    `${name} is run by ${program}, which was not found in PATH: work on a login node of the cluster, or correct "command" of "launcher" in kymo.json.`,
  ];
}

async function targetProblems(target: Target, { mpi, scorep, slurm }: Toolchain): Promise<readonly string[]> {
  const { name, build, run, backend } = target;
  const problems: string[] = [];
  if (run.launcher.kind === 'mpirun' && mpi?.launcher === undefined)
    problems.push(`${name} is run by mpirun, which was not found. Install it: ${install.mpi}.`);
  if (run.launcher.kind === 'slurm' && slurm === undefined)
    problems.push(
      `${name} is run by srun, which was not found: work on a login or batch node of the cluster.`,
    );
  if (run.launcher.kind === 'template')
    problems.push(...(await templateProblems(name, run.launcher.command)));
  if (backend === 'scorep' && unaskedInstrumenter(target).length === 0)
    problems.push(...(await scorepProblems(target, scorep)));
  for (const tool of ['make', 'cmake', 'meson', 'autoreconf'] as const) {
    const called = new RegExp(`(^|[\\s;&|(])${tool}(\\s|$)`).test(build.command);
    if (called && (await findProgram(tool)) === undefined)
      problems.push(`${name} is built with ${tool}, which was not found. Install it: ${install[tool]}.`);
  }
  return problems;
}

function counterProblems(target: Target, counters: Toolchain['counters']): readonly string[] {
  if (target.backend === 'scorep' || !target.counters || counters?.readable !== false) return [];
  return [`${target.name} is measured without "counters". ${counters.reason}`];
}

async function scorepProblems(target: Target, usual: Toolchain['scorep']): Promise<readonly string[]> {
  const { instrumenter } = target.scorep;
  const missing = `${target.name} wants the back-end "scorep", and “${instrumenter}” was not found in PATH: load its module, or set "backend" to "auto".`;
  if (instrumenter === usualInstrumenter && usual === undefined) return [missing];
  try {
    const scorep = await findScorep({ instrumenter });
    return scorep === undefined ? [missing] : settingsProblems(target, scorep);
  } catch (error) {
    return [error instanceof KymoError ? error.message : String(error)];
  }
}
