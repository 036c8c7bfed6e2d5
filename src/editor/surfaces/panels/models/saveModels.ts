import path from 'node:path';
import * as vscode from 'vscode';
import type { ModelsExport } from '../../../../protocol/models';
import { fileName } from '../../../base/fileName';
import type { ModelsSession } from '../../../state/models/modelsSession';

const kinds = {
  png: { ending: 'png', filter: 'PNG' },
  svg: { ending: 'svg', filter: 'SVG' },
  table: { ending: 'csv', filter: 'CSV' },
  csv: { ending: 'csv', filter: 'CSV' },
  json: { ending: 'json', filter: 'JSON' },
  python: { ending: 'py', filter: 'Python' },
  latex: { ending: 'tex', filter: 'LaTeX' },
  javascript: { ending: 'mjs', filter: 'JavaScript' },
} as const;

/**
 * Asks for a file and writes the picture, its table, or all models. False if the user cancels.
 * @param measured an input
 * @throws KymoError when it cannot be written
 */
export async function saveModels(
  given: ModelsExport,
  session: ModelsSession,
  measured: vscode.Uri,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const { ending, filter } = kinds[given.kind === 'models' ? given.format : given.kind];
  const folder = vscode.workspace.getWorkspaceFolder(measured)?.uri ?? vscode.Uri.joinPath(measured, '..');
  const name = given.kind === 'models' ? 'models' : fileName(given.name, 'model');
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${name}.${ending}`),
    filters: { [filter]: [ending] },
    title: 'Save Models',
  });
  if (chosen === undefined) return false;
  if (given.kind === 'models') {
    const { id, format, point } = given;
    await session.ask('saveModels', { id, format, point, file: chosen.fsPath });
  } else await vscode.workspace.fs.writeFile(chosen, given.content);
  log.info(`Saved ${chosen.fsPath}`);
  vscode.window.setStatusBarMessage(`$(check) Saved ${path.basename(chosen.path)}`, 5000);
  return true;
}
