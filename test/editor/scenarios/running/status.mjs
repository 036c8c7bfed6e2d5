// Status bar and language status; what the machine and the extension say about themselves.
import os from 'node:os';
import { assert, until } from '../../lib/report.mjs';
import { processesIn } from '../../lib/workspace.mjs';
import { clean } from './shared.mjs';

export async function status(report, { workbench, inHost, page }, folder) {
  const item = page.locator('.statusbar-item', { hasText: 'tiny:' }).first();
  await report.check('the status bar shows the phases of a refinement, and stops it on demand', async () => {
    await workbench.openFile('main.cpp');
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await item.waitFor();
    await item.click();
    await workbench.quickPickRow('Stop refining tiny').waitFor();
    await workbench.screenshot('running-status');
    await page.keyboard.press('Escape');
    const seen = new Set();
    await until(
      'the end of the refinement',
      async () => {
        const icon = await item
          .locator('.codicon')
          .first()
          .getAttribute('class', { timeout: 500 })
          .catch(() => '');
        for (const phase of ['tools', 'sync', 'lightbulb'])
          if (icon?.includes(`codicon-${phase}`)) seen.add(phase);
        return (await workbench.toast('functions instrumented').count()) > 0;
      },
      300_000,
    );
    report.figure('phases seen in the status bar', [...seen].join(', '));
    assert(seen.has('tools') || seen.has('sync'), 'no phase was seen');
    await item.waitFor({ state: 'hidden' });
    await clean(inHost);
  });
  await report.check(
    'the language status says how much is instrumented and how old the numbers are',
    async () => {
      await workbench.openFile('main.cpp');
      const text = await workbench.languageStatus(/instrumented \d+ of \d+/);
      report.figure('language status', text);
      assert(/instrumented \d+ of \d+.*data from run \d+ · up to date/.test(text), text);
      await workbench.screenshot('running-language-status');
      await inHost(async () => {
        const editor = vscode.window.activeTextEditor;
        const line = editor.document
          .getText()
          .split('\n')
          .findIndex((one) => one.includes('field.swap'));
        await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), '  // changed\n'));
      });
      const edited = await workbench.languageStatus(/1 edit old/);
      report.figure('language status after an edit', edited);
      await inHost(() => vscode.commands.executeCommand('workbench.action.files.revert'));
    },
  );
  assert(processesIn(folder).length === 0, processesIn(folder).join('\n'));
}

export async function diagnostics(report, { workbench, inHost }) {
  await report.check('Collect Diagnostics writes a document that names nobody', async () => {
    await workbench.runCommand('Kymo: Collect Diagnostics');
    const text = await until('the document', () =>
      inHost(() => {
        const document = vscode.window.activeTextEditor?.document;
        return document?.getText().startsWith('# Kymo diagnostics') ? document.getText() : undefined;
      }),
    );
    for (const part of ['| Kymo |', '"compilers"', 'Refining tiny', '## Folder tiny'])
      assert(text.includes(part), `${part} is not in ${text}`);
    assert(!text.includes(os.homedir() === '/' ? '\0' : `${os.homedir()}/`), 'it has the home folder');
    await workbench.screenshot('running-diagnostics');
    await inHost(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  });
  await report.check('Run Doctor shows a page with a table of the tools of the machine', async () => {
    await workbench.runCommand('Kymo: Run Doctor');
    await workbench.tab('Kymo Doctor').waitFor();
    await workbench.seen('C compiler');
    await workbench.screenshot('running-doctor');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}
