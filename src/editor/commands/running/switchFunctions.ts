import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { withoutLinks } from '../../../core/markdown';
import type { LiveFunction } from '../../../workflows/studies/liveFunctions';
import { switchFunctions } from '../../actions/switchFunctions';
import type { Kymo } from '../../state/kymo';
import { functionAround, liveFunctionText, switchableFunctions } from '../../words/studies/liveFunctionText';

/**
 * *Kymo: Record Function While Running…* and *Leave Function Out While Running…*: of the run that this window watches.
 * @param document of the editor whose menu was used: then the function at its cursor is switched
 */
export async function switchWhileRunning(kymo: Kymo, on: boolean, document: unknown): Promise<void> {
  if (kymo.watched.run === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t('Kymo: this window watches no run. Start one with “Watch Running Program”.'),
    );
    return;
  }
  const functions = await kymo.watched.functions();
  const keys = document instanceof vscode.Uri ? atCursor(functions) : await picked(functions, on);
  if (keys.length === 0) return;
  await switchFunctions(kymo, on ? { record: keys, leave: [] } : { record: [], leave: keys });
}

function atCursor(functions: readonly LiveFunction[]): readonly string[] {
  const editor = vscode.window.activeTextEditor;
  const found =
    editor === undefined
      ? undefined
      : functionAround(functions, editor.document.uri.fsPath, editor.selection.active.line + 1);
  if (found === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t('Kymo: the cursor is in no function that the running program was built with.'),
    );
    return [];
  }
  if (found.state === 'recorded' || found.state === 'left out') return [found.key];
  void vscode.window.showInformationMessage(whyFixed(found));
  return [];
}

/** Why a function can be switched neither on nor off. */
function whyFixed({ name, state, notRecorded }: LiveFunction): string {
  const shown = withoutLinks(name);
  if (state === 'phase')
    return l10n.t`Kymo: ${shown} is the phase, whose visits are the iterations: it stays recorded.`;
  return notRecorded === undefined
    ? l10n.t`Kymo: ${shown} has no patch point: it was inlined.`
    : `Kymo: ${shown} ${withoutLinks(notRecorded)}.`;
}

async function picked(functions: readonly LiveFunction[], on: boolean): Promise<readonly string[]> {
  const { changing, others } = switchableFunctions(functions, on);
  const item = (one: LiveFunction): vscode.QuickPickItem & { readonly key?: string } => ({
    ...liveFunctionText(one),
    key: one.key,
  });
  const separator = (label: string): vscode.QuickPickItem & { readonly key?: string } => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const [first, second] = on
    ? [l10n.t('Not recorded'), l10n.t('Recorded')]
    : [l10n.t('Recorded'), l10n.t('Not recorded')];
  const chosen = await vscode.window.showQuickPick(
    [separator(first), ...changing.map(item), separator(second), ...others.map(item)],
    {
      title: on ? l10n.t('Kymo: Record While Running') : l10n.t('Kymo: Leave Out While Running'),
      placeHolder: on
        ? l10n.t('Functions to record from now on, until the run ends')
        : l10n.t('Functions to leave out from now on, until the run ends'),
      canPickMany: true,
      matchOnDescription: true,
    },
  );
  return (chosen ?? []).flatMap(({ key }) => key ?? []);
}
