// Two runs of one problem.
import path from 'node:path';
import { until } from '../../lib/report.mjs';
import { files } from './series.mjs';

export async function compared(report, { workbench, page, inHost }, folder) {
  await report.check('two runs are compared by what both advance along', async () => {
    await inHost(
      (given) => {
        void vscode.commands.executeCommand('kymo.compareDynamics', { kind: 'files', files: given });
      },
      [path.join(folder, files.run)],
    );
    await workbench.pick('Open File…');
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    // The dialog writes where it begins once it has looked there.
    await until('the dialog', async () => (await input.inputValue()).endsWith('/'));
    await enter(page, input, path.join(folder, files.large[0]));
    await workbench.pick('a series that both runs have');
    await until('the question', async () => (await input.getAttribute('placeholder')) === 'dt');
    await input.fill('dt');
    await page.keyboard.press('Enter');
    await workbench.seen('Two runs by a common axis');
    await workbench.seen('One run is the better one in all phases');
    await workbench.screenshot('dynamics-compared');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}

/** Names a file in the dialog: what it lists comes late on a busy machine, and then replaces what was written or ignores the key. */
function enter(page, input, file) {
  return until('the dialog to take the file', async () => {
    // The question that comes next begins empty, in the same place.
    const value = (await input.isVisible()) ? await input.inputValue() : '';
    if (value === '') return true;
    if (value !== file) await input.fill(file);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(1000);
    return false;
  });
}
