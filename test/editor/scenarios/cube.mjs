// The editor of Cube profiles in the real editor: from a double click to the line, over damage, change, deletion and a reload.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { writeLargeProfile, writeMovedProfile } from '../lib/largeProfile.mjs';
import { frameWith } from '../lib/panels.mjs';
import { withSession } from '../lib/session.mjs';
import { pageFollowsThemes } from '../lib/themes.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

const recorded = path.resolve(import.meta.dirname, '../../fixtures/cube4/lulesh-mpi.cubex');

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    copyFileSync(recorded, path.join(folder, 'profile.cubex'));
    copyFileSync(recorded, path.join(folder, 'broken.cubex'));
    truncateSync(path.join(folder, 'broken.cubex'), 20_000);
    await writeMovedProfile(path.join(folder, 'moved.cubex'));
    await withSession({ ...options, folder }, async (session) => {
      await opens(report, session);
      await couples(report, session);
      await saves(report, session, folder);
      await report.check('the editor follows the theme', () => pageFollowsThemes(session, cubeFrame, 'cube'));
      await toSource(report, session, folder);
      await damaged(report, session);
      await changes(report, session, folder);
      await large(report, session, folder);
      await hotSpots(report, session);
      // The last one: the extension host is another one then.
      await reload(report, session);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

/** The frame of the editor that is shown. */
const cubeFrame = (page, selector = '.pane .grid-row:visible') =>
  frameWith(page, 'the editor', (frame) => frame.locator(selector));

const tree = (frame, name) => frame.getByLabel(name, { exact: true });
const row = (frame, name, text) => tree(frame, name).locator('.grid-row:visible', { hasText: text }).first();
/** Quick open knows files only some time after they were made. */
const openPath = ({ inHost }, file) =>
  inHost((uri) => vscode.commands.executeCommand('vscode.open', vscode.Uri.file(uri)), file);
const closeEditor = ({ inHost }) =>
  inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

async function opens(report, { workbench, page, inHost }) {
  await report.check('a profile opens by a double click in the Explorer, with its three trees', async () => {
    await inHost(async () => {
      blocked.milliseconds = 0;
      await vscode.commands.executeCommand('workbench.view.explorer');
    });
    const item = page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'profile.cubex' })
      .first();
    await item.waitFor();
    const began = Date.now();
    await item.dblclick();
    const frame = await cubeFrame(page);
    await tree(frame, 'Call tree').locator('.grid-row:visible').first().waitFor();
    report.figure('from the double click to the first call paths (ms)', Date.now() - began);
    await row(frame, 'Metric tree', 'Time').waitFor();
    await row(frame, 'System tree', 'MPI Rank 0').waitFor();
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by opening it (ms, bar 50)', milliseconds.toFixed(1));
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeSidebar'));
    await workbench.screenshot('cube-dark');
  });
}

async function couples(report, { workbench, page }) {
  await report.check('the selected metric and call paths decide what the other trees show', async () => {
    const frame = await cubeFrame(page);
    await row(frame, 'Metric tree', 'Visits').click();
    await until('visits of the whole run', async () =>
      /^\s*\S+\s+[\d.]+(?: [kMG])?\s*$/.test(
        await tree(frame, 'Call tree').locator('.grid-row:visible').first().innerText(),
      ),
    );
    await row(frame, 'Metric tree', 'Time').click();
    await frame.getByRole('button', { name: 'Hot Path in Call Paths (Alt+H)' }).click();
    const hot = await until('the end of the hot path', async () => {
      const selected = tree(frame, 'Call tree').locator('.grid-row.selected:visible');
      const text = (await selected.count()) > 0 ? await selected.innerText() : '';
      return /aria|main/.test(text) ? undefined : text.split('\n')[0];
    });
    report.figure('end of the hot path', hot);
    await until('the system to show it', async () =>
      (await frame.locator('.pane-note:visible').allInnerTexts()).some((text) =>
        text.includes(hot.slice(0, 12)),
      ),
    );
    await workbench.screenshot('cube-readme');
  });
}

