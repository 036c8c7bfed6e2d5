import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { visibleControls } from '../../core/names/visibleControls';

/** Most characters of a group's name that a user types. */
const longestName = 200;

/** The group of functions that the user picks for a function, or names: one of these, or a new one. */
export function pickGroup(functionName: string, groups: readonly string[]): Promise<string | undefined> {
  const input = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly group: string }>();
  const known = groups.map((group) => ({ label: asPlainText(group), group }));
  input.title = l10n.t`Group of ${visibleControls(functionName).slice(0, 200)}`;
  input.placeholder = l10n.t('Choose a group, or type the name of a new one');
  input.items = known;
  input.onDidChangeValue((value) => {
    const name = nameOf(value);
    const isNew = name !== '' && !groups.includes(name);
    input.items = isNew
      ? [
          ...known,
          { label: asPlainText(name), description: l10n.t('new group'), group: name, alwaysShow: true },
        ]
      : known;
  });
  return new Promise((resolve) => {
    input.onDidAccept(() => {
      resolve(input.selectedItems[0]?.group);
      input.hide();
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}

function nameOf(typed: string): string {
  return visibleControls(typed.trim()).slice(0, longestName);
}

/** VS Code shows `$(name)` in labels as an icon. */
function asPlainText(name: string): string {
  return name.replaceAll('$(', '$\u200b(');
}
