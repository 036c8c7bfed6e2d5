import * as l10n from '@vscode/l10n';
import { formatCount, formatSeconds } from '../../../core/format';
import type { ForecastPlan } from '../../../workflows/study/forecastStudy';
import type { ParameterStudySummary, StudyPointSummary } from '../../../workflows/study/listParameterStudies';

/** `12 of 25 points` */
export function pointsText({ done, failed, remaining }: ParameterStudySummary): string {
  const points = done + failed + remaining;
  return points === 1 ? l10n.t`${done} of 1 point` : l10n.t`${done} of ${formatCount(points)} points`;
}

const states: Readonly<Record<ParameterStudySummary['state'], string>> = {
  running: l10n.t('running'),
  complete: l10n.t('complete'),
  interrupted: l10n.t('interrupted'),
};

/** `12 of 25 points · 1 failed · running` */
export function parameterStudyText(study: ParameterStudySummary): string {
  return [
    pointsText(study),
    ...(study.failed > 0 ? [l10n.t`${study.failed} failed`] : []),
    ...(study.state === 'complete' ? [] : [states[study.state]]),
  ].join(' · ');
}

/** `1.23 s · 2 of 3 runs`; of a point that failed, the first line of the reason */
export function pointText(point: StudyPointSummary): string {
  const { standing, runs, repetitions, seconds, failure, planned } = point;
  if (failure !== undefined) return l10n.t`failed · ${failure.message.split('\n', 1)[0] ?? ''}`;
  const isPartial = standing === 'remaining' && runs === 0;
  return [
    ...(seconds === undefined ? [] : [formatSeconds(seconds)]),
    isPartial ? l10n.t('not measured yet') : runsText(runs, repetitions),
    ...(standing === 'running' ? [l10n.t('running')] : []),
    ...(planned ? [] : [l10n.t('not planned any more')]),
  ].join(' · ');
}

/** What a study will do, a line for each fact: the user reads it before it starts. */
export function forecastLines(plan: ForecastPlan): readonly string[] {
  const { failed, values, runsToDo, seconds, continues } = plan;
  return [
    ...Object.entries(values).map(([name, list]) => `${name} = ${list.join(', ')}`),
    workLine(plan),
    ...(failed > 0 ? [failedLine(failed)] : []),
    ...(runsToDo === 0 ? [] : [timeLine(seconds)]),
    ...(runsToDo === 0 || continues === undefined ? [] : [l10n.t`This continues ${continues}.`]),
  ];
}

function workLine({ points, repetitions, runsDone, runsToDo }: ForecastPlan): string {
  const counts = [pointsCount(points), repetitionsCount(repetitions), runsCount(runsToDo)] as const;
  return runsDone > 0
    ? l10n.t('{0}, {1}: {2} to do, {3} measured already.', ...counts, runsDone)
    : l10n.t('{0}, {1}: {2} to do.', ...counts);
}

function failedLine(failed: number): string {
  return failed === 1
    ? l10n.t('1 point failed earlier and is not run again.')
    : l10n.t('{0} points failed earlier and are not run again.', formatCount(failed));
}

function pointsCount(count: number): string {
  return count === 1 ? l10n.t('1 point') : l10n.t('{0} points', formatCount(count));
}

function repetitionsCount(count: number): string {
  return count === 1 ? l10n.t('1 repetition') : l10n.t('{0} repetitions', formatCount(count));
}

function runsCount(count: number): string {
  return count === 1 ? l10n.t('1 run') : l10n.t('{0} runs', formatCount(count));
}

function runsText(runs: number, repetitions: number): string {
  return repetitions === 1 ? l10n.t`${runs} of 1 run` : l10n.t`${runs} of ${formatCount(repetitions)} runs`;
}

function timeLine(seconds: number | undefined): string {
  return seconds === undefined
    ? l10n.t('How long this takes is estimated after the first runs.')
    : l10n.t`About ${formatSeconds(seconds)} by earlier runs, and the build.`;
}
