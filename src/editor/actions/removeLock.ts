import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Kymo } from '../state/kymo';
import { withoutLinks } from '../../core/markdown';

/** Offered when a lock prevents the command. */
export const removeLockLabel = l10n.t('Remove Lock…');

/** @param folder of the target, with the lock in it @param holder who holds it, as shown to the user */
export async function removeLock(kymo: Kymo, folder: string, holder: string): Promise<void> {
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Remove the lock of this target?'),
    {
      modal: true,
      detail: [
        holder,
        l10n.t('If that process still runs, both write into the same folder. Nothing else is removed.'),
      ].join('\n\n'),
    },
    l10n.t('Remove Lock'),
  );
  if (answer === undefined) return;
  try {
    await kymo.engine.query('removeLock', { folder });
    kymo.studies.refresh();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`Kymo: ${withoutLinks(why)}`);
  }
}
