import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toolFolder } from '../files/toolFolder';
import { buildOnce } from '../files/buildOnce';
import { compilerKey } from '../compilers/identityCache';
import { readManifest, type Manifest } from '../compilers/manifest';
import { cacheFolder } from '../compilers/settings';
import { hashOfParts } from '../compilers/unitHash';
import { runProcess } from './process';

/** Without an answer for so long, a compiler is none. */
const compileSeconds = 60;

let known: Promise<string | undefined> | undefined;

/**
 * The program `runtime/launcher`, made once by a C compiler of the user into the tool's cache; undefined where there is no compiler,
 * or where what it makes does not run here.
 */
export async function launcherProgram(): Promise<string | undefined> {
  known ??= findLauncher();
  const program = await known;
  if (program === undefined || existsSync(program)) return program;
  // Somebody emptied the cache.
  known = findLauncher();
  return known;
}

/** `sources`: the folder of `manifest.json`; default: the installed one. */
export async function findLauncher(sources?: string): Promise<string | undefined> {
  for (const compiler of candidates(process.env)) {
    try {
      const program = await built(compiler, sources ?? path.join(toolFolder(), 'runtime'));
      if (await runsHere(program)) return program;
    } catch {
      // The next compiler, or none: programs then run without it.
    }
  }
  return undefined;
}

/** Words before the options; the compiler of the builds comes first. */
function candidates({ KYMO_CC, CC }: NodeJS.ProcessEnv): readonly (readonly [string, ...string[]])[] {
  const named = [KYMO_CC, CC, 'cc', 'gcc', 'clang'].map((text) => (text ?? '').trim().split(/\s+/));
  return named.flatMap(([program = '', ...more]) =>
    program === '' || path.basename(program).startsWith('kymo-') ? [] : [[program, ...more] as const],
  );
}

async function built(compiler: readonly [string, ...string[]], sources: string): Promise<string> {
  const parts = readManifest(sources).launcher;
  const contents = [...parts.files, ...parts.headers].map((file) => readFileSync(path.join(sources, file)));
  const key = hashOfParts([compilerKey(compiler, process.env), JSON.stringify(parts), ...contents]);
  const folder = path.join(cacheFolder(process.env), 'launcher', key);
  if (!existsSync(folder)) {
    await buildOnce(folder, (target) => compile(compiler, parts, sources, path.join(target, 'launcher')));
  }
  return path.join(folder, 'launcher');
}

async function compile(
  compiler: readonly [string, ...string[]],
  parts: Manifest['launcher'],
  sources: string,
  program: string,
): Promise<void> {
  const files = parts.files.map((file) => path.join(sources, file));
  const { end } = await runProcess(
    { argv: [...compiler, ...parts.cflags, '-o', program, ...files] },
    { env: { ...process.env, KYMO_WRAPPER: 'off' }, timeoutSeconds: compileSeconds },
  );
  if (end.kind !== 'exit' || end.status !== 0) throw new Error('the launcher cannot be built');
}

/** A cross compiler's does not; neither does any where the system forbids what it needs. */
async function runsHere(launcher: string): Promise<boolean> {
  const { end, cpuSeconds } = await runProcess({ argv: ['/bin/sh', '-c', ':'] }, { launcher });
  return end.kind === 'exit' && end.status === 0 && cpuSeconds !== undefined;
}
