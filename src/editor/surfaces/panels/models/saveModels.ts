import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { ModelsExport } from '../../../../protocol/models';
import type { ModelsSession } from '../../../state/models/modelsSession';
import { saveAs } from '../saveAs';

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
  const name = given.kind === 'models' ? 'models' : given.name;
  return saveAs(
    { title: l10n.t('Save Models'), measured, name, usualName: 'model', ending, filter },
    async (file) => {
      if (given.kind !== 'models') return vscode.workspace.fs.writeFile(file, given.content);
      const { id, format, point } = given;
      return session.ask('saveModels', { id, format, point, file: file.fsPath });
    },
    log,
  );
}
