import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withoutLinks } from '../../../core/markdown';
import type { BaselineFiles } from '../../../workflows/views/baselineView';
import type { Kymo } from '../../state/kymo';
import { nameIn, type Measured } from '../experiments/measured';

export const baselineFilters = { [l10n.t('Baseline of kymo gate')]: ['json'] };

/** `accept`: there is none, and the user wants to make one. */
export type ChosenBaseline = { readonly file: string } | 'accept';

interface Choice extends vscode.QuickPickItem {
  readonly file?: string;
}

/**
 * What a measurement is compared with: what `kymo.json` names, else the only baseline file of the target, else the one that the user chooses.
 * @returns undefined: the user cancels
 */
export async function chooseBaseline(
  kymo: Kymo,
  { folder, target }: Measured,
  title: string,
): Promise<ChosenBaseline | undefined> {
  const files = await kymo.engine.query('baselineFiles', { workspace: folder.uri.fsPath, target });
  const [first, ...more] = files.found;
  if (files.configured !== undefined) return { file: files.configured };
  if (first === undefined) return offerFirst(files, target);
  if (more.length === 0) return { file: first };
  const open: Choice = { label: `$(folder-opened) ${l10n.t('Open File…')}` };
  const picked = await vscode.window.showQuickPick<Choice>(
    [
      ...files.found.map((file) => ({ label: nameIn(folder, file), file })),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      open,
    ],
    { title, placeHolder: l10n.t('The baseline of {0} to compare with', target) },
  );
  if (picked === open) return openBaseline();
  return picked?.file === undefined ? undefined : { file: picked.file };
}

async function offerFirst({ absent }: BaselineFiles, target: string): Promise<ChosenBaseline | undefined> {
  const accept = l10n.t('Accept Measurement as Baseline');
  const open = l10n.t('Open File…');
  const choice = await vscode.window.showInformationMessage(
    absent === undefined
      ? l10n.t('Kymo: {0} has no baseline file yet.', withoutLinks(target))
      : l10n.t(
          'Kymo: {0} has no baseline file yet. “{1}” in kymo.json is for “kymo gate”, which builds a git revision and measures it by turns.',
          withoutLinks(target),
          withoutLinks(absent),
        ),
    accept,
    open,
  );
  if (choice === accept) return 'accept';
  return choice === open ? openBaseline() : undefined;
}

async function openBaseline(): Promise<ChosenBaseline | undefined> {
  const [chosen] = (await vscode.window.showOpenDialog({ filters: baselineFilters })) ?? [];
  return chosen && { file: chosen.fsPath };
}
