import { counted, formatSeconds } from '../../../core/format';
import type { ForecastPlan } from '../../../workflows/study/forecastStudy';
import type { ParameterStudySummary, StudyPointSummary } from '../../../workflows/study/listParameterStudies';

/** `12 of 25 points` */
export function pointsText({ done, failed, remaining }: ParameterStudySummary): string {
  return `${done} of ${counted(done + failed + remaining, 'point')}`;
}

/** `12 of 25 points · 1 failed · running` */
export function parameterStudyText(study: ParameterStudySummary): string {
  return [
    pointsText(study),
    ...(study.failed > 0 ? [`${study.failed} failed`] : []),
    ...(study.state === 'complete' ? [] : [study.state]),
  ].join(' · ');
}

/** `1.23 s · 2 of 3 runs`; of a point that failed, the first line of the reason */
export function pointText(point: StudyPointSummary): string {
  const { standing, runs, repetitions, seconds, failure, planned } = point;
  if (failure !== undefined) return `failed · ${failure.message.split('\n', 1)[0] ?? ''}`;
  const isPartial = standing === 'remaining' && runs === 0;
  return [
    ...(seconds === undefined ? [] : [formatSeconds(seconds)]),
    isPartial ? 'not measured yet' : `${runs} of ${counted(repetitions, 'run')}`,
    ...(standing === 'running' ? ['running'] : []),
    ...(planned ? [] : ['not planned any more']),
  ].join(' · ');
}

/** What a study will do, a line for each fact: the user reads it before it starts. */
export function forecastLines(plan: ForecastPlan): readonly string[] {
  const { points, failed, repetitions, values, runsDone, runsToDo, seconds, continues } = plan;
  return [
    ...Object.entries(values).map(([name, list]) => `${name} = ${list.join(', ')}`),
    `${counted(points, 'point')}, ${counted(repetitions, 'repetition')}: ${counted(runsToDo, 'run')} to do${runsDone > 0 ? `, ${runsDone} measured already` : ''}.`,
    ...(failed > 0
      ? [`${counted(failed, 'point')} failed earlier and ${failed === 1 ? 'is' : 'are'} not run again.`]
      : []),
    ...(runsToDo === 0 ? [] : [timeLine(seconds)]),
    ...(runsToDo === 0 || continues === undefined ? [] : [`This continues ${continues}.`]),
  ];
}

function timeLine(seconds: number | undefined): string {
  return seconds === undefined
    ? 'How long this takes is estimated after the first runs.'
    : `About ${formatSeconds(seconds)} by earlier runs, and the build.`;
}
