import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';

/** Of a workspace or folder; more are reached by the file dialog. */
const mostTraces = 500;

/**
 * Traces with one of these endings, those of the newest results first: their folders are named by time.
 * @param folder absolute; undefined: the workspace
 */
export async function findTraces(endings: readonly string[], folder?: string): Promise<readonly string[]> {
  const pattern = endings.length > 1 ? `**/*.{${endings.join(',')}}` : `**/*.${endings.join('')}`;
  const where = folder === undefined ? pattern : new vscode.RelativePattern(vscode.Uri.file(folder), pattern);
  // Also what files.exclude hides: results are often hidden.
  const uris = await vscode.workspace.findFiles(where, null, mostTraces);
  return uris
    .filter(({ scheme, path: file }) => scheme === 'file' && !file.includes('/node_modules/'))
    .map(({ fsPath }) => fsPath)
    .sort((a, b) => path.dirname(b).localeCompare(path.dirname(a)) || a.localeCompare(b));
}

export function tellNoTrace(): void {
  void vscode.window.showInformationMessage(
    l10n.t('Kymo: this run has no trace. Measure with “kymo measure --trace” to record one.'),
  );
}
