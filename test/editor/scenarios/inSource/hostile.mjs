// Names that would do harm.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { studyFolder, warningsOf } from './inEditor.mjs';

export async function hostileStudies(report, here) {
  const { workbench, folder, inHost, main, page } = here;
  await report.check('names with HTML and of 10 kB are shown as text, and cut', async () => {
    const file = path.join(studyFolder(folder), 'functions.json');
    const text = readFileSync(file, 'utf8');
    const { kymoFunctions, functions } = JSON.parse(text);
    const hostile = '<img src=x onerror=alert(1)>[run](command:workbench.action.terminal.new)';
    const renamed = functions.map((one, at) => ({
      ...one,
      name: at % 2 === 0 ? `${hostile}${one.name}` : `${one.name}${'<long>'.repeat(2000)}`,
    }));
    writeFileSync(file, JSON.stringify({ kymoFunctions, functions: renamed }));
    await inHost(() => vscode.commands.executeCommand('kymo.experiments.refresh'));
    await workbench.openFile('main.cpp');
    await workbench.lens('·').waitFor();
    await until('hostile names in warnings', async () =>
      (await warningsOf(here, main)).some(({ message }) => message.includes('<')),
    );
    await workbench.lens('·').locator('a').first().click();
    await workbench.quickPickRow('nstrumented').waitFor();
    await workbench.screenshot('in-source-hostile');
    assert(
      (await page.locator('.quick-input-widget img').count()) === 0,
      'markup of a name became an element',
    );
    await page.keyboard.press('Escape');
    writeFileSync(file, text);
  });
}
