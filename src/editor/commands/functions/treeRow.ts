import * as vscode from 'vscode';

/**
 * A command of the context menu of a tree. VS Code gives it no row when a key is bound to it, nor when the tree is made anew just then, and
 * would only say that something is undefined.
 */
export function onRow<Row>(
  action: (row: Row, all?: readonly Row[]) => Promise<void> | void,
): (row?: Row, all?: readonly Row[]) => Promise<void> | void {
  return (row, all) => (row === undefined ? tellToChooseAgain() : action(row, all));
}

/** Says what to do when a command got no row of its tree. */
export function tellToChooseAgain(): void {
  void vscode.window.showInformationMessage(
    'Kymo: the command was given no row of a view. Choose it again in the menu of the row.',
  );
}
