// Completion while a filter is typed, and its formatting.
import { assert, until } from '../../lib/report.mjs';
import { openFile } from '../inSource/inEditor.mjs';
import { names } from './program.mjs';

export async function writing(report, here) {
  const { workbench, page, inHost, file } = here;
  await report.check('names are completed from parts of them, with what must stand before them', async () => {
    await openFile(here, file('new.filter'));
    await page.keyboard.type('SCOREP_R');
    const widget = page.locator('.suggest-widget .monaco-list-row');
    await widget.filter({ hasText: 'SCOREP_REGION_NAMES_BEGIN' }).first().waitFor();
    await workbench.screenshot('filter-completion-keywords');
    await page.keyboard.press('Enter');
    await page.keyboard.type('swe');
    await widget.filter({ hasText: 'sweep' }).first().waitFor();
    await workbench.screenshot('filter-completion-names');
    await page.keyboard.press('Enter');
    await until('the name', async () => (await text(here)).includes(`INCLUDE MANGLED ${names.sweep}`));
    await page.keyboard.press('Enter');
    await page.keyboard.type('INCLUDE man');
    await widget.filter({ hasText: 'many(int)' }).first().click();
    await until('the name behind its own MANGLED', async () =>
      (await text(here)).includes(`INCLUDE MANGLED ${names.many}`),
    );
  });
  await report.check('formatting changes the layout of a filter, and not its meaning', async () => {
    await inHost(async () => {
      const { document } = vscode.window.activeTextEditor;
      const edit = new vscode.WorkspaceEdit();
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      edit.replace(
        document.uri,
        all,
        'SCOREP_REGION_NAMES_BEGIN EXCLUDE * # all\nINCLUDE   MANGLED a   b\nSCOREP_REGION_NAMES_END',
      );
      await vscode.workspace.applyEdit(edit);
      await vscode.commands.executeCommand('editor.action.formatDocument');
    });
    const wanted =
      'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *  # all\n  INCLUDE MANGLED a\n  INCLUDE MANGLED b\nSCOREP_REGION_NAMES_END\n';
    assert((await text(here)) === wanted, await text(here));
    await inHost(() => vscode.commands.executeCommand('workbench.action.files.save'));
  });
}

function text({ inHost }) {
  return inHost(() => vscode.window.activeTextEditor.document.getText());
}
