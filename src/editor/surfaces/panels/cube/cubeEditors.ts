import * as vscode from 'vscode';
import type { CubeEvents, CubeRequests } from '../../../../protocol/cube';
import type { Kymo } from '../../../state/kymo';
import { PanelChannel } from '../panelChannel';
import { fillWebview } from '../webviewPage';
import { CubeEditor, type CubeDocument } from './cubeEditor';

const viewType = 'kymo.cube';
/** After this time without a request, the next one opens the file again. */
const idleMilliseconds = 5 * 60_000;

/** Opens `.cubex` files in custom editors. An editor always opens, and shows the error of an unreadable file. */
export class CubeEditors implements vscode.CustomReadonlyEditorProvider<CubeDocument>, vscode.Disposable {
  private readonly registration: vscode.Disposable;
  /** Connections that end with the extension. The editors stay, because a reloaded window opens them again. */
  private readonly connections = new Set<vscode.Disposable>();

  constructor(private readonly kymo: Kymo) {
    this.registration = vscode.window.registerCustomEditorProvider(viewType, this, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: false, enableFindWidget: false },
    });
  }

  openCustomDocument(uri: vscode.Uri): CubeDocument {
    const questions = this.kymo.engine.document(idleMilliseconds);
    return { uri, questions, dispose: () => questions.dispose() };
  }

  resolveCustomEditor(document: CubeDocument, panel: vscode.WebviewPanel): void {
    const { log } = this.kymo;
    const link: { channel?: PanelChannel<CubeRequests, CubeEvents> } = {};
    const editor = new CubeEditor(this.kymo, document, panel, (name, value) =>
      link.channel?.tell(name, value),
    );
    const channel = new PanelChannel<CubeRequests, CubeEvents>(
      panel.webview,
      editor.answers,
      () => undefined,
      (why) => log.warn(`${viewType}: refused ${why}`),
    );
    link.channel = channel;
    const connection = new vscode.Disposable(() => {
      channel.dispose();
      editor.dispose();
    });
    this.connections.add(connection);
    panel.onDidChangeViewState(() => {
      // A hidden webview no longer exists; a new one announces itself when the editor is shown.
      if (!panel.visible) channel.pause();
    });
    panel.onDidDispose(() => {
      this.connections.delete(connection);
      connection.dispose();
    });
    fillWebview(panel, this.kymo.extension.extensionUri, 'cube');
  }

  dispose(): void {
    this.registration.dispose();
    for (const connection of this.connections) connection.dispose();
    this.connections.clear();
  }
}
