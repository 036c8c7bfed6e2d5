// From nothing, and from a file, to the panel and the rows.
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { viewsOf } from '../../lib/views.mjs';
import { closePanels, openWith, panel } from './panel.mjs';
import { files } from './series.mjs';

export async function nothingYet(report, { workbench, page }) {
  await report.check('without iterations the command says how to get them', async () => {
    await workbench.runCommand('Kymo: Show Performance Dynamics');
    await workbench.message('Mark the function that runs once per time step');
    await workbench.screenshot('dynamics-none');
    await page.keyboard.press('Escape');
  });
}

export async function opens(report, { workbench, page, inHost }) {
  await report.check('a series file opens from the Explorer, and its properties are listed', async () => {
    await inHost(async () => {
      blocked.milliseconds = 0;
      await vscode.commands.executeCommand('workbench.view.explorer');
    });
    const began = Date.now();
    await workbench.rowAction(files.run, 'Show Performance Dynamics');
    const frame = await panel(page);
    await frame.getByText('Degradation trend', { exact: false }).first().waitFor();
    report.figure('from the menu to what was found (ms)', Date.now() - began);
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by it (ms, bar 50)', milliseconds.toFixed(1));
    await workbench.screenshot('dynamics-dark');
    await workbench.showView();
    const { row } = viewsOf(page);
    await row('Properties', 'Degradation trends').waitFor();
    const shown = await row('Properties', '[33–128]').innerText();
    assert(/sweep/.test(shown) && /%/.test(shown) && /ranks 4-6/.test(shown), shown);
    await workbench.screenshot('dynamics-properties');
  });
}

export async function damaged(report, session, folder) {
  const { page, workbench } = session;
  await report.check('a series file that cannot be read says where and why', async () => {
    await closePanels(session);
    await openWith(session, path.join(folder, files.broken));
    const frame = await panel(page, '.message-area[role="alert"]:visible');
    await until('the reason', async () =>
      /broken\.kseries\.ndjson.*2/s.test(await frame.getByRole('alert').innerText()),
    );
    await workbench.screenshot('dynamics-damaged');
    await closePanels(session);
  });
}
