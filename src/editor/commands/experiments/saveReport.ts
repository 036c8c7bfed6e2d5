import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import { withoutLinks } from '../../../core/markdown';
import { runCommandLine } from '../../actions/runCommandLine';
import { showError } from '../../actions/showError';
import { withDelayedProgress } from '../../base/delayedProgress';
import { fileName } from '../../base/fileName';
import type { Kymo } from '../../state/kymo';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import { measuredOf, type Measured } from './measured';

/**
 * *Kymo: Save Report…*: what `kymo report` writes, in a file that the user chooses.
 * @param given the study or round of the menu; default: the newest measurement of a target
 */
export async function saveReport(kymo: Kymo, given: unknown): Promise<void> {
  const title = l10n.t('Kymo: Save Report');
  const reported = ofParameterStudy(given) ?? (await measuredOf(kymo, given, title));
  if (reported === undefined) return;
  const { folder, target, directory } = reported;
  const name = fileName(`${target}-${path.basename(directory)}`, 'kymo-report');
  const chosen = await vscode.window.showSaveDialog({
    title: l10n.t('Save Report of {0}', target),
    defaultUri: vscode.Uri.joinPath(folder.uri, `${name}.html`),
    filters: { HTML: ['html'] },
  });
  if (chosen === undefined) return;
  const workspace = folder.uri.fsPath;
  // The dialog asked whether to replace a file.
  const words = ['report', directory, '--out', chosen.fsPath, '--force', '--workspace', workspace];
  try {
    await withDelayedProgress(l10n.t('Kymo: writing the report of {0}', withoutLinks(target)), (signal) =>
      runCommandLine(kymo, words, signal),
    );
  } catch (error) {
    if (error instanceof KymoError && error.reason === 'cancelled')
      vscode.window.setStatusBarMessage(`$(circle-slash) ${l10n.t('Kymo: the report was cancelled')}`, 8000);
    else void showError(kymo, error);
    return;
  }
  void offerReport(chosen);
}

function ofParameterStudy(given: unknown): Measured | undefined {
  const node = given as ExperimentNode | null | undefined;
  return node?.kind === 'parameterStudy'
    ? { folder: node.folder, target: node.study.target, directory: node.study.directory }
    : undefined;
}

/** A browser reads files of its own machine only. */
async function offerReport(report: vscode.Uri): Promise<void> {
  const isLocal = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  const open = l10n.t('Open in Browser');
  const show = l10n.t('Show in Explorer');
  const saved = l10n.t('Kymo: the report is in {0}.', withoutLinks(path.basename(report.fsPath)));
  const choice = isLocal
    ? await vscode.window.showInformationMessage(saved, open)
    : await vscode.window.showInformationMessage(
        `${saved} ${l10n.t('It is on another machine: download it from the Explorer to open it in a browser.')}`,
        show,
      );
  if (choice === open) await vscode.env.openExternal(report);
  if (choice === show) await vscode.commands.executeCommand('revealInExplorer', report);
}
