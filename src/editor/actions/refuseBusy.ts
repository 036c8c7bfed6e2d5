import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Kymo } from '../state/kymo';

/** Why nothing else is measured in the folder now; undefined if it may be. Two at a time would disturb each other's measurements. */
export function whyBusy(kymo: Kymo, folder: vscode.WorkspaceFolder): string | undefined {
  const isRefining = kymo.refinements.stateOf(folder).phase !== 'idle';
  if (!isRefining && kymo.parameterStudies.stateOf(folder).phase === 'idle') return undefined;
  return isRefining
    ? l10n.t`Kymo is refining ${folder.name} already. Wait for it, or cancel it in its notification.`
    : l10n.t`Kymo is running a study of ${folder.name} already. Wait for it, or cancel it in its notification.`;
}

/** True, with a message, while this window refines or studies a target of the folder. */
export function refuseBusy(kymo: Kymo, folder: vscode.WorkspaceFolder): boolean {
  const why = whyBusy(kymo, folder);
  if (why !== undefined) void vscode.window.showWarningMessage(why);
  return why !== undefined;
}
