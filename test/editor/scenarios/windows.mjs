// Who else refines here: the command line, a second window, a window that reloads in the middle.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { refinementPanel } from '../lib/panels.mjs';
import { patience } from '../lib/patience.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { processesIn, withWorkspace } from '../lib/workspace.mjs';
import { clean, endless } from './running/shared.mjs';

export async function run(report, options) {
  await withWorkspace((folder) => {
    slowDown(folder);
    return withSession({ ...options, folder }, async (session) => {
      await commandLine(report, session, folder);
      await commandLineIsKilled(report, session, folder);
      await twoWindows(report, session, folder, options);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

/**
 * Runs that wait for two seconds, so that a person can watch rounds arrive: one takes longer than the 4 s after which a window looks by
 * itself, and the processor has nothing to do meanwhile.
 */
function slowDown(folder) {
  const file = path.join(folder, 'main.cpp');
  const text = readFileSync(file, 'utf8')
    .replace('#include <cstdio>', '#include <chrono>\n#include <cstdio>\n#include <thread>')
    .replace(
      'double change = 0;\n  for (int step',
      'double change = 0;\n  std::this_thread::sleep_for(std::chrono::seconds(2));\n  for (int step',
    );
  writeFileSync(file, text);
}

/** `kymo refine` of the packaged extension in a terminal of its own. */
async function refineInTerminal(inHost, folder) {
  const extension = await inHost(() => vscode.extensions.getExtension('kymo.kymo').extensionPath);
  const child = spawn(
    process.execPath,
    [
      path.join(extension, 'dist/cli.js'),
      ...['refine', '--fresh', '--target', 'tiny', '--workspace', folder],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (piece) => (said += piece));
  const ended = new Promise((resolve) =>
    child.once('exit', (status, signal) => resolve(`${signal ?? status}${status === 1 ? `: ${said}` : ''}`)),
  );
  return { child, ended };
}

async function commandLine(report, { workbench, inHost, page }, folder) {
  await workbench.showView();
  const { child, ended } = await refineInTerminal(inHost, folder);
  const item = page.locator('.statusbar-item', { hasText: 'tiny: refined elsewhere' }).first();
  await report.check(
    'a refinement of the command line is in the status bar, and can be watched',
    async () => {
      const over = ended.then((end) => assert(false, `the command line ended with ${end}`));
      over.catch(() => undefined);
      await Promise.race([item.waitFor(), over]);
      await item.click();
      await workbench.quickPickRow('Watch the Refinement of tiny').waitFor();
      await workbench.screenshot('windows-status');
      await workbench.pick('Watch the Refinement of tiny');
      const frame = await refinementPanel(page);
      await frame.locator('.title-row', { hasText: 'Running elsewhere' }).waitFor();
      await frame.locator('.doing', { hasText: `process ${child.pid} on ` }).waitFor();
    },
  );
  await report.check(
    'meanwhile this window refuses to begin another one, and names the process that refines',
    async () => {
      await workbench.runCommand('Kymo: Refine Instrumentation');
      await workbench.pick('tiny');
      const text = 'tiny is being refined in another window or on the command line';
      await workbench.message(text);
      const said = await workbench.toastMessage(text);
      report.figure('the window says', said);
      assert(said.includes(`process ${child.pid} on `), said);
      assert((await workbench.dialog().count()) === 0, 'it asks for consent to what it will not do');
      await workbench.clickInToast(text, 'Watch');
      await (await refinementPanel(page)).locator('.title-row', { hasText: 'Running elsewhere' }).waitFor();
    },
  );
  await report.check('buttons that cannot work elsewhere say why', async () => {
    const frame = await refinementPanel(page);
    const stop = frame.locator('vscode-button', { hasText: 'Stop' });
    const why = `${await stop.getAttribute('title')} ${await stop.getAttribute('aria-description')}`;
    report.figure('why it cannot be stopped here', why);
    assert(why.includes(`process ${child.pid}`) && why.includes('stop it there'), why);
  });
  await report.check('rounds appear in the panel as they are finished, and its end', async () => {
    const frame = await refinementPanel(page);
    await frame.getByRole('button', { name: /Show as Table/ }).click();
    const shown = [];
    await until(
      'the end',
      async () => {
        const state = await frame.locator('.title-row').innerText();
        const rows = await frame.locator('.chart-table tbody tr').count();
        const one = `${rows} ${state.includes('Running elsewhere') ? 'running' : 'over'}`;
        if (shown.at(-1) !== one) shown.push(one);
        return state.includes('Complete');
      },
      240_000,
    );
    report.figure('rounds that the panel showed', shown.join(', '));
    assert(
      shown.some((one) => /^[1-9]\d* running$/.test(one)),
      `no round arrived while it ran: ${shown.join(', ')}`,
    );
    const end = await ended;
    assert(end === '0', `the command line ended with ${end}`);
    await workbench.screenshot('windows-command-line');
    await item.waitFor({ state: 'hidden' });
    await frame.getByRole('button', { name: 'Next Round' }).waitFor();
    await frame.getByRole('button', { name: /Show as Table/ }).click();
  });
}

async function commandLineIsKilled(report, { workbench, inHost, page }, folder) {
  await report.check(
    'the panel goes on to the next one, and notices that its process was killed',
    async () => {
      const { child, ended } = await refineInTerminal(inHost, folder);
      const frame = await refinementPanel(page);
      await frame.locator('.title-row', { hasText: 'Running elsewhere' }).waitFor();
      await until('a run', () => processesIn(folder).some((one) => one.endsWith('tiny 2000')), 120_000);
      child.kill('SIGKILL');
      await ended;
      await frame.locator('.title-row', { hasText: 'Interrupted' }).waitFor();
      await frame.getByRole('button', { name: 'Resume' }).waitFor();
      await until('everything that ran to end', () => processesIn(folder).length === 0);
      await workbench.screenshot('windows-killed');
      await clean(inHost);
    },
  );
}

async function twoWindows(report, { workbench, page }, folder, { screenshots }) {
  const other = await page.context().newPage();
  const second = new Workbench(other, screenshots);
  await report.check(
    'two windows: the second shows what the first refines, and offers to watch',
    async () => {
      await other.goto(page.url());
      await other.waitForSelector('.monaco-workbench', { timeout: patience(120_000) });
      await workbench.runCommand('Kymo: Refine Instrumentation');
      await workbench.pick('endless');
      await workbench.answerDialog('Run');
      await page.locator('.statusbar-item', { hasText: 'endless:' }).first().waitFor();
      await until('the program', () => endless(folder), 120_000);
      await other.locator('.statusbar-item', { hasText: 'endless: refined elsewhere' }).first().waitFor();
      await second.runCommand('Kymo: Refine Instrumentation');
      await second.pick('endless');
      const text = 'endless is being refined in another window or on the command line';
      await second.message(text);
      assert((await second.dialog().count()) === 0, 'it asks for consent to what it will not do');
      await second.screenshot('windows-second');
      await second.clickInToast(text, 'Watch');
      const frame = await refinementPanel(other, 'endless');
      await frame.locator('.title-row', { hasText: 'Running elsewhere' }).waitFor();
      await second.screenshot('windows-second-watches');
      assert(endless(folder), 'the first refinement was ended');
    },
  );
  await report.check('the first window reloads: its refinement ends, and the second sees that', async () => {
    await page.reload();
    await page.waitForSelector('.monaco-workbench', { timeout: patience(120_000) });
    await until('nothing running', () => processesIn(folder).length === 0);
    const frame = await refinementPanel(other, 'endless');
    await frame.locator('.title-row', { hasText: 'Interrupted' }).waitFor();
    await other.locator('.statusbar-item', { hasText: 'refined elsewhere' }).waitFor({ state: 'hidden' });
  });
  await report.check('then the second may go on with it, and the first watches', async () => {
    const frame = await refinementPanel(other, 'endless');
    await frame.getByRole('button', { name: 'Resume' }).click();
    await second
      .dialog()
      .or(other.locator('.statusbar-item', { hasText: 'endless:' }))
      .first()
      .waitFor();
    if (await second.dialog().isVisible()) await second.answerDialog('Run');
    await frame.locator('.title-row', { hasText: 'Running' }).waitFor();
    await until('the program', () => endless(folder), 120_000);
    await page.locator('.statusbar-item', { hasText: 'endless: refined elsewhere' }).first().waitFor();
    await frame.getByRole('button', { name: 'Stop' }).click();
    await until('nothing running', () => processesIn(folder).length === 0);
    await page.locator('.statusbar-item', { hasText: 'refined elsewhere' }).waitFor({ state: 'hidden' });
    await other.close();
  });
}
