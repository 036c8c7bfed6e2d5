import { at } from '../at';
import type { Efficiency } from '../efficiency/efficiency';
import { efficiencies } from '../efficiency/efficiencies';
import { formatPercent } from '../format';
import type { Base } from '../functions/base';
import { present } from '../present';
import { placeOf, type RegionPlace } from '../profile/place';
import type { Property } from '../properties/property';
import { problem } from './context/problem';
import type { PropertyContext } from './context/propertyContext';

/**
 * Parallel efficiency of the run, and of its phase, where it is low; the severity is the share of the run time (of the phase) that is lost: 1 − efficiency.
 * Imbalances and communication name the functions and ranks that it is lost in.
 */
export function findParallelEfficiency(context: PropertyContext): readonly Property[] {
  const found = efficiencies(context);
  if ('missing' in found) return [];
  const { run, phase, base } = found;
  const whole = lowEfficiency(context, run, base);
  if (phase === undefined) return whole;
  const { region, efficiency } = phase;
  const place = placeOf(at(context.profile.regions, region));
  const part = lowEfficiency(context, efficiency, { ...base, seconds: efficiency.runSeconds }, place);
  return [...whole, ...part];
}

function lowEfficiency(
  { thresholds }: PropertyContext,
  efficiency: Efficiency,
  base: Base,
  phase?: RegionPlace,
): readonly Property[] {
  const { parallel, loadBalance, communication, serialisation, transfer, mpi, threads } = efficiency;
  const { processes, locations, runSeconds } = efficiency;
  const sums = { time: (1 - parallel) * runSeconds };
  const settings = { reportThreshold: 1 - thresholds.parallelEfficiency };
  const whose = phase === undefined ? '' : ` of the phase ${phase.name}`;
  return problem({ rule: 'parallel-efficiency', sums, base, settings }, () => ({
    id: `parallel-efficiency:${phase === undefined ? 'run' : 'phase'}`,
    title: `Parallel efficiency${whose} is ${formatPercent(parallel)}: load balance ${formatPercent(loadBalance)} × communication efficiency ${formatPercent(communication)}`,
    ...present({ region: phase }),
    evidence: {
      parallelEfficiency: parallel,
      loadBalance,
      communicationEfficiency: communication,
      ...present({
        serialisationEfficiency: serialisation,
        transferEfficiency: transfer,
        mpiParallelEfficiency: mpi?.parallel,
        threadParallelEfficiency: threads?.parallel,
      }),
      processes,
      locations,
      runSeconds,
      thresholdEfficiency: thresholds.parallelEfficiency,
    },
  }));
}
