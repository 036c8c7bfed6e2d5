// Rules of one's own, while one writes them.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';

/** Where a key may stand. */
const blank = ' '.repeat(6);
/** A kind that there is not, and a key of the other level. */
const text = `{
  // Rules of this study.
  "kymoRules": 1,
  "rules": [
    {
      "id": "halo",
      "level": "static",
      "title": "Halo exchange",
      "kind": "comunication",
      "condition": "sum(time) / phaseTime > 0.02",
      "severity": "sum(time) / phaseTime"
    },
    {
      "id": "slow",
      "level": "dynamic",
      "names": "*",
      "title": "Slow",
      "condition": "sum(trends) / phaseTime > 0.2",
${blank}
    },
  ],
}
`;
const emptyLine = text.indexOf(`\n${blank}\n`) + 1 + blank.length;
const kind = text.indexOf('comunication');

/** Not at the root of the workspace: there it would be a part of the analyses. */
export async function rulesWritten(report, session, folder) {
  const { inHost, page, workbench } = session;
  const file = path.join(folder, 'studies', 'kymo.rules.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, text);
  await report.check('mistakes in a file of rules are marked while one writes it', async () => {
    await inHost(async (name) => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(name));
      await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
    }, file);
    const problems = await until('what is wrong', async () => {
      const found = await problemsOf(session, file);
      return found.length > 0 && found;
    });
    assert(problems.length === 2, problems.join(' | '));
    assert(/^9: .*"communication"/.test(problems[0]), problems[0]);
    assert(/^16: .*names/.test(problems[1]), problems[1]);
  });
  await report.check('what may stand in a file of rules is offered, by the level of the rule', async () => {
    const keys = await offered(session, file, emptyLine);
    assert(keys.includes('each') && !keys.includes('regions'), keys.join());
    const kinds = await offered(session, file, kind);
    assert(kinds.includes('"imbalance"') && !kinds.includes('"improvement"'), kinds.join());
    await inHost((at) => {
      const editor = vscode.window.activeTextEditor;
      const position = editor.document.positionAt(at);
      editor.selection = new vscode.Selection(position, position);
      return vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    }, emptyLine);
    await inHost(() => vscode.commands.executeCommand('editor.action.triggerSuggest'));
    await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'each' }).first().waitFor();
    await workbench.screenshot('dynamics-rules');
    await page.keyboard.press('Escape');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}

/** `line: message` of each. */
function problemsOf({ inHost }, file) {
  return inHost(
    (name) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(name))
        .map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    file,
  );
}

/** Labels of what is offered at a place of the text. */
function offered({ inHost }, file, at) {
  return inHost(
    async (name, offset) => {
      const { uri, positionAt } = await vscode.workspace.openTextDocument(name);
      const { items } = await vscode.commands.executeCommand(
        'vscode.executeCompletionItemProvider',
        uri,
        positionAt(offset),
      );
      return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    },
    file,
    at,
  );
}
