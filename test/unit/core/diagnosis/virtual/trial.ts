import type { SearchTrial } from '../../../../../src/core/diagnosis/comparison/compareSearches';
import { published } from './hypotheses';
import type { VirtualSpec } from './program';
import { VirtualRun, type VirtualOptions } from './virtualRun';

/** As published: of all hypotheses about time (specification 7.5). */
export const startedDeep = published.filter(({ holds }) => holds === 'above').map(({ id }) => id);

/**
 * Five centralised searches with the published hypotheses, until they are complete (specification 8.4). They differ in the delays of instrumentation, the noise of
 * samples and the stacks that are seen.
 */
export function trialOf(
  label: string,
  spec: VirtualSpec,
  options: Pick<VirtualOptions, 'hypotheses' | 'deepStart' | 'deepStartHypotheses'> = {},
): SearchTrial {
  const runs = [1, 2, 3, 4, 5].map((seed) => {
    const run = new VirtualRun({
      spec,
      strategy: 'centralised',
      hypotheses: published,
      deepStartHypotheses: startedDeep,
      seed,
      noise: 0.02,
      samplingInterval: 1,
      longest: 3000,
      ...options,
    });
    const { record } = run.run() ? run.frontEnd : {};
    if (record === undefined) throw new Error(`${label}, run ${seed}: not complete after ${run.time} s`);
    return record;
  });
  return { label, runs };
}
