import * as l10n from '@vscode/l10n';
import { functionsCount, roundsCount } from '../counts';
import { counted, formatRoundPercent, formatSeconds } from '../../../core/format';
import { stopSentence } from '../../../core/selection/stopSentence';
import { overheadWords, standingOf } from '../../../core/cost/overheadWords';
import { shortRunWarning } from './resultWarning';
import type { RefineRound, RefineResult } from '../../../workflows/studies/refine.types';
import type { StudySummary } from '../../../workflows/studies/studies';

/** `0.4 % overhead · 24 functions · 1.23 s`: the most important number is first, because the side bar is narrow. */
export function roundSummary(iteration: RefineRound, accepted = false): string {
  return [
    ...(accepted ? [l10n.t('accepted')] : []),
    shortOverhead(iteration),
    functionsCount(iteration.instrumented),
    formatSeconds(iteration.rankSeconds ?? iteration.cpuSeconds ?? iteration.medianSeconds),
  ].join(' · ');
}

/** `CPU time 1.23 s, 1.20 s with nothing recorded`: times by the clock of the overhead. */
export function timesText(round: RefineRound): string {
  const { rankSeconds, baselineRankSeconds, cpuSeconds, baselineCpuSeconds } = round;
  if (rankSeconds !== undefined && baselineRankSeconds !== undefined)
    return l10n.t`Slowest rank (mostly ${round.slowestRank ?? 0}) ${formatSeconds(rankSeconds)}, ${formatSeconds(baselineRankSeconds)} with nothing recorded`;
  return cpuSeconds === undefined || baselineCpuSeconds === undefined
    ? l10n.t`Wall time ${formatSeconds(round.medianSeconds)}, ${formatSeconds(round.baselineSeconds)} with nothing recorded`
    : l10n.t`CPU time ${formatSeconds(cpuSeconds)}, ${formatSeconds(baselineCpuSeconds)} with nothing recorded`;
}

/** The overhead in words, which claim one only beyond the noise. */
export function overheadText(iteration: RefineRound): string {
  return overheadWords(iteration, formatRoundPercent);
}

/** `0.4 % overhead · 3 rounds · fixpoint`; `measurement · 0.4 % overhead · 24 functions · 1.23 s` */
export function studySummary(study: StudySummary): string {
  const last = study.iterations.at(-1);
  if (study.kind === 'measurement')
    return last === undefined ? measurementStates[study.state] : l10n.t`measurement · ${roundSummary(last)}`;
  return [
    ...(last === undefined ? [] : [shortOverhead(last)]),
    ...(study.iterations.length === 0 ? [] : [roundsCount(study.iterations.length)]),
    studyState(study),
    ...(study.accepted === undefined ? [] : [l10n.t`round ${study.accepted} accepted`]),
  ].join(' · ');
}

/** Of a measurement without a result. */
const measurementStates: Readonly<Record<StudySummary['state'], string>> = {
  running: l10n.t('measurement running'),
  interrupted: l10n.t('measurement interrupted'),
  failed: l10n.t('measurement failed'),
  complete: l10n.t('measurement complete'),
};

function shortOverhead(iteration: RefineRound): string {
  if (shortRunWarning(iteration) !== undefined) return l10n.t('runs too short');
  const standing = standingOf(iteration);
  if (standing === 'within noise') return l10n.t('within noise');
  const percent = formatRoundPercent(iteration.overheadPercent / 100);
  return standing === 'measured' ? l10n.t`${percent} overhead` : l10n.t`${percent} overhead, noise unknown`;
}

/** `21 Nov, 13:24` in the user's locale, with the year if it is not the current one; undefined for an invalid time. */
export function startedAtText(startedAt: string, now: Date): string | undefined {
  const started = new Date(startedAt);
  if (Number.isNaN(started.getTime())) return undefined;
  return new Intl.DateTimeFormat(undefined, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(started.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  }).format(started);
}

/** How a study ended, for its tooltip. */
export function endText({ state, stopReason, failure }: StudySummary): string {
  if (state === 'failed') return failure === undefined ? 'failed' : `failed: ${failure}`;
  return stopReason === undefined ? state : `complete: ${stopSentence(stopReason)}`;
}

export function refinedSentence(result: RefineResult): string {
  const last = result.iterations.at(-1);
  if (last === undefined) return `${result.target}: nothing was measured.`;
  const verdict = result.verdict === undefined ? `, ${overheadText(last)}.` : `. ${result.verdict.sentence}`;
  return (
    `${instrumentedText(result, last)}${verdict} ` +
    `Stopped after ${counted(result.iterations.length, 'round')}: ${stopSentence(result.stopReason)}.`
  );
}

/** `nbody: 24 of 310 functions instrumented` */
export function instrumentedText(
  { target, functionsKnown }: Pick<RefineResult, 'target' | 'functionsKnown'>,
  { instrumented }: Pick<RefineRound, 'instrumented'>,
): string {
  return `${target}: ${instrumented} of ${counted(functionsKnown, 'function')} instrumented`;
}

function studyState({ state, stopReason }: StudySummary): string {
  switch (state) {
    case 'running':
      return l10n.t('running');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'failed':
      return l10n.t('failed');
    case 'complete':
      return stopReason ?? l10n.t('complete');
  }
}
