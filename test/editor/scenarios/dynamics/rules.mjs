/* global vscode -- functions given to `inHost` run in the extension host */
// Rules of one's own, while one writes them.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';

const text = `{
  // Rules of this study.
  "kymoRules": 1,
  "rules": [
    { "id": "halo", "level": "static", "title": "Halo", "condition": "sum(time) > 1", "severity": "1", "kind": "hotspot" },
    { "id": "slow", "level": "dynamic", "title": "Slow", "condition": "sum(trends) > 1", "names": "*" },
  ],
}
`;

/** Not at the root of the workspace: there it would be a part of the analyses. */
export async function rulesWritten(report, { inHost, page, workbench }, folder) {
  const file = path.join(folder, 'studies', 'kymo.rules.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, text);
  await report.check('a file of rules is described, completed and checked while one writes it', async () => {
    await inHost(async (name) => {
      const document = await vscode.workspace.openTextDocument(name);
      await vscode.window.showTextDocument(document);
    }, file);
    const problems = await until('what is wrong', async () => {
      const found = await inHost(
        (name) =>
          vscode.languages
            .getDiagnostics(vscode.Uri.file(name))
            .map(({ message, range }) => `${range.start.line + 1}: ${message}`),
        file,
      );
      return found.length > 0 && found;
    });
    assert(problems.length === 2, problems.join(' | '));
    assert(/^5: .*"hot-spot"/.test(problems[0]), problems[0]);
    assert(/^6: .*names/.test(problems[1]), problems[1]);
    const offered = (wanted) =>
      inHost(
        async (name, before) => {
          const document = await vscode.workspace.openTextDocument(name);
          const at = document.positionAt(document.getText().indexOf(before) + before.length);
          const { items } = await vscode.commands.executeCommand(
            'vscode.executeCompletionItemProvider',
            document.uri,
            at,
          );
          return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
        },
        file,
        wanted,
      );
    const kinds = await offered('"kind": "');
    assert(kinds.includes('"imbalance"') && !kinds.includes('"improvement"'), kinds.join());
    const keys = await offered('"names": "*"');
    assert(Array.isArray(keys), 'no completion');
    const levels = await offered('"id": "halo", "level": "');
    assert(levels.includes('"static"') && levels.includes('"dynamic"'), levels.join());
    await page.locator('.squiggly-warning, .squiggly-error').first().waitFor();
    await workbench.screenshot('dynamics-rules');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}
