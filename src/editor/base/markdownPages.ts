import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';

const scheme = 'kymo-page';

/** Read-only Markdown pages, shown as VS Code previews Markdown. */
export class MarkdownPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly contents = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  /** Shows a page; one with the same title is replaced. */
  async show(title: string, content: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title}.md` });
    this.contents.set(uri.path, content);
    this.changed.fire(uri);
    // VS Code without its Markdown extension shows the text.
    await vscode.commands
      .executeCommand('markdown.showPreview', uri)
      .then(undefined, () => vscode.window.showTextDocument(uri));
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.contents.get(path) ?? `${l10n.t('Run the command again to see this page.')}\n`;
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
