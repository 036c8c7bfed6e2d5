import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import { withDelayedProgress, type FollowProgress, type ProgressStep } from '../../base/delayedProgress';
import { showError } from '../../actions/showError';
import type { EngineEvent } from '../../../engine/wire';
import type { Kymo } from '../../state/kymo';
import { measuredSentence } from '../../words/settings/taskText';
import { confirmCommands, refuseUntrusted } from '../../actions/consent';
import { withWarning } from '../../words/studies/resultMessage';
import { resultWarning } from '../../words/studies/resultWarning';
import { goToHottestFunction } from '../functions/goToHottest';
import { goToHottest, offerResult } from './offerResult';
import { pickFolder, pickTarget } from '../../actions/pick';

/** The target and filter, if they are known already. */
interface Measured {
  readonly folder: vscode.WorkspaceFolder;
  readonly target: string;
}

/** *Kymo: Measure*: one experiment of a target with its accepted selection, then its dynamics. */
export async function measureNow(kymo: Kymo, given?: Measured): Promise<void> {
  if (await refuseUntrusted(l10n.t('measure'))) return;
  const folder = given?.folder ?? (await pickFolder(l10n.t('Kymo: Measure')));
  if (folder === undefined) return;
  try {
    const { targets } = await kymo.engine.query('targets', { workspace: folder.uri.fsPath });
    const named = targets.find(({ name }) => name === given?.target);
    const target = named ?? (await pickTarget(targets));
    if (target === undefined) return;
    if (!(await confirmCommands(kymo.extension.workspaceState, folder, target))) return;
    kymo.problems.clear();
    await measure(kymo, folder, target.name);
  } catch (error) {
    if (error instanceof KymoError && error.reason === 'cancelled')
      vscode.window.setStatusBarMessage(l10n.t('$(circle-slash) Kymo: measuring was cancelled'), 8000);
    else void showError(kymo, error);
  }
}

async function measure(kymo: Kymo, folder: vscode.WorkspaceFolder, target: string): Promise<void> {
  const listeners = new Set<(step: ProgressStep) => void>();
  let last = 'building';
  let reported = 0;
  const onEvent = (event: EngineEvent): void => {
    if (event.kind === 'log') for (const line of event.lines) kymo.log.info(line);
    if (event.kind !== 'progress') return;
    last = event.message;
    const percent = Math.round((event.fraction ?? 0) * 100);
    const increment = Math.max(0, percent - reported);
    reported += increment;
    for (const listener of listeners) listener({ message: last, increment });
  };
  const follow: FollowProgress = (report) => {
    report({ message: last, increment: reported });
    listeners.add(report);
    return new vscode.Disposable(() => listeners.delete(report));
  };
  const result = await withDelayedProgress(
    l10n.t`Kymo: measuring ${target}`,
    (signal) => kymo.engine.job('measure', { workspace: folder.uri.fsPath, target }, { signal, onEvent }),
    follow,
  );
  kymo.studies.refresh();
  const sentence = measuredSentence(result);
  kymo.log.info(sentence);
  const experiment = await kymo.engine.query('newestIterations', { folder: result.directory });
  const dynamics = l10n.t('Show Dynamics');
  const hotSpots = l10n.t('Show Hot Spots');
  const choice = await offerResult(withWarning(`Kymo: ${sentence}.`, resultWarning(result)), [
    goToHottest,
    ...(experiment === undefined ? [] : [dynamics]),
    hotSpots,
  ]);
  if (choice === goToHottest) await goToHottestFunction(kymo, folder);
  if (choice === dynamics && experiment !== undefined)
    await vscode.commands.executeCommand('kymo.showDynamics', vscode.Uri.file(experiment));
  if (choice === hotSpots)
    await vscode.commands.executeCommand('kymo.showHotSpots', vscode.Uri.file(result.profile));
}
