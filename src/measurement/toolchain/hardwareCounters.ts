import { rm } from 'node:fs/promises';
import path from 'node:path';
import { knownParanoid, refusalWords } from '../../core/profile/hardwareCounters';
import { readManifest } from '../compilers/manifest';
import { scratchFolder } from '../files/leftovers';
import { toolFolder } from '../files/toolFolder';
import { runProcess, succeeded, type ProcessOptions } from '../launch/process';

/** Whether programs can read the processor's counters on this machine (`"counters": true` in `kymo.json`), or a sentence why not. */
export type HardwareCounters =
  | { readonly readable: true }
  | { readonly readable: false; readonly reason: string };

/**
 * Opens them as the runtime does, in a program that the compiler makes (runtime/perf).
 * @param compiler C compiler of the machine
 * @returns undefined when that cannot be tried, as on other systems than Linux
 */
export async function hardwareCounters(
  compiler: string,
  options: Pick<ProcessOptions, 'env' | 'signal'>,
): Promise<HardwareCounters | undefined> {
  const sources = path.join(toolFolder(), 'runtime');
  const { cflags, files } = readManifest(sources).perf;
  const scratch = await scratchFolder('counters');
  const run = async (...argv: readonly [string, ...string[]]): Promise<string | undefined> => {
    const result = await runProcess(
      { argv },
      { ...options, cwd: scratch, timeoutSeconds: 60, asksMachine: true },
    );
    return succeeded(result) ? result.stdout : undefined;
  };
  try {
    const program = path.join(scratch, 'perf');
    const built = files.map((file) => path.join(sources, file));
    if ((await run(compiler, ...cflags, '-o', program, ...built)) === undefined) return undefined;
    const [, error, paranoid] = /^(\d+) (-?\d+)$/.exec((await run(program))?.trim() ?? '') ?? [];
    if (error === undefined) return undefined;
    if (error === '0') return { readable: true };
    return {
      readable: false,
      reason: refusalWords({ error: Number(error), paranoid: knownParanoid(Number(paranoid)) }),
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
