// 20,000 functions in the Instrumentation view: filter, check box, and what that costs the extension host.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { writeStudy } from '../lib/studies.mjs';
import { viewsOf } from '../lib/views.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

const functionCount = 20_000;
const fileCount = 100;

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    writeStudy(folder, { target: 'tiny', functions: manyFunctions(folder) });
    await withSession({ ...options, folder }, async (session) => {
      const views = viewsOf(session.page);
      await showing(report, session, views);
      await filtering(report, session, views);
      await pinning(report, session, views, folder);
      await report.check('no error in the page', () => {
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

/** As a large C++ program has them: long names, most of them out, a few that take time; one file holds a tenth. */
function manyFunctions(folder) {
  return Array.from({ length: functionCount }, (_, n) => {
    const file = n % 10 === 0 ? 0 : n % fileCount;
    const measured = { visits: 1 + (n % 1000), inclusiveShare: 1 / (n + 1), exclusiveShare: 0.5 / (n + 1) };
    return {
      key: `_ZN6solver6Kernel${n}Ev`,
      name: `solver::Kernel<std::vector<double, std::allocator<double> >, ${n % 7}>::apply${n}(int, double const*)`,
      file: path.join(folder, `src/part${file % 10}/unit${file}.cpp`),
      line: 10 + n * 8,
      endLine: 16 + n * 8,
      selected: n < 300,
      reason: n < 300 ? 'in: it is a hot spot' : 'out: <0.1 % of the run time is spent in it and its callees',
      ...(n < 5000 ? measured : {}),
    };
  });
}

/** Does it, and prints how long the extension host could do nothing else; what a busy machine adds is not judged. */
async function measured(report, inHost, what, action) {
  await inHost(() => {
    blocked.milliseconds = 0;
  });
  await action();
  const milliseconds = await inHost(() => blocked.milliseconds);
  report.figure(`extension host blocked at most ${what} (ms)`, milliseconds.toFixed(1));
}

async function showing(report, { workbench, inHost }, views) {
  await report.check(`${functionCount} functions are shown by folder and file`, async () => {
    await measured(report, inHost, 'from the activation to the tree', async () => {
      await workbench.showView();
      await views.row('Instrumentation', 'part0').waitFor();
    });
    await workbench.screenshot('large-tree');
  });
  await report.check('they are read again', async () => {
    await measured(report, inHost, 'when all is read again', async () => {
      await inHost(() => vscode.commands.executeCommand('kymo.experiments.refresh'));
      await workbench.page.waitForTimeout(3000);
      await views.row('Instrumentation', 'part0').waitFor();
    });
  });
  await report.check('a file with 2,000 of them shows the first 500, and more when asked', async () => {
    await views.open('Instrumentation', 'part0', 'unit0.cpp');
    await measured(report, inHost, 'when a large file is opened', () =>
      views.open('Instrumentation', 'unit0.cpp', '::apply0('),
    );
    await views.row('Instrumentation', '::apply0(').click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('Home');
    await until('the row for more', async () => {
      if (await views.row('Instrumentation', '1500 more…').isVisible()) return true;
      await workbench.page.keyboard.press('PageDown');
      return false;
    });
    await workbench.screenshot('large-tree-more');
    await measured(report, inHost, 'when 500 more are shown', async () => {
      await views.row('Instrumentation', '1500 more…').click();
      await until(
        'the row to go',
        async () => !(await views.row('Instrumentation', '1500 more…').isVisible()),
      );
    });
    await inHost(() =>
      vscode.commands.executeCommand('workbench.actions.treeView.kymo.instrumentation.collapseAll'),
    );
  });
}

async function filtering(report, { workbench, page, inHost }, views) {
  await report.check('a filter is followed while typing', async () => {
    await inHost(() => void vscode.commands.executeCommand('kymo.instrumentation.filter'));
    const input = page.locator('.quick-input-widget input[placeholder^="Words in name"]');
    await input.waitFor();
    await measured(report, inHost, 'while a filter is typed', async () => {
      await input.pressSequentially('apply1999', { delay: 60 });
      await views.row('Instrumentation', 'apply19990(').waitFor();
    });
    await page.keyboard.press('Enter');
    const message = views.pane('Instrumentation').locator('.message', { hasText: /: 11 of 20000 functions/ });
    await message.waitFor();
    await workbench.screenshot('large-tree-filter');
  });
}

async function pinning(report, { workbench, inHost }, views, folder) {
  await report.check('a tick pins one of them', async () => {
    const row = () => views.row('Instrumentation', 'apply19990(');
    await measured(report, inHost, 'when one is pinned', async () => {
      await row().locator('.monaco-custom-toggle').click();
      await until('the pin', () => existsSync(path.join(folder, '.kymo/pins.json')));
      await row().filter({ hasText: 'in next run' }).waitFor();
    });
    const { pins } = JSON.parse(readFileSync(path.join(folder, '.kymo/pins.json'), 'utf8'));
    const [pin] = pins;
    assert(
      pins.length === 1 && pin.state === 'in' && pin.key === '_ZN6solver6Kernel19990Ev',
      JSON.stringify(pins),
    );
    await inHost(() => void vscode.commands.executeCommand('kymo.instrumentation.clearFilter'));
    await views.row('Instrumentation', 'part0').waitFor();
    await workbench.screenshot('large-tree-pinned');
  });
}
