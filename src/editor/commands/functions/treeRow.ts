import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';

/**
 * A command of a tree's context menu. VS Code passes no row if a key is bound to it or the tree was just recreated; without this check, the
 * error would only be that something is undefined.
 */
export function onRow<Row>(
  action: (row: Row, all?: readonly Row[]) => Promise<void> | void,
): (row?: Row, all?: readonly Row[]) => Promise<void> | void {
  return (row, all) => (row === undefined ? askToChooseAgain() : action(row, all));
}

/** Asks the user to choose the row again. */
export function askToChooseAgain(): void {
  void vscode.window.showInformationMessage(
    l10n.t('Kymo: the command was given no row of a view. Choose it again in the menu of the row.'),
  );
}
