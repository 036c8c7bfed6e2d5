import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../../core/errors';
import type { DynamicsExport } from '../../../../protocol/dynamics';
import type { DynamicsSession } from '../../../state/dynamics/dynamicsSession';
import { saveAs } from '../saveAs';

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
    throw new KymoError('analysis-changed', l10n.t('The run is being analysed again. Wait for its end.'));
  const { ending, filter } = kinds[given.kind];
  const name = 'name' in given ? given.name : 'dynamics';
  return saveAs(
    { title: l10n.t('Save Dynamics'), measured, name, usualName: 'dynamics', ending, filter },
    async (file) => {
      if ('content' in given) return vscode.workspace.fs.writeFile(file, given.content);
      return session.ask('saveDynamicsReport', {
        id: state.opened.header.id,
        format: formats[given.kind],
        threshold: given.threshold,
        file: file.fsPath,
      });
    },
    log,
  );
}

const formats = { 'report-csv': 'csv', 'report-markdown': 'markdown', 'report-json': 'json' } as const;
