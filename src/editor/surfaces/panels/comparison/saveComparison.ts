import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ComparisonExport } from '../../../../protocol/comparison';
import type { ComparisonSession } from '../../../state/comparison/comparisonSession';
import { saveAs } from '../saveAs';

const filters = { json: 'JSON', csv: 'CSV' } as const;

/**
 * Asks for a file and writes the differences and rows. False if the user cancels.
 * @param measured an input
 * @throws KymoError when it cannot be written
 */
export function saveComparison(
  { id, format, settings }: ComparisonExport,
  session: ComparisonSession,
  measured: vscode.Uri,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const filter = filters[format];
  return saveAs(
    {
      title: l10n.t('Save Comparison'),
      measured,
      name: 'comparison',
      usualName: 'comparison',
      ending: format,
      filter,
    },
    async (file) => {
      await session.ask('saveComparison', { id, format, settings, file: file.fsPath });
    },
    log,
  );
}
