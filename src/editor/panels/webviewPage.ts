import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageHtml } from './html';

/** Puts the page of a view (`webview/<view>`) into a webview, which may load nothing but the view's own bundle. */
export function showPage(webview: vscode.Webview, extension: vscode.Uri, view: string, title: string): void {
  const folder = vscode.Uri.joinPath(extension, 'dist', 'webview');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    title,
    script: file(`${view}.js`),
    style: file(`${view}.css`),
    source: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
  });
}
