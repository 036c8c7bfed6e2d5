import path from 'node:path';
import { KymoError } from '../../../core/errors';
import type { Strategy } from '../../../core/selection/strategy';
import type { Target } from '../../../measurement/config/config';
import { experimentName } from '../../../measurement/experiments/experimentName';
import { roundDirectory } from '../../../measurement/experiments/studies';
import {
  planStudy,
  runAtPoint,
  targetWithThreads,
  type PointRun,
  type StudyPlan,
  type StudyRequest,
} from '../../study/planStudy';
import { RunBench } from '../bench/runBench';
import type { RunContext } from '../bench/runContext';
import { Together } from '../bench/together';
import { sizeOf, type PointsBench } from './pointRounds';

/**
 * The points that a refinement measures; undefined: the strategy measures one point.
 * @throws KymoError `usage` for settings of points with such a strategy, and as `planStudy`
 */
export function pointsPlan(
  target: Target,
  request: StudyRequest,
  parameters: Readonly<Record<string, string>> = {},
): StudyPlan | undefined {
  const strategy: Strategy = target.refinement.strategy;
  const { values, threads, design, points } = request;
  if (strategy === 'model') {
    const single = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, [value]]));
    return planStudy(target, { ...request, values: { ...single, ...values } });
  }
  if ([values, threads, design, points].every((given) => given === undefined)) return undefined;
  throw new KymoError(
    'usage',
    `Several points are for the strategy “model”, and “${strategy}” measures one: use --strategy model, or "strategy" in "refinement" of kymo.json.`,
  );
}

/** The point with the largest values. */
export function largestPoint(plan: StudyPlan): PointRun {
  const [largest = {}] = [...plan.points].sort((a, b) => sizeOf(b) - sizeOf(a));
  return runAtPoint(plan, largest);
}

/** Runs at all points of a plan, in the folders of the rounds. */
export function pointsBench(context: RunContext, plan: StudyPlan): PointsBench {
  const { target, directory } = context;
  const bench = new RunBench({
    ...context,
    // Two runs at once would double the time of all points.
    together: new Together({ ...target.run, together: false }),
    jobRanks: Math.max(...plan.points.map((point) => runAtPoint(plan, point).ranks)),
  });
  const round = (iteration: number): string => roundDirectory(directory, iteration);
  return {
    plan,
    preparePlan: (iteration, selection) => bench.preparePlan(iteration, selection),
    at: (point, coordinates) =>
      bench.at({
        ...point,
        target: targetWithThreads(target, point),
        folders: {
          round,
          experiment: ({ iteration, variant, repetition }) =>
            path.join(round(iteration), experimentName(variant, coordinates, repetition)),
        },
      }),
  };
}
