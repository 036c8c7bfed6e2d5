import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { hottestFunction } from '../../../core/functions/hottestFunction';
import { openMeasured } from '../../actions/openMeasured';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';

/**
 * *Kymo: Go to Hottest Function*: opens the source of the function with the largest exclusive time in what is shown.
 * @param folder the folder of a result that was just made; default: the first one with a result
 */
export async function goToHottestFunction(kymo: Kymo, folder?: vscode.WorkspaceFolder): Promise<void> {
  if (await openHottest(kymo, folder === undefined ? localFolders() : [folder])) return;
  void vscode.window.showInformationMessage(
    l10n.t('No function with a known source was measured yet. Refine or measure first.'),
  );
}

/** In the first of the folders with a result. False if none has one. */
export async function openHottest(kymo: Kymo, folders: readonly vscode.WorkspaceFolder[]): Promise<boolean> {
  for (const folder of folders) {
    const shown = await kymo.studies.shownOf(folder);
    const row = hottestFunction(shown?.functions.all ?? []);
    if (row === undefined) continue;
    await openMeasured(kymo, row);
    return true;
  }
  return false;
}
