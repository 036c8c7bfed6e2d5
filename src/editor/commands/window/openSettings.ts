import * as vscode from 'vscode';

/** *Kymo: Open Settings*: the settings editor with those of this extension. */
export async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:kymo.kymo');
}
