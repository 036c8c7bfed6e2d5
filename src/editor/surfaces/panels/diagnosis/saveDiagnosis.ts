import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { DiagnosisExport } from '../../../../protocol/diagnosis';
import type { DiagnosisSession } from '../../../state/diagnosis/diagnosisSession';
import { saveAs } from '../saveAs';

const kinds = {
  png: { ending: 'png', filter: 'PNG' },
  svg: { ending: 'svg', filter: 'SVG' },
  table: { ending: 'csv', filter: 'CSV' },
  search: { ending: 'kymo-search.json', filter: l10n.t('Search') },
} as const;

/**
 * Asks for a file and writes the search, a picture of it, or its table. False if the user cancels.
 * @param measured an input
 * @throws KymoError when it cannot be written
 */
export function saveDiagnosis(
  given: DiagnosisExport,
  session: DiagnosisSession,
  measured: vscode.Uri,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const { ending, filter } = kinds[given.kind];
  const name = given.kind === 'search' ? 'search' : given.name;
  return saveAs(
    { title: l10n.t('Save Diagnosis'), measured, name, usualName: 'search', ending, filter },
    async (file) => {
      if (given.kind !== 'search') return vscode.workspace.fs.writeFile(file, given.content);
      await session.ask('saveDiagnosis', { id: given.id, file: file.fsPath });
    },
    log,
  );
}
