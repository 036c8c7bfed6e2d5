import * as vscode from 'vscode';
import { wrongExpectations } from '../../words/settings/expectationText';

const settleMilliseconds = 300;

/** Growths in `kymo.json` that cannot be read, at their places while the file is being written. */
export class ExpectationProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kymo-expectations');
  private settled: NodeJS.Timeout | undefined;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor() {
    this.subscriptions = [
      this.collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.show(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        clearTimeout(this.settled);
        this.settled = setTimeout(() => this.show(document), settleMilliseconds);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.collection.delete(uri)),
    ];
    for (const document of vscode.workspace.textDocuments) this.show(document);
  }

  private show(document: vscode.TextDocument): void {
    if (document.uri.scheme !== 'file' || !document.uri.path.endsWith('/kymo.json')) return;
    const diagnostics = wrongExpectations(document.getText()).map(({ offset, length, message }) => {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
      diagnostic.source = 'Kymo';
      return diagnostic;
    });
    this.collection.set(document.uri, diagnostics);
  }

  dispose(): void {
    clearTimeout(this.settled);
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
