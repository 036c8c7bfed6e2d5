import * as vscode from 'vscode';

/** *Kymo: Toggle Source Annotations*: the switch for all annotations in source files. Changes the setting in the scope where it is set, else for the user. */
export async function toggleAnnotations(): Promise<void> {
  const scope = vscode.window.activeTextEditor?.document.uri;
  const settings = vscode.workspace.getConfiguration('kymo.annotations', scope);
  const { workspaceFolderValue, workspaceValue } = settings.inspect<boolean>('enabled') ?? {};
  const place =
    workspaceFolderValue !== undefined
      ? vscode.ConfigurationTarget.WorkspaceFolder
      : workspaceValue !== undefined
        ? vscode.ConfigurationTarget.Workspace
        : vscode.ConfigurationTarget.Global;
  await settings.update('enabled', !settings.get('enabled', true), place);
}
