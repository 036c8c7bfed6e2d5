import * as l10n from '@vscode/l10n';
import type { StudySummary } from '../../../workflows/studies/studies';
import type { RefinementState } from './refinements';

/** Studies that another window or the command line is refining. */
export function runElsewhere(
  studies: readonly StudySummary[],
  own: RefinementState,
): readonly StudySummary[] {
  return studies.filter(({ state, directory, kind }) => {
    const isOwn = own.phase !== 'idle' && own.studyDirectory === directory;
    return state === 'running' && kind === 'study' && !isOwn;
  });
}

/** `process 4711 on node1, since 10:05`: where to look for it. */
export function runnerText({ runBy }: Pick<StudySummary, 'runBy'>): string {
  if (runBy === undefined) return l10n.t('another process');
  const since = new Date(runBy.since);
  if (Number.isNaN(since.getTime())) return l10n.t`process ${runBy.pid} on ${runBy.host}`;
  const time = since.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return l10n.t`process ${runBy.pid} on ${runBy.host}, since ${time}`;
}

/** Why this window does not start work on the same target. */
export function elsewhereSentence(
  study: Pick<StudySummary, 'target' | 'runBy'>,
  what: 'refined' | 'studied' = 'refined',
): string {
  const runner = runnerText(study);
  return what === 'refined'
    ? l10n.t`${study.target} is being refined in another window or on the command line (${runner}). Wait for it, or stop it there.`
    : l10n.t`${study.target} is being studied in another window or on the command line (${runner}). Wait for it, or stop it there.`;
}
