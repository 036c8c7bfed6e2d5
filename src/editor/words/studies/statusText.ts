import * as l10n from '@vscode/l10n';
import { functionsCount, roundsCount } from '../counts';
import { formatRoundPercent } from '../../../core/format';
import type { RefineRound } from '../../../workflows/studies/refine.types';
import type { StudySummary } from '../../../workflows/studies/studies';
import type { ParameterStudySummary } from '../../../workflows/study/listParameterStudies';
import { pointsText } from './parameterStudyText';
import type { RunningWork } from '../../state/runs/folderRuns';

const phaseIcons = { building: '$(tools)', running: '$(sync~spin)', deciding: '$(lightbulb)' } as const;
const phaseNames = {
  building: l10n.t('building'),
  running: l10n.t('running'),
  deciding: l10n.t('deciding'),
} as const;
/** Limit for the message, because all extensions share the status bar. */
const messageCharacters = 40;

/** `$(sync~spin) nbody: Round 1, run 2 of 3 · 42 %` */
export function refinementText({ phase, target, message, fraction, stopping }: RunningWork): string {
  const share = fraction === undefined || stopping ? '' : ` · ${formatRoundPercent(fraction)}`;
  return `${phaseIcons[phase]} ${escapeIcons(cut(target, 24))}: ${escapeIcons(cut(message, messageCharacters))}${share}`;
}

/** `$(eye) nbody: refined elsewhere · 2 rounds` */
export function elsewhereText({ target, iterations: { length } }: StudySummary): string {
  const name = escapeIcons(cut(target, 24));
  return [l10n.t`$(eye) ${name}: refined elsewhere`, ...(length === 0 ? [] : [roundsCount(length)])].join(
    ' · ',
  );
}

/** `$(eye) nbody: studied elsewhere · 12 of 25 points` */
export function studiedElsewhereText(study: ParameterStudySummary): string {
  const name = escapeIcons(cut(study.target, 24));
  return l10n.t`$(eye) ${name}: studied elsewhere · ${pointsText(study)}`;
}

/** Label for screen readers, without icons. */
export function runningLabel(
  { target, message, phase }: RunningWork,
  what: 'refines' | 'studies' = 'refines',
): string {
  return what === 'refines'
    ? l10n.t`Kymo refines ${target}, ${phaseNames[phase]}: ${message}. Activate to see it or to stop it.`
    : l10n.t`Kymo studies ${target}, ${phaseNames[phase]}: ${message}. Activate to see it or to stop it.`;
}

/** Facts about the edited document. */
export interface FileFacts {
  /** The last round of the shown study. */
  readonly iteration: RefineRound;
  /** Number of functions of the whole program. */
  readonly functionsKnown: number;
  /** Number of functions in this file that changed since the measurement. */
  readonly changedInFile: number;
}

/** `instrumented 24 of 310` */
export function fileStatusText({ iteration, functionsKnown }: FileFacts): string {
  return l10n.t`instrumented ${iteration.instrumented} of ${Math.max(functionsKnown, iteration.instrumented)}`;
}

/** `data from run 7 · 2 edits old`: an edit is a function of this file whose lines changed since the measurement. */
export function fileStatusDetail({ iteration, changedInFile }: FileFacts): string {
  if (changedInFile === 0) return l10n.t`data from run ${iteration.index} · up to date`;
  return changedInFile === 1
    ? l10n.t`data from run ${iteration.index} · 1 edit old`
    : l10n.t`data from run ${iteration.index} · ${changedInFile} edits old`;
}

/** `profile.cubex (Score-P 8.4): 12 functions` */
export function profileStatusText(title: string, functionsInFile: number): string {
  const name = escapeIcons(cut(title, messageCharacters));
  return `${name}: ${functionsCount(functionsInFile)}`;
}

/** Escapes `$(name)`, which would become an icon. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
}
