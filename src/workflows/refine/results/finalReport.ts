import { targetVerdict, type TargetVerdict } from '../../../core/cost/targetVerdict';
import { present } from '../../../core/present';
import { selectedKeys } from '../../../core/selection/selection';
import type { Target } from '../../../measurement/config/config';
import type { RefineResult } from '../../studies/refine.types';
import type { LoopResult } from '../loop/loop.types';

/** What a refinement reports of its final selection. */
export function finalReport({ final, iterations, ranks }: LoopResult): RefineResult['final'] {
  const { selection, predictedPercent, measured, round } = final;
  const instrumented = selectedKeys(selection).length;
  const iteration = measured ? iterations.length - 1 : round;
  return { instrumented, predictedPercent, ...present({ iteration, ranks }) };
}

/** Whether that selection meets the target for the run; undefined for strategies that limit the overhead of each function. */
export function finalVerdict(
  { predictedPercent, iteration, ranks }: RefineResult['final'],
  rounds: RefineResult['iterations'],
  { strategy, overheadPercent: targetPercent }: Target['refinement'],
): TargetVerdict | undefined {
  if (strategy !== 'hotspot' && strategy !== 'model') return undefined;
  const round = rounds.find(({ index }) => index === iteration);
  const measured = ranks ?? (round === undefined ? [] : [round]);
  return targetVerdict({ targetPercent, predictedPercent, measured, calculated: round?.window === true });
}
