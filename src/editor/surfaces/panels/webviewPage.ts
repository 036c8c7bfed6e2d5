import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageHtml } from './html';

/** The only folder that webviews may load from. */
function bundles(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'dist', 'webview');
}

/** The permissions of a webview. */
export function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [bundles(extension)],
  };
}

/** Loads a view's page (`dist/webview/<view>.js`) into a webview; its script then announces that it is ready. */
export function fillWebview(panel: vscode.WebviewPanel, extension: vscode.Uri, view: string): void {
  const { webview, title } = panel;
  const uri = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(bundles(extension), file)).toString();
  webview.options = webviewOptions(extension);
  webview.html = pageHtml({
    title,
    script: uri(`${view}.js`),
    style: uri(`${view}.css`),
    source: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
  });
}
