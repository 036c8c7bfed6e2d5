import { isKymoError } from '../../core/errors';
import { recordingModel, tooExpensive } from '../../core/modeling/recording/recordingModel';
import { recordingSentence, tooExpensiveSentence } from '../../core/modeling/recording/recordingWords';
import type { ProgressSink } from '../../core/progress';
import { coordinateValue } from '../../core/study/points';
import type { ParameterStudyFile } from '../study/parameterStudyFile';
import { pointName } from '../../core/study/texts';
import { readMeasurements } from './readMeasurements';

/** Sentences about the point whose recording will cost most, of those that were not measured yet; none where models say nothing. */
export async function predictRecording(
  directory: string,
  { points }: ParameterStudyFile,
  limitPercent: number,
  context: { readonly signal: AbortSignal; readonly progress: ProgressSink },
): Promise<readonly string[]> {
  const news = points.filter(({ planned, runs }) => planned && runs.length === 0);
  if (news.length === 0 || news.length === points.length) return [];
  try {
    const { measurements, recorded } = await readMeasurements({
      paths: [directory],
      scaling: 'weak-threaded',
      recordingCost: 'kept',
      ...context,
    });
    const model = recordingModel(recorded?.runs ?? [], recorded?.pairs);
    const predictions = news.flatMap(({ coordinates }) => {
      const point = measurements.parameters.map((name) => coordinateValue(coordinates[name] ?? ''));
      const predicted = point.some(Number.isNaN) ? undefined : model?.predict(point);
      return predicted === undefined ? [] : [{ ...predicted, place: pointName(coordinates) }];
    });
    const [first, ...others] = predictions;
    if (first === undefined || model === undefined) return [];
    const most = others.reduce(
      (worst, other) => (other.overheadPercent > worst.overheadPercent ? other : worst),
      first,
    );
    const leaveOut = tooExpensive(most, limitPercent);
    return [
      recordingSentence(most.place, most, model.clock),
      ...(leaveOut === undefined ? [] : [tooExpensiveSentence(leaveOut, limitPercent)]),
    ];
  } catch (error) {
    // Such as a parameter whose values are texts: the study goes on without a prediction.
    if (!isKymoError(error) || context.signal.aborted) throw error;
    return [];
  }
}
