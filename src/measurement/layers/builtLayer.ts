import { builtProgram, cCompilers } from '../launch/builtProgram';
import { linkedLibraries } from '../launch/linkedLibraries';
import type { Layer } from './layer';

/**
 * A layer for functions of the C library, which each program has.
 * @param missing what a program lacks without it, as the begin of a sentence
 */
export async function cLibraryLayer(
  part: 'pthread' | 'io',
  missing: string,
  executable: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<Layer> {
  const linked = await linkedLibraries(executable, environment);
  if (linked?.libraries.length === 0)
    return { kind: 'missing', note: `${missing}: the program is linked statically.` };
  return builtLayer(part, missing, environment, signal);
}

/** Built once per C compiler in the tool's cache. */
export async function builtLayer(
  part: 'openmp' | 'pthread' | 'io',
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
