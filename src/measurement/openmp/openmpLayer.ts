import { existsSync } from 'node:fs';
import path from 'node:path';
import { readDynamicNeeds } from '../../formats/elf/dynamicSection';
import { ElfFile } from '../../formats/elf/elfFile';
import { functionSymbols } from '../../formats/elf/symbolTable';
import { compilerKey } from '../compilers/identityCache';
import { programKey, readManifest } from '../compilers/manifest';
import { cacheFolder } from '../compilers/settings';
import { buildOnce } from '../files/buildOnce';
import { toolFolder } from '../files/toolFolder';
import { cCompilers } from '../launch/launcherProgram';
import { runProcess, succeeded } from '../launch/process';
import { withFileSource } from '../files/fileSource';
import { findLinkedObjects } from '../symbols/linkedObjects';

/** The library that records the OpenMP constructs of a program, or why there is none. */
export type OpenmpLayer =
  | { readonly kind: 'no-openmp' }
  /** Absolute path of a library that the program has to be started with (`LD_PRELOAD`). */
  | { readonly kind: 'layer'; readonly library: string }
  /** A sentence for the user. */
  | { readonly kind: 'missing'; readonly note: string };

const compileSeconds = 180;
const libraryName = 'libkymo-openmp.so';

/**
 * The layer for a program of GNU's or LLVM's OpenMP library (also Intel's, which is LLVM's), built once per C compiler in the tool's cache
 * (runtime/openmp).
 * @param executable absolute path of a program that exists
 * @param environment of the run
 */
export async function openmpLayer(
  executable: string,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<OpenmpLayer> {
  const use = await usesOpenmp(executable, environment.LD_LIBRARY_PATH);
  if (use === 'no') return { kind: 'no-openmp' };
  const missing = 'OpenMP constructs are not recorded';
  if (use === 'static')
    return {
      kind: 'missing',
      note: `${missing}: the OpenMP library is linked statically. Link it as a shared library to see them.`,
    };
  let reason = 'no C compiler was found';
  for (const compiler of cCompilers(environment)) {
    try {
      return { kind: 'layer', library: await built(compiler, signal) };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  return { kind: 'missing', note: `${missing}: their layer cannot be built (${reason}).` };
}

/** Whether the program, or a library of its own, needs an OpenMP library. */
async function usesOpenmp(
  executable: string,
  libraryPath: string | undefined,
): Promise<'no' | 'shared' | 'static'> {
  const objects = await findLinkedObjects(executable, { libraryPath, wanted: () => true });
  const uses = await Promise.all(objects.map((object) => useOf(object)));
  return uses.find((use) => use === 'shared') ?? uses.find((use) => use === 'static') ?? 'no';
}

async function useOf(object: string): Promise<'no' | 'shared' | 'static'> {
  try {
    return await withFileSource(object, (source) => {
      const elf = ElfFile.open(source);
      if (readDynamicNeeds(elf).needed.some((name) => /^lib(gomp|i?omp5?)\.so/.test(name))) return 'shared';
      const defines = functionSymbols(elf).symbols.some(({ name }) =>
        /^(GOMP_parallel|__kmpc_fork_call)$/.test(name),
      );
      return defines ? 'static' : 'no';
    });
  } catch {
    return 'no'; // Whoever starts or reads the file next reports what is wrong with it.
  }
}

async function built(
  compiler: readonly [string, ...string[]],
  signal: AbortSignal | undefined,
): Promise<string> {
  const sources = path.join(toolFolder(), 'runtime');
  const parts = readManifest(sources).openmp;
  const key = programKey(compilerKey(compiler, process.env), parts, sources);
  const folder = path.join(cacheFolder(process.env), 'openmp', key);
  const files = parts.files.map((file) => path.join(sources, file));
  const compile = async (target: string): Promise<void> => {
    const result = await runProcess(
      { argv: [...compiler, ...parts.cflags, '-o', path.join(target, libraryName), ...files] },
      { env: { ...process.env, KYMO_WRAPPER: 'off' }, timeoutSeconds: compileSeconds, signal },
    );
    if (!succeeded(result))
      throw new Error(result.stderr.split('\n').find((line) => line.includes('error')) ?? 'it failed');
  };
  if (!existsSync(folder)) await buildOnce(folder, compile);
  return path.join(folder, libraryName);
}
