import path from 'node:path';
import { KymoError } from '../core/errors';
import { roundSelection } from './studies/rounds';
import { writeAccepted, type Accepted } from './studies/acceptedFile';
import { readStudy } from './studies/study';
import { listStudies } from './studies/studies';

export type { Accepted } from './studies/acceptedFile';

/**
 * Accepts the selection of a round for its target: `measure` records it when no filter is given, and the editor shows its study.
 * @throws KymoError `study-invalid`, `iteration-invalid`
 */
export async function acceptRound(studyDirectory: string, iteration: number): Promise<Accepted> {
  const study = await readStudy(studyDirectory);
  if (study === undefined)
    throw new KymoError(
      'study-invalid',
      `${studyDirectory} is not a study; nothing was accepted. Refine again.`,
      { file: studyDirectory },
    );
  const isMeasured = study.iterations.some(({ index }) => index === iteration);
  if (!isMeasured && iteration !== study.finalIteration)
    throw new KymoError(
      'iteration-invalid',
      `Round ${iteration} of ${study.study} was not measured to its end, so it cannot be accepted. Choose one of the ${study.iterations.length} that were.`,
    );
  await roundSelection(studyDirectory, iteration);
  const accepted: Accepted = {
    kymoAccepted: 1,
    study: study.study,
    iteration,
    acceptedAt: new Date().toISOString(),
  };
  await writeAccepted(path.dirname(studyDirectory), accepted);
  return accepted;
}

/**
 * Accepts the selection of a study by name; default: the newest study with results, of the target or of any, and its final selection.
 * @throws KymoError `study-missing`, `iteration-invalid`
 */
export async function acceptOfTarget(options: {
  readonly workspace: string;
  readonly target?: string;
  readonly study?: string;
  readonly iteration?: number;
}): Promise<Accepted & { readonly target: string }> {
  const { workspace, target, study } = options;
  const chosen = (await listStudies(workspace)).find(
    (candidate) =>
      candidate.iterations.length > 0 &&
      // A measurement records the accepted or given selection and decides nothing.
      candidate.kind === 'study' &&
      (target === undefined || candidate.target === target) &&
      (study === undefined || candidate.study === study),
  );
  const file = chosen === undefined ? undefined : await readStudy(chosen.directory);
  const last = file?.finalIteration ?? chosen?.iterations.at(-1)?.index;
  if (chosen === undefined || last === undefined)
    throw new KymoError(
      'study-missing',
      `There is no study${study === undefined ? '' : ` ${study}`}${target === undefined ? '' : ` of ${target}`} with a finished round in ${workspace}. Run "kymo refine" first.`,
    );
  const accepted = await acceptRound(chosen.directory, options.iteration ?? last);
  return { ...accepted, target: chosen.target };
}
