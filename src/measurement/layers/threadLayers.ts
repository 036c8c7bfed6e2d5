import { builtProgram, cCompilers } from '../launch/builtProgram';
import { linkedLibraries } from '../launch/linkedLibraries';
import type { Layer } from './layer';

/**
 * The layer for a program of GNU's or LLVM's OpenMP library (also Intel's, which is LLVM's; runtime/openmp).
 * @param executable absolute path of a program that exists
 * @param environment of the run
 */
export async function openmpLayer(
  executable: string,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<Layer> {
  const linked = await linkedLibraries(executable, environment);
  if (linked === undefined) return { kind: 'not-needed' };
  const { libraries, functions } = linked;
  const missing = 'OpenMP constructs are not recorded';
  if (libraries.some((file) => /(^|\/)lib(gomp|i?omp5?)\.so[^/]*$/.test(file)))
    return layerOf('openmp', missing, environment, signal);
  if (!functions.has('GOMP_parallel') && !functions.has('__kmpc_fork_call')) return { kind: 'not-needed' };
  return {
    kind: 'missing',
    note: `${missing}: the OpenMP library is linked statically. Link it as a shared library to see them.`,
  };
}

/**
 * The layer for waiting in Pthreads (runtime/pthread).
 * @param executable absolute path of a program that exists
 * @param environment of the run
 */
export async function pthreadLayer(
  executable: string,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<Layer> {
  const linked = await linkedLibraries(executable, environment);
  const missing = 'Waiting in Pthreads is not recorded';
  if (linked?.libraries.length === 0)
    return { kind: 'missing', note: `${missing}: the program is linked statically.` };
  return layerOf('pthread', missing, environment, signal);
}

/** Built once per C compiler in the tool's cache. */
async function layerOf(
  part: 'openmp' | 'pthread',
  missing: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<Layer> {
  let reason = 'no C compiler was found';
  for (const compiler of cCompilers(environment)) {
    try {
      const library = await builtProgram({ part, file: `libkymo-${part}.so`, compiler, environment, signal });
      return { kind: 'layer', library };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  return { kind: 'missing', note: `${missing}: their layer cannot be built (${reason}).` };
}
