import { counted, formatPercent } from '../../src/core/format';
import { overheadWords } from '../../src/core/cost/overheadWords';
import type { RoundRow, RefinementProgress, RefinementShown } from '../../src/protocol/refinement';

const ruleNames: Readonly<Record<string, string>> = {
  entry: 'entry',
  phase: 'phase',
  statements: 'statements',
  kernel: 'kernel',
  'hot-spot': 'hot spot',
  'path-to-main': 'path to hot spot',
  outside: 'called from outside',
  expand: 'looked into',
  budget: 'room in target',
  'pinned-in': 'pinned in',
  'switched-on': 'switched on',
  'of-interest': 'cheap enough',
  imbalanced: 'unbalanced',
  balanced: 'balanced',
  descend: 'looked into',
  synchronisation: 'others wait here',
  'total-overhead': 'excessive overhead',
  'prolog-overhead': 'distorted by overhead',
  'not-needed': 'not needed',
  'too-small': 'too small',
  'not-hot': 'not hot',
  'too-expensive': 'too expensive',
  'not-measured': 'not measured',
  unreachable: 'unreachable',
  'no-site': 'no patch point',
  'not-executed': 'not executed',
  'pinned-out': 'pinned out',
};

/** A rule of the selection in two or three words. */
export function ruleName(rule: string): string {
  return ruleNames[rule] ?? rule;
}

const stateNames: Readonly<Record<RefinementShown['state'], string>> = {
  running: 'Running',
  elsewhere: 'Running elsewhere',
  complete: 'Complete',
  interrupted: 'Interrupted',
  failed: 'Failed',
  gone: 'Deleted',
};

export function stateName(state: RefinementShown['state']): string {
  return stateNames[state];
}

/** For users of screen readers, who do not notice that the badge changes. */
export function stateAnnouncement(state: RefinementShown['state']): string {
  return `The refinement is ${stateName(state).toLowerCase()}.`;
}

/** Names the process that refines the study outside of this window. */
export function runnerSentence(runner: string): string {
  return `Refined by ${runner}: in another window or on the command line. Rounds appear here when they are finished.`;
}

/** The state of the study in one line. */
export function headline(shown: RefinementShown): string {
  const last = shown.iterations.at(-1);
  const parts = [
    last === undefined ? 'No round is finished yet' : roundWords(last),
    ...(shown.state === 'complete' && shown.stopSentence !== undefined
      ? [`stopped because ${shown.stopSentence}`]
      : []),
    ...(shown.state === 'interrupted' ? ['interrupted: its measurements are saved, and it can go on'] : []),
    ...(shown.state === 'failed' ? [failedWords(shown)] : []),
  ];
  return `${parts.join('; ')}.`;
}

function failedWords({ failure }: RefinementShown): string {
  // The sentence of the error ends with its own full stop.
  return failure === undefined
    ? 'failed; refine again once the cause is fixed'
    : `failed: ${failure.replace(/\.$/, '')}`;
}

function roundWords(iteration: RoundRow): string {
  return `${counted(iteration.instrumented, 'function')} instrumented, ${overheadWords(iteration)}`;
}

/** For users of screen readers, who do not notice that the chart changes. */
export function roundAnnouncement(iteration: RoundRow): string {
  return `Round ${iteration.index}: ${roundWords(iteration)}.`;
}

export function progressText({ message, remainingSeconds }: RefinementProgress): string {
  if (remainingSeconds === undefined || remainingSeconds < 1) return message;
  const remaining =
    remainingSeconds < 90 ? `${Math.ceil(remainingSeconds)} s` : `${Math.ceil(remainingSeconds / 60)} min`;
  return `${message} · about ${remaining} left`;
}

/** Overheads are stored in percent. */
export function percent(value: number): string {
  return formatPercent(value / 100);
}

/** The file's name without its folders. */
export function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
}
