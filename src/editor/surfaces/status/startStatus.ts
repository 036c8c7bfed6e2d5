import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { localFolders } from '../../state/studies/studies';
import { buildFiles } from '../../words/settings/buildFiles';

/**
 * Status bar item that starts the first refinement: in a trusted folder with a build system and no `kymo.json`. A click asks the build system, and the question that
 * follows shows the commands before the program is built or run.
 */
export class StartStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('kymo.start', vscode.StatusBarAlignment.Left, 10);
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor() {
    this.item.name = l10n.t('Kymo: Refine This Program');
    this.item.text = `$(play) ${l10n.t('Refine This Program')}`;
    this.item.tooltip = l10n.t(
      'Kymo asks the build system in a copy of the folder how the program is built, and shows the commands before it builds or runs the program.',
    );
    this.item.command = 'kymo.refine';
    const configurations = vscode.workspace.createFileSystemWatcher('**/kymo.json', false, true, false);
    const update = (): void => void this.update();
    this.subscriptions = [
      configurations,
      configurations.onDidCreate(update),
      configurations.onDidDelete(update),
      vscode.workspace.onDidGrantWorkspaceTrust(update),
      vscode.workspace.onDidChangeWorkspaceFolders(update),
    ];
    update();
  }

  private async update(): Promise<void> {
    const starts = await Promise.all(localFolders().map(isToBegin));
    if (vscode.workspace.isTrusted && starts.includes(true)) this.item.show();
    else this.item.hide();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.item.dispose();
  }
}

async function isToBegin({ uri }: vscode.WorkspaceFolder): Promise<boolean> {
  const entries = await vscode.workspace.fs.readDirectory(uri).then(undefined, () => []);
  const names = new Set(entries.map(([name]) => name));
  return !names.has('kymo.json') && buildFiles.some((name) => names.has(name));
}
