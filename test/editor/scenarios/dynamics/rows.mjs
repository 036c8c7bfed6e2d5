// The rows in the Properties view: grouped, from a threshold on, exported.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { viewsOf } from '../../lib/views.mjs';

export async function rankSets(report, { workbench, page, inHost }) {
  await report.check('the same by rank set, and from a threshold on', async () => {
    await inHost(() => vscode.commands.executeCommand('kymo.properties.groupBy.ranks'));
    const { row } = viewsOf(page);
    await row('Properties', 'ranks 4-6').waitFor();
    await row('Properties', 'rank 0').waitFor();
    await workbench.screenshot('dynamics-rank-sets');
    await inHost(() => vscode.workspace.getConfiguration('kymo').update('properties.threshold', 20, false));
    await row('Properties', 'rank 0').waitFor({ state: 'detached' });
    await inHost(async () => {
      await vscode.workspace.getConfiguration('kymo').update('properties.threshold', undefined, false);
      await vscode.commands.executeCommand('kymo.properties.groupBy.kind');
    });
    await row('Properties', 'Late ranks').waitFor();
  });
}

export async function exports(report, { page, inHost }, folder) {
  await report.check('the report is exported from the Properties view', async () => {
    await inHost(() => void vscode.commands.executeCommand('kymo.properties.export'));
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    // The dialog writes the name that is suggested once it has looked at the folder.
    await until('the suggested name', async () => (await input.inputValue()).endsWith('.json'));
    const wanted = path.join(folder, path.basename(await input.inputValue()));
    await page.keyboard.press('Enter');
    await until(
      'the file',
      () => existsSync(wanted) && readFileSync(wanted, 'utf8').includes('degradation-trend'),
    );
    const { properties } = JSON.parse(readFileSync(wanted, 'utf8'));
    assert(
      properties.some(({ kind, ranks }) => kind === 'late-rank' && ranks === '0'),
      'no late rank',
    );
    rmSync(wanted);
  });
}
