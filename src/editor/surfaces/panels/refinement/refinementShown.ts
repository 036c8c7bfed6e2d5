import * as l10n from '@vscode/l10n';
import { baseText } from '../../../../core/functions/base';
import { present } from '../../../../core/present';
import { earlierRound } from '../../../../core/functions/shareOrder';
import type {
  DecisionRow,
  RefinementButton,
  RefinementProgress,
  RefinementShown,
} from '../../../../protocol/refinement';
import type { PinState } from '../../../../workflows/pins';
import { decisionText, type FunctionRow } from '../../../../core/functions/functionRow';
import type { StudySummary } from '../../../../workflows/studies/studies';
import { runnerText } from '../../../state/runs/elsewhere';
import type { RefinementState, RunningRefinement } from '../../../state/runs/refinements';
import { stopSentence } from '../../../../core/selection/stopSentence';

/** The data from which the panel's state is computed. */
export interface ShownInput {
  /** URI of the workspace folder. */
  readonly folder: string;
  readonly study: StudySummary;
  /** The study is no longer on disk; `study` is its last known state. */
  readonly gone: boolean;
  /** A later study of the same target exists. */
  readonly newer: boolean;
  /** State of the folder's refinement in this window. */
  readonly refinement: RefinementState;
  readonly trusted: boolean;
  readonly functions: number;
  readonly revision: number;
}

/** The state that the refinement panel shows. */
export function refinementShown(input: ShownInput): RefinementShown {
  const { folder, study, functions, revision } = input;
  const { target, startedAt, targetPercent, iterations, accepted, stopReason } = study;
  const own = ownRun(input);
  const state = stateOf(input, own);
  return {
    folder,
    target,
    study: study.study,
    startedAt,
    state,
    iterations,
    functions,
    revision,
    disabled: disabledReasons(input, own),
    ...present({
      targetPercent,
      accepted,
      failure: state === 'failed' ? study.failure : undefined,
      runner: state === 'elsewhere' ? runnerText(study) : undefined,
      stopSentence:
        stopReason === undefined || study.state !== 'complete' ? undefined : stopSentence(stopReason),
      progress: own === undefined ? undefined : progressOf(own),
    }),
  };
}

export function progressOf(running: RunningRefinement): RefinementProgress {
  const { message, fraction, remainingSeconds, stopping } = running;
  return { message, stopping, ...present({ fraction, remainingSeconds }) };
}

export function decisionRow(row: FunctionRow, pinned: PinState | undefined): DecisionRow {
  const { name, file, line, selected, decision, visits, inclusiveShare, exclusiveShare, base } = row;
  return {
    name,
    selected,
    rule: decision?.rule ?? 'unknown',
    reason: decisionText(decision),
    ...present({ file, line, pinned, visits, inclusiveShare, exclusiveShare }),
    ...present({
      base: base === undefined ? undefined : baseText(base),
      round: earlierRound(row),
      overheadPercent: row.overheadPercent,
    }),
  };
}

/** The refinement of this window, if it works on this study. */
function ownRun({ refinement, study, gone }: ShownInput): RunningRefinement | undefined {
  if (gone || refinement.phase === 'idle') return undefined;
  return refinement.studyDirectory === study.directory ? refinement : undefined;
}

function stateOf({ gone, study }: ShownInput, own: RunningRefinement | undefined): RefinementShown['state'] {
  if (gone) return 'gone';
  if (own !== undefined) return 'running';
  return study.state === 'running' ? 'elsewhere' : study.state;
}

const goneReason = l10n.t('The study was deleted.');

function disabledReasons(
  input: ShownInput,
  own: RunningRefinement | undefined,
): Readonly<Partial<Record<RefinementButton, string>>> {
  const next = nextReason(input, own);
  const stop = stopReason(input, own);
  const result = resultReason(input);
  return {
    ...(next === undefined ? {} : { next }),
    ...(stop === undefined ? {} : { stop }),
    ...(result === undefined ? {} : { accept: result, exportFilter: result }),
  };
}

function nextReason(
  { gone, study, newer, refinement, trusted }: ShownInput,
  own: RunningRefinement | undefined,
): string | undefined {
  if (gone) return goneReason;
  if (own !== undefined) return l10n.t('It runs. Wait for it, or stop it.');
  if (refinement.phase !== 'idle')
    return l10n.t`${refinement.target} is being refined in this folder. Wait for it, or stop it.`;
  if (study.state === 'running') return l10n.t`It runs elsewhere (${runnerText(study)}). Wait for it.`;
  if (newer) return l10n.t`${study.target} has a newer study, and only the newest can go on.`;
  return trusted ? undefined : l10n.t('The workspace is not trusted: its commands are not run.');
}

function stopReason({ gone, study }: ShownInput, own: RunningRefinement | undefined): string | undefined {
  if (gone) return goneReason;
  if (own !== undefined) return own.stopping ? l10n.t('It is being stopped.') : undefined;
  return study.state === 'running'
    ? l10n.t`It runs in another window or on the command line (${runnerText(study)}): stop it there.`
    : l10n.t('Nothing runs.');
}

function resultReason({ gone, study }: ShownInput): string | undefined {
  if (gone) return goneReason;
  return study.iterations.length === 0 ? l10n.t('No round is finished yet.') : undefined;
}
