import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import { chooseFilter } from './chooseFilter';
import { filterLanguage } from '../../state/filters/filterDocuments';

/** *Apply Filter to Pins*: the next refinement records the functions that a filter selects. It is one change, which can be undone. */
export async function applyFilter(kymo: Kymo, given: unknown): Promise<void> {
  const uri = given instanceof vscode.Uri ? given : await meantFilter();
  if (uri === undefined) return;
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? localFolders()[0];
  const study = folder === undefined ? undefined : await kymo.studies.shownStudyOf(folder);
  if (folder === undefined || study === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t(
        'A filter can be applied when the functions of the program are known. Refine the instrumentation first.',
      ),
    );
    return;
  }
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const { message, notes } = await kymo.engine.query('pinByFilter', {
      workspace: folder.uri.fsPath,
      studyDirectory: study.directory,
      name: path.posix.basename(uri.path),
      text: document.getText(),
    });
    kymo.pins.refresh();
    kymo.log.info(message);
    for (const note of notes) kymo.log.warn(note);
    const choice = await vscode.window.showInformationMessage([message, ...notes].join(' '), l10n.t('Undo'));
    if (choice !== undefined) await vscode.commands.executeCommand('kymo.undoPin');
  } catch (error) {
    void showError(kymo, error);
  }
}

async function meantFilter(): Promise<vscode.Uri | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === filterLanguage) return document.uri;
  const folder = (document && vscode.workspace.getWorkspaceFolder(document.uri)) ?? localFolders()[0];
  return chooseFilter(l10n.t('Kymo: Apply Filter to Pins'), folder);
}
