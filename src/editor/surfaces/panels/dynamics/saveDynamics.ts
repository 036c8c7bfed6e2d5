import path from 'node:path';
import * as vscode from 'vscode';
import { KymoError } from '../../../../core/errors';
import type { DynamicsExport } from '../../../../protocol/dynamics';
import type { DynamicsSession } from '../../../state/dynamics/dynamicsSession';
import { fileName } from '../../../base/fileName';

const kinds = {
  png: { ending: 'png', filter: 'PNG' },
  svg: { ending: 'svg', filter: 'SVG' },
  csv: { ending: 'csv', filter: 'CSV' },
  'report-csv': { ending: 'csv', filter: 'CSV' },
  'report-markdown': { ending: 'md', filter: 'Markdown' },
  'report-json': { ending: 'json', filter: 'JSON' },
} as const;

/**
 * Asks for a file and writes the picture, the table or the report. False if the user cancels.
 * @throws KymoError when it cannot be written
 */
export async function saveDynamics(
  given: DynamicsExport,
  session: DynamicsSession,
  measured: vscode.Uri,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const { state } = session;
  if (state.kind !== 'done')
    throw new KymoError('analysis-changed', 'The run is being analysed again. Wait for its end.');
  const { ending, filter } = kinds[given.kind];
  const folder = vscode.workspace.getWorkspaceFolder(measured)?.uri ?? vscode.Uri.joinPath(measured, '..');
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(
      folder,
      `${fileName('name' in given ? given.name : 'dynamics', 'dynamics')}.${ending}`,
    ),
    filters: { [filter]: [ending] },
    title: 'Save Dynamics',
  });
  if (chosen === undefined) return false;
  switch (given.kind) {
    case 'png':
    case 'svg':
    case 'csv':
      await vscode.workspace.fs.writeFile(chosen, given.content);
      break;
    case 'report-csv':
    case 'report-markdown':
    case 'report-json':
      await session.ask('saveDynamicsReport', {
        id: state.opened.header.id,
        format: formats[given.kind],
        threshold: given.threshold,
        file: chosen.fsPath,
      });
  }
  log.info(`Saved ${chosen.fsPath}`);
  vscode.window.setStatusBarMessage(`$(check) Saved ${path.basename(chosen.path)}`, 5000);
  return true;
}

const formats = { 'report-csv': 'csv', 'report-markdown': 'markdown', 'report-json': 'json' } as const;
