// Records what VS Code gives a webview in each of its default themes: variables, classes and the default style.
//     node test/webview/recordThemes.mjs FILE.vsix     (any package of the extension; writes test/webview/fixtures/themes.json)
// The file is real output of VS Code (its version is in it); run this again when the tests get a newer one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureVscodeHost } from '../../scripts/vscode-host.mjs';
import { withSession } from '../editor/lib/session.mjs';

const themes = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-themes-'));
const options = {
  host: ensureVscodeHost(),
  vsix: path.resolve(process.argv[2]),
  folder,
  screenshots: folder,
};
await withSession(options, async ({ inHost }) => {
  const recorded = {};
  for (const [name, theme] of Object.entries(themes)) recorded[name] = await inHost(pageInTheme, theme);
  const version = await inHost(() => vscode.version);
  const file = path.join(import.meta.dirname, 'fixtures/themes.json');
  mkdirSync(path.dirname(file), { recursive: true });
  const about = `Recorded from VS Code ${version} by test/webview/recordThemes.mjs; not written by hand.`;
  writeFileSync(file, `${JSON.stringify({ about, themes: recorded }, undefined, 1)}\n`);
  for (const [name, { bodyClass, style }] of Object.entries(recorded))
    console.log(`${name}: ${bodyClass}, ${style.split(';').length} variables`);
});
rmSync(folder, { recursive: true, force: true });

/** Runs in the extension host: shows a webview in a theme and lets it tell what it was given. */
async function pageInTheme(theme) {
  await vscode.workspace
    .getConfiguration('workbench')
    .update('colorTheme', theme, vscode.ConfigurationTarget.Global);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const panel = vscode.window.createWebviewPanel('probe', 'probe', vscode.ViewColumn.One, {
    enableScripts: true,
  });
  const told = new Promise((resolve) => panel.webview.onDidReceiveMessage(resolve));
  panel.webview.html = `<!DOCTYPE html><html><body><script>
    const tell = () => acquireVsCodeApi().postMessage({
      style: document.documentElement.getAttribute('style'),
      bodyClass: document.body.className,
      data: { ...document.body.dataset },
      defaults: document.getElementById('_defaultStyles')?.textContent ?? '',
    });
    setTimeout(tell, 500);
  </script></body></html>`;
  const page = await told;
  panel.dispose();
  return page;
}
