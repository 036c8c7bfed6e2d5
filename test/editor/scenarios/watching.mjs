// A program that is watched while it runs: started in a terminal by the command, shown in source, panel and status bar, suspended, and left alone.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { patience } from '../lib/patience.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

/** It runs until there is a file `stop`, and each step is a bit longer than the one before, up to a limit. */
const source = `#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) double relax(double x, int n) { for (int i = 0; i < n; i++) { x = x * 0.999 + i; x -= 1 / x; if (x > 9) x = 1; } return x; }
__attribute__((noinline)) double advance(double x, int step) { return relax(x, 200000 + 400 * (step < 2000 ? step : 2000)); }
int main(void) {
  double x = 1;
  int step = 0;
  for (; access("stop", F_OK) != 0 && step < 1000000; step++) x = advance(x, step);
  printf("%d steps\\n", step);
  return 0;
}
`;

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    writeFileSync(path.join(folder, 'slow.c'), source);
    const target = {
      name: 'slow',
      build: { command: '${cc} -O2 -g -o slow slow.c', clean: 'rm -f slow' },
      executable: 'slow',
      phase: 'advance',
      run: { timeoutSeconds: 1200 },
    };
    writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    await report.session('watching', () =>
      withSession({ ...options, folder }, async (session) => {
        await started(report, session, folder);
        await shown(report, session);
        await listed(report, session);
        await switched(report, session);
        await suspended(report, session);
        await left(report, session, folder);
      }),
    );
  });
}

const statusItem = (page, text) => page.locator('.statusbar-item', { hasText: text });

async function started(report, { page, workbench }, folder) {
  await report.check('the command starts a run in a terminal, and watches it', async () => {
    await workbench.openFile('slow.c');
    await workbench.runCommand('Kymo: Watch Running Program');
    await workbench.answerDialog('Run');
    await statusItem(page, 'slow:').waitFor({ timeout: patience(240_000) });
    await statusItem(page, /slow: .* iterations/).waitFor({ timeout: patience(90_000) });
    assert(experimentOf(folder) !== undefined, 'no live.json');
  });
}

async function shown(report, { page, workbench }) {
  await report.check('the panel shows the dynamics so far, and the source the hot function', async () => {
    const frame = await frameWith(page, 'the panel of dynamics', (candidate) =>
      candidate.locator('.series-chart canvas'),
    );
    await frame.locator('.series-chart canvas').first().waitFor();
    await workbench.screenshot('watching-panel');
    await workbench.openFile('slow.c');
    await workbench
      .lens(/visits/)
      .first()
      .waitFor({ timeout: patience(90_000) });
    await workbench.screenshot('watching-source');
  });
}

async function listed(report, { page, workbench }) {
  await report.check('the view of the running program has its processes', async () => {
    await workbench.runCommand('View: Show Kymo');
    const row = page.locator('[role=treeitem]', { hasText: /Rank 0/ });
    await row.waitFor();
    const text = await row.innerText();
    assert(/of CPU time · [\d,.k M]+ iterations/.test(text), text);
    await workbench.screenshot('watching-view');
  });
}

async function switched(report, { page, workbench }) {
  await report.check('a function that is picked from a list is left out from then on', async () => {
    await workbench.runCommand('Kymo: Leave Function Out While Running…');
    const list = page.locator('.quick-input-widget');
    await list.locator('.monaco-list-row', { hasText: 'main' }).waitFor();
    await workbench.screenshot('watching-functions');
    await page.keyboard.type('main');
    // A click on a row ticks it.
    await list.locator('.monaco-list-row', { hasText: 'main' }).click();
    await page.keyboard.press('Enter');
    await workbench.runCommand('View: Show Kymo');
    const row = page.locator('[role=treeitem]', { hasText: /main left out from then on/ });
    await row.waitFor({ timeout: patience(30_000) });
    await workbench.screenshot('watching-switched');
  });
}

async function suspended(report, { page, workbench }) {
  await report.check('the program is suspended and goes on', async () => {
    await workbench.runCommand('Kymo: Watch Running Program');
    await workbench.pick('Suspend the Program');
    const item = statusItem(page, 'suspended');
    await item.waitFor();
    const before = await item.innerText();
    await page.waitForTimeout(2500);
    assert((await item.innerText()) === before, `${before}, then ${await item.innerText()}`);
    await workbench.runCommand('Kymo: Watch Running Program');
    await workbench.pick('Resume the Program');
    await item.waitFor({ state: 'detached' });
  });
}

async function left(report, { page, workbench, pageErrors }, folder) {
  await report.check(
    'a window that no longer watches leaves the program alone, and can watch again',
    async () => {
      await workbench.runCommand('Kymo: Watch Running Program');
      await workbench.pick('Stop Watching');
      await statusItem(page, 'slow:').waitFor({ state: 'hidden' });
      const experiment = experimentOf(folder);
      assert(experiment !== undefined, 'the run has ended');
      await workbench.runCommand('Kymo: Watch Running Program');
      await workbench.pick('slow');
      await statusItem(page, /slow: .* iterations/).waitFor();
      writeFileSync(path.join(folder, 'stop'), '');
      await statusItem(page, 'slow:').waitFor({ state: 'hidden', timeout: patience(90_000) });
      await until('the result', () => existsSync(path.join(experiment, 'experiment.json')));
      const output = readFileSync(path.join(experiment, 'output.txt'), 'utf8');
      assert(/^\d+ steps$/.test(output.trim()), output);
      assert(pageErrors.length === 0, `page errors: ${pageErrors.join(' ')}`);
    },
  );
}

/** The folder of the run that is under way. */
function experimentOf(folder) {
  const target = path.join(folder, '.kymo', 'slow');
  if (!existsSync(target)) return undefined;
  return readdirSync(target, { recursive: true })
    .filter((name) => path.basename(name) === 'live.json')
    .map((name) => path.join(target, path.dirname(name)))[0];
}
