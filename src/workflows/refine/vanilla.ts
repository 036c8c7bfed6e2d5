import path from 'node:path';
import { median, overheadOf } from '../../core/selection/overhead';
import type { VanillaComparison } from '../refine.types';
import { RunBench, type RunContext } from './runBench';

/** What sites may cost while nothing is recorded (bar of the runtime's specification), percent. */
export const sitesLimitPercent = 3;

/**
 * Runs the vanilla executable and the one with sites in turns, nothing recorded, and compares the medians. The experiments lie
 * in `<study>/vanilla`.
 */
export async function compareVanilla(
  context: RunContext,
  vanillaExecutable: string,
  repetitions: number,
): Promise<VanillaComparison> {
  const bench = new RunBench({ ...context, directory: path.join(context.directory, 'vanilla') });
  const vanilla: number[] = [];
  const sites: number[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    context.signal.throwIfAborted();
    context.progress.report({
      message: `Comparing with the vanilla build, run ${repetition} of ${repetitions}`,
    });
    vanilla.push(await bench.vanilla(repetition, vanillaExecutable));
    sites.push(await bench.baseline(repetition));
  }
  const { percent, noisePercent } = overheadOf(sites, vanilla);
  return {
    vanillaSeconds: median(vanilla),
    sitesSeconds: median(sites),
    sitesPercent: percent,
    noisePercent,
  };
}

/** True when the sites cost more than they may, and more than the noise. */
export function costsTooMuch({ sitesPercent, noisePercent }: VanillaComparison): boolean {
  return sitesPercent > sitesLimitPercent && sitesPercent > noisePercent;
}