/** The save dialog of VS Code. */
async function saves(report, { page }, folder) {
  await report.check('the profile is saved as a table', async () => {
    const frame = await cubeFrame(page);
    await frame.getByRole('button', { name: 'Save As…' }).click();
    await frame.getByRole('menuitem', { name: 'CSV Table' }).click();
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    await until('the suggested name', async () => (await input.inputValue()).endsWith('.csv'));
    const file = path.join(folder, path.basename(await input.inputValue()));
    await page.keyboard.press('Enter');
    await until('the file', () => existsSync(file) && readFileSync(file, 'utf8').includes('MPI_'));
    rmSync(file);
  });
}

async function reload(report, { page, workbench }) {
  await report.check('after a reload of the window the editor shows the same', async () => {
    const selected = (frame) => tree(frame, 'Call tree').locator('.grid-row.selected:visible');
    await workbench.openFile('profile.cubex');
    const fresh = await cubeFrame(page);
    await fresh.getByRole('button', { name: 'Hot Path in Call Paths (Alt+H)' }).click();
    const before = await until('a call path', async () => {
      const text = await selected(fresh).innerText();
      return text.startsWith('MPI_') ? text : undefined;
    });
    await workbench.reloadWindow();
    const frame = await cubeFrame(page);
    await until('the same call path', async () => (await selected(frame).innerText()) === before);
  });
}

/** Opens the root, which begins closed. */
async function showMany(frame) {
  await until('the calls of main', async () => {
    const closed = row(frame, 'Call tree', 'main').locator('.twistie[data-state="closed"]');
    if ((await closed.count()) > 0) await closed.click();
    return (await row(frame, 'Call tree', 'many').count()) > 0;
  });
}

async function toSource(report, session, folder) {
  const { page, workbench, inHost } = session;
  const shown = (ending) =>
    until(`${ending} at a line`, () =>
      inHost(
        (end) => vscode.window.activeTextEditor?.document.uri.path.endsWith(end) === true || undefined,
        ending,
      ),
    );
  const rules = () => inHost(() => vscode.workspace.getConfiguration('kymo').get('sourcePaths'));
  await report.check('a source of another machine is found by its name, without a question', async () => {
    await closeEditor(session);
    await workbench.openFile('moved.cubex');
    await row(await cubeFrame(page), 'Call tree', 'main').dblclick();
    await shown('/main.cpp');
    assert((await rules()).length === 0, `a rule was stored: ${JSON.stringify(await rules())}`);
    await closeEditor(session);
  });
  await report.check('one that no file is like is asked for once, and found from then on', async () => {
    const hidden = path.join(folder, 'hidden/tiny');
    mkdirSync(hidden, { recursive: true });
    for (const name of ['main.cpp', 'many.cpp']) renameSync(path.join(folder, name), path.join(hidden, name));
    const exclude = (value) =>
      inHost((given) => vscode.workspace.getConfiguration('files').update('exclude', given, false), value);
    await exclude({ '**/hidden': true });
    await workbench.openFile('moved.cubex');
    await row(await cubeFrame(page), 'Call tree', 'main').dblclick();
    await workbench.message('/elsewhere/tiny/main.cpp is not there');
    await workbench.clickInToast('/elsewhere/tiny/main.cpp is not there', 'Locate Source…');
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    // The dialog writes where it begins once it has looked there.
    await until('the dialog', async () => (await input.inputValue()).endsWith('tiny/'));
    await input.fill(path.join(hidden, 'main.cpp'));
    // It looks into the other folder first.
    await workbench.quickPickRow('main.cpp').waitFor();
    await page.keyboard.press('Enter');
    await shown('/hidden/tiny/main.cpp');
    const [rule, ...others] = await rules();
    assert(
      others.length === 0 && rule.from === '/elsewhere' && rule.to === 'hidden',
      `the rule is ${JSON.stringify(rule)}`,
    );
    const again = await cubeFrame(page);
    await showMany(again);
    await row(again, 'Call tree', 'many').dblclick();
    await shown('/hidden/tiny/many.cpp');
    await inHost(() => vscode.workspace.getConfiguration('kymo').update('sourcePaths', undefined, false));
    await exclude(undefined);
    for (const name of ['main.cpp', 'many.cpp']) renameSync(path.join(hidden, name), path.join(folder, name));
    await closeEditor(session);
  });
}

