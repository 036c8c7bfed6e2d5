import { existsSync } from 'node:fs';
import { builtProgram, cCompilers } from './builtProgram';
import { runProcess, succeeded } from './process';

let cached: Promise<string | undefined> | undefined;

/**
 * The program `runtime/launcher`, built once by a C compiler of the user in the tool's cache. Undefined where there is no compiler, or
 * where the program does not run.
 */
export async function launcherProgram(): Promise<string | undefined> {
  cached ??= findLauncher();
  const program = await cached;
  if (program === undefined || existsSync(program)) return program;
  // Another process emptied the cache.
  cached = findLauncher();
  return cached;
}

/** @param sources the folder of `manifest.json`; default: the installed one */
export async function findLauncher(sources?: string): Promise<string | undefined> {
  for (const compiler of cCompilers(process.env)) {
    try {
      const program = await builtProgram({ part: 'launcher', file: 'launcher', compiler, sources });
      if (await runsHere(program)) return program;
    } catch {
      // Another compiler may succeed; without any, programs run without the launcher.
    }
  }
  return undefined;
}

/** Programs of a cross compiler do not run here, and the system may forbid the launcher's system calls. */
async function runsHere(launcher: string): Promise<boolean> {
  const result = await runProcess({ argv: ['/bin/sh', '-c', ':'] }, { launcher });
  return succeeded(result) && result.cpuSeconds !== undefined;
}
