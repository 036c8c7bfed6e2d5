import { existsSync } from 'node:fs';
import path from 'node:path';
import { toolFolder } from '../files/toolFolder';
import { buildOnce } from '../files/buildOnce';
import { compilerKey } from '../compilers/identityCache';
import { programKey, readManifest, type ProgramParts } from '../compilers/manifest';
import { cacheFolder } from '../compilers/settings';
import { runProcess, succeeded } from './process';

/** A compiler that takes longer is not used. */
const compileSeconds = 60;

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
      const program = await built(compiler, sources ?? path.join(toolFolder(), 'runtime'));
      if (await runsHere(program)) return program;
    } catch {
      // Another compiler may succeed; without any, programs run without the launcher.
    }
  }
  return undefined;
}

/** C compilers of the user as the words before their options; the one of the builds comes first. */
export function cCompilers({ KYMO_CC, CC }: NodeJS.ProcessEnv): readonly (readonly [string, ...string[]])[] {
  const named = [KYMO_CC, CC, 'cc', 'gcc', 'clang'].map((text) => (text ?? '').trim().split(/\s+/));
  return named.flatMap(([program = '', ...more]) =>
    program === '' || path.basename(program).startsWith('kymo-') ? [] : [[program, ...more] as const],
  );
}

async function built(compiler: readonly [string, ...string[]], sources: string): Promise<string> {
  const parts = readManifest(sources).launcher;
  const key = programKey(compilerKey(compiler, process.env), parts, sources);
  const folder = path.join(cacheFolder(process.env), 'launcher', key);
  if (!existsSync(folder))
    await buildOnce(folder, (target) => compile(compiler, parts, sources, path.join(target, 'launcher')));
  return path.join(folder, 'launcher');
}

async function compile(
  compiler: readonly [string, ...string[]],
  parts: ProgramParts,
  sources: string,
  program: string,
): Promise<void> {
  const files = parts.files.map((file) => path.join(sources, file));
  const result = await runProcess(
    { argv: [...compiler, ...parts.cflags, '-o', program, ...files] },
    { env: { ...process.env, KYMO_WRAPPER: 'off' }, timeoutSeconds: compileSeconds },
  );
  if (!succeeded(result)) throw new Error('the launcher cannot be built');
}

/** Programs of a cross compiler do not run here, and the system may forbid the launcher's system calls. */
async function runsHere(launcher: string): Promise<boolean> {
  const result = await runProcess({ argv: ['/bin/sh', '-c', ':'] }, { launcher });
  return succeeded(result) && result.cpuSeconds !== undefined;
}