async function damaged(report, session) {
  const { page, workbench } = session;
  await report.check('a damaged profile is explained, and opens with another editor', async () => {
    await workbench.openFile('broken.cubex');
    const frame = await cubeFrame(page, '.message-area[role="alert"]:visible');
    await until('the reason', async () =>
      /at byte \d+/.test(await frame.locator('.message-area').innerText()),
    );
    await workbench.screenshot('cube-damaged');
    await frame.getByRole('button', { name: 'Reopen Editor With…' }).click();
    await workbench.quickPickRow('Text Editor').waitFor();
    await page.keyboard.press('Escape');
    await closeEditor(session);
  });
}

async function changes(report, session, folder) {
  const { page, workbench } = session;
  await report.check(
    'a profile that changes on disk is offered to be read again, one that is gone stays',
    async () => {
      const file = path.join(folder, 'changing.cubex');
      copyFileSync(recorded, file);
      await openPath(session, file);
      const frame = await cubeFrame(page);
      await tree(frame, 'Call tree').locator('.grid-row:visible').first().waitFor();
      writeFileSync(file, readFileSync(path.join(folder, 'moved.cubex')));
      await frame.locator('.notice', { hasText: 'has changed on disk' }).waitFor();
      await frame.getByRole('button', { name: 'Reload' }).click();
      await frame.locator('.notice', { hasText: 'has changed on disk' }).waitFor({ state: 'hidden' });
      await showMany(frame);
      rmSync(file);
      await frame.locator('.notice', { hasText: 'deleted or moved' }).waitFor();
      assert((await frame.locator('.grid-row:visible').count()) > 0, 'the rows are gone');
      await workbench.screenshot('cube-gone');
      await closeEditor(session);
    },
  );
}

async function large(report, session, folder) {
  const { page, workbench, inHost } = session;
  await report.check('100,000 call paths open without blocking the extension host', async () => {
    const file = path.join(folder, 'large.cubex');
    await writeLargeProfile(file, 100_000);
    await inHost(() => {
      blocked.milliseconds = 0;
    });
    const began = Date.now();
    await openPath(session, file);
    const frame = await cubeFrame(page);
    report.figure('from the request to the first rows of 100,000 call paths (ms)', Date.now() - began);
    await until('its values', async () =>
      /main\s+\S+ m?s/.test(await tree(frame, 'Call tree').locator('.grid-row:visible').first().innerText()),
    );
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by it (ms, bar 50)', milliseconds.toFixed(1));
    await workbench.screenshot('cube-large');
    await closeEditor(session);
  });
}

async function hotSpots(report, session) {
  const { page, workbench } = session;
  await report.check('the profile opens as hot spots', async () => {
    await workbench.openFile('profile.cubex');
    const frame = await cubeFrame(page);
    await frame.getByRole('button', { name: 'Hot Spots' }).click();
    await cubeFrame(page, '.profile .grid-row:visible');
    await workbench.screenshot('cube-hotSpots');
    await closeEditor(session);
  });
  await report.check('the profile is compared with another one of the workspace', async () => {
    await workbench.openFile('profile.cubex');
    const frame = await cubeFrame(page);
    await frame.getByRole('button', { name: 'Compare…' }).click();
    await workbench.pick('moved.cubex');
    const panel = await cubeFrame(page, '.comparison:visible');
    await panel.locator('.grid-row:visible').first().waitFor();
    await workbench.screenshot('cube-compared');
    await closeEditor(session);
  });
}
