import path from 'node:path';
import { costBase, decisionClock, type RunTime } from '../../core/selection/runTime';
import type { VanillaComparison } from '../refine.types';
import { overheadBy } from './digest';
import { RunBench, type RunContext } from './runBench';

/** What sites may cost while nothing is recorded (bar of the runtime's specification), percent. */
export const sitesLimitPercent = 3;

/**
 * Runs the vanilla executable and the one with sites in turns, nothing recorded, and compares the medians of their CPU times. The experiments lie
 * in `<study>/vanilla`.
 */
export async function compareVanilla(
  context: RunContext,
  vanillaExecutable: string,
  repetitions: number,
): Promise<VanillaComparison> {
  const bench = new RunBench({ ...context, directory: path.join(context.directory, 'vanilla') });
  const vanilla: RunTime[] = [];
  const sites: RunTime[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    context.signal.throwIfAborted();
    context.progress.report({
      message: `Comparing with the vanilla build, run ${repetition} of ${repetitions}`,
    });
    vanilla.push(await bench.vanilla(repetition, vanillaExecutable));
    sites.push(await bench.baseline(repetition));
  }
  const clock = decisionClock([...vanilla, ...sites]);
  const { percent, noisePercent } = overheadBy(clock, sites, vanilla);
  return {
    vanillaSeconds: costBase(vanilla, clock).seconds,
    sitesSeconds: costBase(sites, clock).seconds,
    clock,
    sitesPercent: percent,
    ...(noisePercent === undefined ? {} : { noisePercent }),
  };
}

/** True when the sites surely cost something, and more than they may. */
export function costsTooMuch({ sitesPercent, noisePercent }: VanillaComparison): boolean {
  return sitesPercent > sitesLimitPercent && noisePercent !== undefined && sitesPercent > noisePercent;
}
