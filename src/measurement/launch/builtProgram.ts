import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compilerKey } from '../compilers/identityCache';
import { programKey, readManifest, type Manifest } from '../compilers/manifest';
import { cacheFolder } from '../compilers/settings';
import { hashOfParts } from '../compilers/unitHash';
import { buildOnce } from '../files/buildOnce';
import { toolFolder } from '../files/toolFolder';
import { runProcess, succeeded } from './process';

/** A compiler as the words before its options. */
export type CompilerWords = readonly [string, ...string[]];

export interface ProgramBuild {
  /** Its sources in the manifest. */
  readonly part: 'launcher' | 'mpi' | 'openmp' | 'pthread' | 'io' | 'perf';
  /** Name of the program or library. */
  readonly file: string;
  readonly compiler: CompilerWords;
  readonly environment?: NodeJS.ProcessEnv;
  /** Further sources by their names: `.c` is compiled too, `.h` included before each file. */
  readonly generated?: Readonly<Record<string, string>>;
  /** Folder of `manifest.json`; default: the installed one. */
  readonly sources?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A compiler that takes longer is not used. */
const compileSeconds = 180;

/**
 * A program or library of `runtime/`, built once per compiler in the tool's cache.
 * @returns its absolute path
 * @throws Error with the compiler's first error
 */
export async function builtProgram(build: ProgramBuild): Promise<string> {
  const { part, file, compiler, environment = process.env, generated = {} } = build;
  const sources = build.sources ?? path.join(toolFolder(), 'runtime');
  const parts = readManifest(sources)[part] satisfies Manifest['launcher'];
  const key = hashOfParts([
    programKey(compilerKey(compiler, environment), parts, sources),
    ...Object.entries(generated).flat(),
  ]);
  const folder = path.join(cacheFolder(process.env), part, key);
  const compile = async (target: string): Promise<void> => {
    const names = Object.keys(generated);
    for (const name of names) await writeFile(path.join(target, name), generated[name] ?? '');
    const written = (ending: string): readonly string[] =>
      names.filter((name) => name.endsWith(ending)).map((name) => path.join(target, name));
    const argv = [
      ...[...compiler, ...parts.cflags, `-I${path.join(sources, part)}`],
      ...written('.h').flatMap((header) => ['-include', header]),
      ...['-o', path.join(target, file)],
      ...[...parts.files.map((name) => path.join(sources, name)), ...written('.c')],
    ] as const;
    const result = await runProcess(
      { argv: [...argv] as [string, ...string[]] },
      { env: { ...environment, KYMO_WRAPPER: 'off' }, timeoutSeconds: compileSeconds, signal: build.signal },
    );
    if (!succeeded(result))
      throw new Error(result.stderr.split('\n').find((line) => line.includes('error')) ?? 'it failed');
  };
  if (!existsSync(folder)) await buildOnce(folder, compile);
  return path.join(folder, file);
}

/** C compilers of the user; the one of the builds comes first. */
export function cCompilers({ KYMO_CC, CC }: NodeJS.ProcessEnv): readonly CompilerWords[] {
  const named = [KYMO_CC, CC, 'cc', 'gcc', 'clang'].map((text) => (text ?? '').trim().split(/\s+/));
  return named.flatMap(([program = '', ...more]) =>
    program === '' || path.basename(program).startsWith('kymo-') ? [] : [[program, ...more] as const],
  );
}
