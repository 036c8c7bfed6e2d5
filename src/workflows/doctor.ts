import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../core/errors';
import { findScorep } from '../measurement/backends/scorep/findScorep';
import { settingsProblems } from '../measurement/backends/scorep/settingsProblems';
import type { Config, Target } from '../measurement/config/config';
import { loadConfig } from '../measurement/config/loadConfig';
import { findProgram } from '../measurement/launch/findProgram';
import { runProcess } from '../measurement/launch/process';
import { detectToolchain, type Toolchain } from '../measurement/toolchain/detect';
import { scratchFolder } from '../measurement/leftovers';

/** What `kymo doctor --json` prints. */
export type DoctorResult = Toolchain;

/** Where what is missing comes from, by the system's package tool. */
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
 * Looks for all that measuring needs on this machine, and for what the workspace's `kymo.json`, if there is one, needs beyond.
 * A problem names what is missing, what for, and how to get it.
 */
export async function doctor(
  workspace: string,
  signal?: AbortSignal,
  detect: typeof detectToolchain = detectToolchain,
): Promise<DoctorResult> {
  const toolchain = await detect(signal === undefined ? {} : { signal });
  const problems = [
    ...(await missingCompilers(toolchain, signal)),
    ...toolchain.problems.filter((problem) => !problem.startsWith('No C compiler')),
    ...platformProblems(),
    ...(await workspaceProblems(workspace, toolchain)),
  ];
  return { ...toolchain, problems: [...new Set(problems)] };
}

async function missingCompilers(
  { compilers }: Toolchain,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const c = compilers.find(({ language }) => language === 'c');
  if (c === undefined)
    return [`No C compiler was found, and without one nothing can be measured. Install one: ${install.c}.`];
  const works = await canLink(c.path, signal);
  const problems = works
    ? []
    : [
        `${c.path} cannot build a program: the C library's headers are missing. Install them: ${install.headers}.`,
      ];
  for (const [language, name] of [
    ['c++', 'C++'],
    ['fortran', 'Fortran'],
  ] as const) {
    if (!compilers.some((compiler) => compiler.language === language))
      problems.push(`No ${name} compiler was found; needed only for ${name} programs: ${install[language]}.`);
  }
  return problems;
}

async function canLink(compiler: string, signal: AbortSignal | undefined): Promise<boolean> {
  const folder = await scratchFolder('doctor');
  try {
    const source = path.join(folder, 'trial.c');
    await writeFile(source, '#include <stdio.h>\nint main(void) { return puts("it works") < 0; }\n');
    const { end } = await runProcess(
      { argv: [compiler, '-o', path.join(folder, 'trial'), source] },
      { cwd: folder, timeoutSeconds: 60, ...(signal === undefined ? {} : { signal }) },
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

async function workspaceProblems(workspace: string, toolchain: Toolchain): Promise<readonly string[]> {
  let config: Config;
  try {
    ({ config } = await loadConfig(workspace));
  } catch (error) {
    // Without a configuration the machine alone is asked about.
    return error instanceof KymoError && error.reason !== 'config-missing' ? [error.message] : [];
  }
  const problems = await Promise.all(config.targets.map((target) => targetProblems(target, toolchain)));
  return problems.flat();
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
  if (backend === 'scorep') problems.push(...(await scorepProblems(target, scorep)));
  for (const tool of ['make', 'cmake', 'meson', 'autoreconf'] as const) {
    const called = new RegExp(`(^|[\\s;&|(])${tool}(\\s|$)`).test(build.command);
    if (called && (await findProgram(tool)) === undefined)
      problems.push(`${name} is built with ${tool}, which was not found. Install it: ${install[tool]}.`);
  }
  return problems;
}

async function scorepProblems(target: Target, usual: Toolchain['scorep']): Promise<readonly string[]> {
  const { instrumenter } = target.scorep;
  const missing = `${target.name} wants the back-end "scorep", and “${instrumenter}” was not found in PATH: load its module, or set "backend" to "auto".`;
  if (instrumenter === 'scorep' && usual === undefined) return [missing];
  try {
    const scorep = await findScorep({ instrumenter });
    return scorep === undefined ? [missing] : settingsProblems(target, scorep);
  } catch (error) {
    return [error instanceof KymoError ? error.message : String(error)];
  }
}
