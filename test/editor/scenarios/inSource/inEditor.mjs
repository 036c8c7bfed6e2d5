// What the tests of this folder ask the editor, and do in it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../lib/report.mjs';

/** Lens titles by the text of the line that they stand above, as the provider gives them. */
export async function lensesByLine({ inHost }, file) {
  return inHost(async (name) => {
    const uri = vscode.Uri.file(name);
    const document = await vscode.workspace.openTextDocument(uri);
    const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri);
    return lenses
      .filter((lens) => lens.command?.command === 'kymo.explainFunctions')
      .map((lens) => [document.lineAt(lens.range.start.line).text, lens.command.title]);
  }, file);
}

/** Opens a file of the workspace and waits until the extension host knows its editor, too. */
export async function openFile({ workbench, inHost }, file) {
  await workbench.openFile(path.basename(file));
  await until(`the editor of ${file}`, () =>
    inHost((name) => vscode.window.activeTextEditor?.document.fileName === name, file),
  );
}

/** Puts the cursor behind the first line with `text`. */
export async function cursorAt({ inHost }, text) {
  await until('an editor', () => inHost(() => vscode.window.activeTextEditor !== undefined));
  await inHost(async (wanted) => {
    const editor = vscode.window.activeTextEditor;
    const line = editor.document
      .getText()
      .split('\n')
      .findIndex((one) => one.includes(wanted));
    const at = editor.document.lineAt(line).range.end;
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
  }, text);
  await inHost(() => vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup'));
}

export function warningsOf({ inHost }, file) {
  return inHost(
    (name) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(name))
        .filter(({ source }) => source === 'Kymo')
        .map(({ code, message, range, relatedInformation }) => ({
          code,
          message,
          line: range.start.line,
          related: (relatedInformation ?? []).map(({ message: text, location }) => ({
            message: text,
            file: location.uri.fsPath,
            line: location.range.start.line,
          })),
        })),
    file,
  );
}

export function studyFolder(folder) {
  const target = path.join(folder, '.kymo/tiny');
  const last = readdirSync(target)
    .filter((one) => one.startsWith('refine-'))
    .sort()
    .at(-1);
  return path.join(target, last);
}

export function functionsFile(folder) {
  return JSON.parse(readFileSync(path.join(studyFolder(folder), 'functions.json'), 'utf8'));
}

export function setSetting({ inHost }, key, value) {
  return inHost(
    (id, to) => vscode.workspace.getConfiguration().update(id, to, vscode.ConfigurationTarget.Global),
    key,
    value,
  );
}
