import { linkedLibraries } from '../launch/linkedLibraries';
import { builtLayer, cLibraryLayer } from './builtLayer';
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
    return builtLayer('openmp', missing, environment, signal);
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
  return cLibraryLayer('pthread', 'Waiting in Pthreads is not recorded', executable, environment, signal);
}
