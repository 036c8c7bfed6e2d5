import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import { hasAssistants, type ServerDefinition } from './assistantApi';

/** As in package.json. */
export const assistantServers = 'kymo.assistants';

/**
 * Offers `kymo mcp` to the language models of VS Code, for each trusted folder with a `kymo.json`: VS Code starts it when a chat needs it, and shows
 * its questions.
 */
export class AssistantServers implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[] = [this.changed];

  constructor(private readonly kymo: Kymo) {
    const api: unknown = vscode;
    if (!hasAssistants(api)) return;
    const fire = (): void => this.changed.fire();
    const configurations = vscode.workspace.createFileSystemWatcher('**/kymo.json', false, true, false);
    this.subscriptions.push(
      configurations,
      configurations.onDidCreate(fire),
      configurations.onDidDelete(fire),
      vscode.workspace.onDidGrantWorkspaceTrust(fire),
      vscode.workspace.onDidChangeWorkspaceFolders(fire),
      api.lm.registerMcpServerDefinitionProvider(assistantServers, {
        onDidChangeMcpServerDefinitions: this.changed.event,
        provideMcpServerDefinitions: async () =>
          (await this.servedFolders()).map((folder) => this.definition(api.McpStdioServerDefinition, folder)),
      }),
    );
  }

  private async servedFolders(): Promise<readonly vscode.WorkspaceFolder[]> {
    if (!vscode.workspace.isTrusted) return [];
    const folders = localFolders();
    const configured = await Promise.all(
      folders.map(({ uri }) =>
        vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, 'kymo.json')).then(
          () => true,
          () => false,
        ),
      ),
    );
    return folders.filter((_, index) => configured[index]);
  }

  private definition(Definition: ServerDefinition, { name, uri }: vscode.WorkspaceFolder): object {
    const { extensionUri, extension } = this.kymo.extension;
    const { version } = extension.packageJSON as { readonly version: string };
    return new Definition(
      `Kymo: ${name}`,
      process.execPath,
      [vscode.Uri.joinPath(extensionUri, 'dist', 'cli.js').fsPath, 'mcp', '--workspace', uri.fsPath],
      { ELECTRON_RUN_AS_NODE: '1' },
      version,
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
