import path from 'node:path';
import * as vscode from 'vscode';
import { showError } from '../diagnostics/showError';
import type { Kymo } from '../kymo';
import type { ExperimentNode } from '../views/experimentsView';
import type { FunctionTables } from './functionTable';

/** Shows the folder of a study or an iteration: in the file manager on a desktop, else in the Explorer. */
export async function openFolder(node: ExperimentNode): Promise<void> {
  const directory = directoryOf(node);
  if (directory === undefined) return;
  const local = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  await vscode.commands.executeCommand(
    local ? 'revealFileInOS' : 'revealInExplorer',
    vscode.Uri.file(directory),
  );
}

export async function openFunctions(tables: FunctionTables, node: ExperimentNode): Promise<void> {
  if (node.kind === 'study') await tables.show(node.study);
  else if (node.kind === 'iteration') await tables.show(node.of.study);
}

/** Deletes a study after asking; only ever something below the workspace's `.kymo`. */
export async function deleteStudy(kymo: Kymo, node: ExperimentNode): Promise<void> {
  if (node.kind !== 'study' || node.study.state === 'running') return;
  const { study, folder } = node;
  const store = path.join(folder.uri.fsPath, '.kymo') + path.sep;
  if (!path.resolve(study.directory).startsWith(store)) {
    await showError(kymo, new Error(`${study.directory} is not below ${store}: it is not deleted.`));
    return;
  }
  const confirmed = await vscode.window.showWarningMessage(
    `Delete study ${study.study} of ${study.target}?`,
    { modal: true, detail: `${study.directory}\n\nIts profiles and selections are deleted for good.` },
    'Delete',
  );
  if (confirmed === undefined) return;
  try {
    await kymo.engine.query('deleteStudy', { studyDirectory: study.directory });
  } catch (error) {
    await showError(kymo, error);
  } finally {
    kymo.studies.refresh();
  }
}

function directoryOf(node: ExperimentNode): string | undefined {
  switch (node.kind) {
    case 'target':
      return undefined;
    case 'study':
      return node.study.directory;
    case 'iteration':
      return path.join(node.of.study.directory, `i${node.iteration.index}`);
  }
}
