import path from 'node:path';
import { present } from '../../core/present';
import type { Target } from '../../measurement/config/config';
import { studyDirectory } from '../../measurement/experiments/studies';
import { studyNamed, type StudyToOpen } from './openParameterStudy';
import { planAgain, planStudy, type StudyRequest } from './planStudy';

export interface PlannedRequest extends StudyRequest {
  /**
   * Name of a study of the target that goes on as it was planned, whatever `kymo.json` says now. With `points` (by the names of its
   * coordinates) only these are measured: failed ones again, and new ones, each `repetitions` times more, by default as often as the others.
   */
  readonly study?: string;
  /** Build without Kymo and measure the time of whole runs only. */
  readonly vanilla?: boolean;
  /** Begin a new study, also when the last one could go on. */
  readonly fresh?: boolean;
  /** Run points again that failed in an earlier call. */
  readonly retry?: boolean;
}

/** Which study a request means, with its points. @throws KymoError as `planStudy` and `studyNamed` */
export async function planRequested(
  workspace: string,
  target: Target,
  request: PlannedRequest,
): Promise<StudyToOpen> {
  const { study, points = [], repetitions } = request;
  const retry = request.retry === true;
  const common = { workspace, target, retry, fresh: false };
  if (study === undefined)
    return {
      ...common,
      plan: planStudy(target, request),
      variant: request.vanilla === true ? 'vanilla' : 'measured',
      fresh: request.fresh === true,
    };
  const { file } = await studyNamed(path.dirname(studyDirectory(workspace, target.name, 'x')), study);
  return {
    ...common,
    plan: planAgain(target, file, points),
    variant: file.variant,
    named: { study, only: points, ...present({ furtherRuns: points.length > 0 ? repetitions : undefined }) },
  };
}
