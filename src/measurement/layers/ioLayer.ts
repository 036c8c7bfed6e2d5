import { cLibraryLayer } from './builtLayer';
import type { Layer } from './layer';

/**
 * The layer for reading and writing of files (runtime/io).
 * @param executable absolute path of a program that exists
 * @param environment of the run
 */
export async function ioLayer(
  executable: string,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<Layer> {
  return cLibraryLayer('io', 'Input and output are not recorded', executable, environment, signal);
}
