import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { withoutLinks } from '../../core/markdown';
import { changeWords } from '../../core/views/liveRun';
import type { RecordingWish } from '../../workflows/watch/wishes';
import type { Kymo } from '../state/kymo';

/** Switches functions of the run that this window watches, and shows what became of it. @throws KymoError `no-run` */
export async function switchFunctions(kymo: Kymo, wish: RecordingWish): Promise<void> {
  const { change, notes } = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: l10n.t('Kymo: switching functions of the running program'),
    },
    () => kymo.watched.record(wish),
  );
  const words = changeWords({ ...change, problems: [] });
  kymo.log.info(words);
  vscode.window.setStatusBarMessage(`$(record) ${withoutIcons(words)}`, 8000);
  for (const note of notes) {
    kymo.log.warn(note);
    void vscode.window.showWarningMessage(`Kymo: ${withoutLinks(note)}`);
  }
}

/** Names are those of the program. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
