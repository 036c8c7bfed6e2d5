import path from 'node:path';
import type { ExperimentEntry } from '../../measurement/experiments/studies';
import { readStudy } from './study';

export type CompleteExperiment = Extract<ExperimentEntry, { readonly kind: 'complete' }>;

/** The measured runs of a round, of the last one by default. */
export function measuredRuns(
  entries: readonly ExperimentEntry[],
  iteration?: number,
): readonly CompleteExperiment[] {
  const measured = entries.flatMap((entry) =>
    entry.kind === 'complete' && entry.experiment.variant === 'measured' ? [entry] : [],
  );
  const wanted = iteration ?? Math.max(...measured.map(({ experiment }) => experiment.iteration));
  return measured.filter(({ experiment }) => experiment.iteration === wanted);
}

/**
 * The typical run of a round: the run whose shares the study shows; in studies of older versions, which do not name it, the run with the
 * median wall time.
 * @param runs runs of one round
 */
export async function typicalExperiment(
  runs: readonly CompleteExperiment[],
): Promise<CompleteExperiment | undefined> {
  const ascending = [...runs].sort((a, b) => a.experiment.wallSeconds - b.experiment.wallSeconds);
  const middle = ascending[(ascending.length - 1) >> 1];
  if (middle === undefined) return undefined;
  const study = await readStudy(path.resolve(middle.directory, '../..'));
  const { iteration } = middle.experiment;
  const { typicalRun, typicalFolder } = study?.iterations.find(({ index }) => index === iteration) ?? {};
  const isNamed = ({ directory, experiment }: CompleteExperiment): boolean =>
    typicalFolder === undefined
      ? experiment.repetition === typicalRun
      : path.basename(directory) === typicalFolder;
  return runs.find(isNamed) ?? middle;
}
