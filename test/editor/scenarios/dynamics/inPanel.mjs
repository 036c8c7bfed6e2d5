// The panel: what it shows of a row and leads to, and that it is the same after a reload.
import { patience } from '../../lib/patience.mjs';
import { until } from '../../lib/report.mjs';
import { viewsOf } from '../../lib/views.mjs';
import { panel } from './panel.mjs';

export async function inPanel(report, { workbench, page, inHost }) {
  await report.check('a property is shown in the panel from the tree and from its lens', async () => {
    const { row } = viewsOf(page);
    await workbench.openMenuOf(row('Properties', '[20], [52], [84]'));
    await workbench.choose('Show in Dynamics Panel');
    const frame = await panel(page);
    const selected = frame.locator('.grid-row.selected:visible');
    await until('the property in the panel', async () =>
      (await selected.allInnerTexts()).some((text) => /20|peak/i.test(text)),
    );
    await workbench.screenshot('dynamics-chosen');
    await workbench.openFile('main.cpp');
    // A click is lost when the lenses are drawn anew under it.
    const isShown = () => workbench.page.locator('.tab.active', { hasText: 'Dynamics' }).isVisible();
    await until(
      'the panel to come by a click on the lens',
      async () => {
        if (await isShown()) return true;
        await workbench
          .lens('degradation trend')
          .locator('a')
          .first()
          .click({ timeout: patience(2000) });
        await page.waitForTimeout(1000);
        return isShown();
      },
      30_000,
    );
    const chosen = (await panel(page)).locator('.grid-row.selected:visible');
    await until('the other property', async () =>
      (await chosen.allInnerTexts()).some((text) => /sweep.*33–128/s.test(text)),
    );
  });
  await report.check('a region is opened from the panel', async () => {
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeOtherEditors'));
    const frame = await panel(page);
    await frame.locator('.grid-row.selected:visible').first().dblclick();
    await until('the source', () =>
      inHost(() => vscode.window.activeTextEditor?.document.uri.path.endsWith('/main.cpp') === true),
    );
  });
}

export async function reload(report, { page, workbench }) {
  await report.check('after a reload of the window the panel shows the same', async () => {
    await workbench.tab('Dynamics').click();
    const frame = await panel(page);
    await frame.locator('.grid-row:visible').first().waitFor();
    await workbench.reloadWindow();
    const fresh = await panel(page);
    await fresh.getByText('Degradation trend', { exact: false }).first().waitFor();
  });
}
