import path from 'node:path';
import { offLimitPercent } from '../../../core/knowledge/offCost';
import { comparePairs } from '../../../core/cost/pairedRatios';
import { costBase, decisionClock, secondsBy, type RunTime } from '../../../core/cost/runTime';
import type { VanillaComparison } from '../../studies/refine.types';
import { RunBench } from './runBench';
import type { RunContext } from './runContext';

/** Numbers of pairs of runs after which the comparison is evaluated: the smallest that can decide, and a second one. */
const decidingPairs = [6, 15] as const;

/** The useful numbers of pairs within a time budget (seconds of wall time). @param doubtful according to the estimate, the sites may cost too much */
export function pairsWithin(budgetSeconds: number, runSeconds: number, doubtful: boolean): readonly number[] {
  const wanted = doubtful ? decidingPairs : decidingPairs.slice(0, 1);
  return wanted.filter((pairs) => 2 * pairs * runSeconds <= budgetSeconds);
}

/**
 * Runs the vanilla executable and the one with sites in turns, without recording, until the pairs decide. The experiments are in
 * `<study>/vanilla`. @param looks numbers of pairs after which to evaluate, ascending
 */
export async function compareVanilla(
  context: RunContext,
  vanillaExecutable: string,
  looks: readonly number[],
): Promise<VanillaComparison> {
  const bench = new RunBench({ ...context, directory: path.join(context.directory, 'vanilla') });
  const vanilla: RunTime[] = [];
  const sites: RunTime[] = [];
  const most = looks.at(-1) ?? 0;
  for (let repetition = 1; repetition <= most; repetition++) {
    context.signal.throwIfAborted();
    context.progress.report({ message: `Comparing with the vanilla build, run ${repetition} of ${most}` });
    const [plain, idle] = (await bench.vanillaBeside(repetition, vanillaExecutable)) ?? [
      await bench.vanilla(repetition, vanillaExecutable),
      await bench.idle(repetition),
    ];
    vanilla.push(plain);
    sites.push(idle);
    if (looks.includes(repetition) && isDecided(compared(vanilla, sites))) break;
  }
  return compared(vanilla, sites);
}

function compared(vanilla: readonly RunTime[], sites: readonly RunTime[]): VanillaComparison {
  const clock = decisionClock([...vanilla, ...sites]);
  const seconds = (runs: readonly RunTime[]): readonly number[] => runs.map((run) => secondsBy(clock, run));
  const { percent, ...bounds } = comparePairs(seconds(vanilla), seconds(sites));
  return {
    vanillaSeconds: costBase(vanilla, clock).seconds,
    sitesSeconds: costBase(sites, clock).seconds,
    clock,
    pairs: vanilla.length,
    sitesPercent: percent,
    ...bounds,
  };
}

function isDecided(comparison: VanillaComparison): boolean {
  return costsTooMuch(comparison) || (comparison.mostPercent ?? Infinity) <= offLimitPercent;
}

/** Whether the sites certainly cost more than the limit, beyond noise. */
export function costsTooMuch({ leastPercent }: Pick<VanillaComparison, 'leastPercent'>): boolean {
  return leastPercent !== undefined && leastPercent > offLimitPercent;
}
