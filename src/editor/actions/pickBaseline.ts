import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Baseline } from '../../workflows/views/comparisonView';
import type { Kymo } from '../state/kymo';
import { startedAtText } from '../words/studies/experimentText';

interface Choice extends vscode.QuickPickItem {
  readonly file?: string;
}

/** Has the user choose what a profile is compared with: another round of its program, before or after a commit, or a file. */
export async function pickBaseline(kymo: Kymo, file: string, title: string): Promise<string | undefined> {
  const found = await kymo.engine.query('baselines', { file });
  const open: Choice = {
    label: l10n.t('$(folder-opened) Open File…'),
    description: l10n.t('a Cube profile (.cubex)'),
  };
  const others = found.filter(({ isOtherCommit }) => isOtherCommit === true);
  const same = found.filter(({ isOtherCommit }) => isOtherCommit !== true);
  const picked = await vscode.window.showQuickPick<Choice>(
    [
      ...group(l10n.t('Before or after a commit'), others),
      ...group(
        others.length === 0 ? l10n.t('Measurements of this program') : l10n.t('Of the same sources'),
        same,
      ),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      open,
    ],
    {
      title,
      placeHolder: l10n.t('The measurement to compare with'),
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  if (picked !== open) return picked?.file;
  const [chosen] =
    (await vscode.window.showOpenDialog({ filters: { [l10n.t('Cube profile')]: ['cubex'] } })) ?? [];
  return chosen?.fsPath;
}

function group(label: string, list: readonly Baseline[]): readonly Choice[] {
  if (list.length === 0) return [];
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...list.map(choice)];
}

function choice({ file, study, round, startedAt, runs, ranks, commit }: Baseline): Choice {
  return {
    file,
    label: startedAtText(startedAt, new Date()) ?? study,
    description: [
      l10n.t`round ${round}`,
      runs === 1 ? l10n.t('measured once') : l10n.t`${runs} runs`,
      ...(ranks > 1 ? [l10n.t`${ranks} ranks`] : []),
      ...(commit === undefined ? [] : [l10n.t`commit ${commit}`]),
    ].join(' · '),
    detail: path.basename(path.resolve(file, '../../..')),
  };
}
