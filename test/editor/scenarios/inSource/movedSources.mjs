// Source files that were moved or renamed since they were measured.
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { lensesByLine, warningsOf } from './inEditor.mjs';

export async function movedSources(report, here) {
  const { inHost, folder, main, header, workbench } = here;
  const moved = path.join(folder, 'kernels', 'stencil.cpp');
  const before = await lensesByLine(here, main);
  await report.check('a copy of a measured file has no lenses', async () => {
    const copy = path.join(folder, 'copy.cpp');
    copyFileSync(main, copy);
    assert((await lensesByLine(here, copy)).length === 0, 'lenses in a copy');
    rmSync(copy);
  });
  await report.check('a file that was moved and renamed keeps lenses and warnings, and says so', async () => {
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    mkdirSync(path.dirname(moved));
    renameSync(main, moved);
    await inHost(() => vscode.commands.executeCommand('kymo.experiments.refresh'));
    // Not by Quick Open: the list of files is not that of this moment.
    await inHost((name) => vscode.window.showTextDocument(vscode.Uri.file(name)).then(() => true), moved);
    await workbench.lens('·').waitFor();
    const after = await lensesByLine(here, moved);
    assert(JSON.stringify(after) === JSON.stringify(before), after.join('\n'));
    await until('the warnings to go with it', async () => {
      const [old, now] = [await warningsOf(here, main), await warningsOf(here, moved)];
      return old.length === 0 && now.length > 0;
    });
    const [inlined] = await until('the warning of the inlined function', () => warningsOf(here, header));
    assert(
      inlined.related.some(({ file }) => file === moved),
      `callers: ${JSON.stringify(inlined.related)}`,
    );
    const hover = await inHost(async (name) => {
      const uri = vscode.Uri.file(name);
      const document = await vscode.workspace.openTextDocument(uri);
      const at = document.positionAt(document.getText().indexOf(' main(') + 2);
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, at);
      return hovers.flatMap(({ contents }) => contents.map((one) => one.value ?? '')).join('\n');
    }, moved);
    assert(/Measured as main\\?\.cpp/.test(hover), hover);
  });
  await report.check('the way to a caller leads to where its file is today', async () => {
    await inHost((name) => {
      // Not awaited: it ends with what is picked.
      void vscode.commands.executeCommand('kymo.goToCallers', vscode.Uri.file(name).toString(), 25_002);
    }, header);
    await workbench.pick('main.cpp');
    await until('the moved file to be shown', () =>
      inHost((name) => {
        const editor = vscode.window.activeTextEditor;
        const text = editor?.document.lineAt(editor.selection.active.line).text ?? '';
        return editor?.document.fileName === name && text.includes('int main(');
      }, moved),
    );
  });
  await report.check('back in its place, it is as it was', async () => {
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    renameSync(moved, main);
    rmSync(path.dirname(moved), { recursive: true });
    await inHost(() => vscode.commands.executeCommand('kymo.experiments.refresh'));
    const after = await lensesByLine(here, main);
    assert(JSON.stringify(after) === JSON.stringify(before), after.join('\n'));
  });
}
