import { formatRoundPercent, formatSeconds } from '../../core/format';
import type { RefineIteration, RefineResult } from '../../workflows/refine.types';
import type { StudySummary } from '../../workflows/studies';

/** `overhead 0.4 % · 24 functions · 1.23 s` */
export function iterationSummary(iteration: RefineIteration): string {
  return [
    overheadText(iteration),
    plural(iteration.instrumented, 'function'),
    formatSeconds(iteration.medianSeconds),
  ].join(' · ');
}

/** An overhead is claimed only above the noise of the baseline. */
export function overheadText({ overheadPercent, noisePercent }: RefineIteration): string {
  return overheadPercent <= noisePercent
    ? `overhead within noise (${formatRoundPercent(noisePercent / 100)})`
    : `overhead ${formatRoundPercent(overheadPercent / 100)}`;
}

export function studySummary(study: StudySummary): string {
  const last = study.iterations.at(-1);
  return [
    studyState(study),
    ...(study.iterations.length === 0 ? [] : [plural(study.iterations.length, 'iteration')]),
    ...(last === undefined ? [] : [overheadText(last)]),
  ].join(' · ');
}

const stopSentences: Readonly<Record<string, string>> = {
  fixpoint: 'the selection no longer changes',
  overhead: 'the overhead is below its target',
  iterations: 'the iteration limit was reached',
  budget: 'the time budget was used up',
};

/** Why a study ended, as the rest of a sentence. */
export function stopSentence(reason: string | undefined): string {
  return reason === undefined ? '' : (stopSentences[reason] ?? reason);
}

export function refinedSentence(result: RefineResult): string {
  const last = result.iterations.at(-1);
  if (last === undefined) return `${result.target}: nothing was measured.`;
  return (
    `${result.target}: ${last.instrumented} of ${plural(result.functionsKnown, 'function')} instrumented, ` +
    `${overheadText(last)}. Stopped after ${plural(result.iterations.length, 'iteration')}: ${stopSentence(result.stopReason)}.`
  );
}

export function plural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

function studyState({ state, stopReason }: StudySummary): string {
  switch (state) {
    case 'running':
      return 'running';
    case 'interrupted':
      return 'interrupted';
    case 'complete':
      return stopReason ?? 'complete';
  }
}
