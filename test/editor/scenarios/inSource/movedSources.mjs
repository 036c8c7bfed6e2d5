/* global vscode -- functions given to `inHost` run in the extension host */
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
    await workbench.openFile('stencil.cpp');
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
  await report.check('back in its place, it is as it was', async () => {
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    renameSync(moved, main);
    rmSync(path.dirname(moved), { recursive: true });
    await inHost(() => vscode.commands.executeCommand('kymo.experiments.refresh'));
    const after = await lensesByLine(here, main);
    assert(JSON.stringify(after) === JSON.stringify(before), after.join('\n'));
  });
}
