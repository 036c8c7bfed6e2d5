// The view of Score-P's options as a person uses it: choose, see what it comes to, copy, write it to kymo.json, take it back.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { assert, until } from '../lib/report.mjs';
import { writeStudy } from '../lib/studies.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

const themes = {
  light: 'Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
  dark: 'Dark Modern',
};

export async function run(report, options) {
  await withWorkspace((folder) =>
    withSession({ ...options, folder, settings: { 'files.autoSave': 'off' } }, async (session) => {
      const here = { ...session, folder };
      await opening(report, here);
      await writing(report, here);
      await following(report, here);
      await fromTree(report, here);
      await realScorep(report, here);
      await looks(here);
      await reloading(report, here);
      await mistakes(report, here);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    }),
  );
}

/** The frame that holds the view, once its script has drawn something. */
function flagsView(page) {
  return frameWith(page, 'the view of the flags', (frame) =>
    frame.locator('.flags .option:visible, .flags .message-area[role="alert"]'),
  );
}

const row = (frame, id) => frame.locator(`[data-option="${id}"]`);

async function choose(frame, id, label) {
  await row(frame, id).locator('vscode-dropdown').click();
  await row(frame, id).locator('vscode-option', { hasText: label }).first().click();
}

function command(frame, title) {
  return frame.getByRole('region', { name: title, exact: true }).innerText();
}

/** `kymo.json` as the editor has it. */
function configText({ inHost, folder }) {
  return inHost(
    (file) => vscode.workspace.openTextDocument(file).then((document) => document.getText()),
    path.join(folder, 'kymo.json'),
  );
}

async function opening(report, { workbench, page }) {
  await report.check('the command shows what kymo.json says, and which Score-P there is', async () => {
    await workbench.runCommand('Kymo: Score-P Flags');
    const frame = await flagsView(page);
    const installation = await frame.locator('.installation').innerText();
    assert(/^Score-P \d|^No Score-P was found/.test(installation), installation);
    report.figure('installation', installation);
    const state = await frame.locator('.state').innerText();
    assert(state === 'As in kymo.json for tiny.', state);
    assert((await command(frame, 'Before each command')) === 'scorep', 'not the defaults');
    await workbench.screenshot('scorep-flags');
  });
  await report.check('what is chosen can be copied as a command line', async () => {
    const frame = await flagsView(page);
    await choose(frame, 'user', 'On');
    await choose(frame, 'memory', 'Not wrapped');
    assert((await command(frame, 'Before each command')) === 'scorep --user --nomemory', 'not both');
    await frame.locator('vscode-button[aria-label="Copy: Before each command"]').click();
    await frame.locator('[role="status"]', { hasText: 'Copied' }).waitFor({ state: 'attached' });
    const search = frame.locator('.search-box vscode-text-field');
    await search.click();
    await page.keyboard.press('Control+v');
    await until('what was copied', async () => {
      const text = await search.evaluate((field) => field.value);
      return text === 'scorep --user --nomemory';
    });
    await page.keyboard.press('Escape');
  });
}

async function writing(report, here) {
  const { workbench, page, inHost, folder } = here;
  const frame = await flagsView(page);
  const before = readFileSync(path.join(folder, 'kymo.json'), 'utf8');
  await report.check('it is written to kymo.json as an edit, and the comments stay', async () => {
    await row(frame, 'SCOREP_TOTAL_MEMORY').locator('vscode-text-field').click();
    await page.keyboard.type('300M');
    await frame.locator('vscode-button[aria-label="Use for tiny"]').click();
    await until('the edit', async () => (await configText(here)).includes('SCOREP_TOTAL_MEMORY'));
    const text = await configText(here);
    const [target] = await inHost((given) => {
      // Comments aside, it is JSON.
      return JSON.parse(given.replace(/^\s*\/\/.*$/gm, '')).targets;
    }, text);
    assert(target.backend === 'scorep', text);
    assert(JSON.stringify(target.scorep.flags) === '["--user","--nomemory"]', text);
    assert(target.scorep.environment.SCOREP_TOTAL_MEMORY === '300M', text);
    for (const kept of [
      '// Runs until somebody cancels it.',
      '"refinement": { "maximumIterations": 3, "overheadPercent": 5,',
    ])
      assert(text.includes(kept), `changed: ${kept}`);
    assert(readFileSync(path.join(folder, 'kymo.json'), 'utf8') === before, 'it was saved');
    await frame.locator('.state', { hasText: 'As in kymo.json for tiny.' }).waitFor();
    await workbench.screenshot('scorep-flags-written');
  });
  await report.check('undo takes it back, and the view says so', async () => {
    await workbench.tab('kymo.json').click();
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+z');
    await until('the text of before', async () => (await configText(here)) === before);
    await frame.locator('.option').first().waitFor();
    await frame.locator('vscode-button[aria-label="Use for tiny"]:not([aria-disabled])').waitFor();
  });
}

async function following(report, here) {
  const { page, folder, inHost } = here;
  await report.check('the view follows kymo.json when another program writes it', async () => {
    const file = path.join(folder, 'kymo.json');
    await inHost(() => vscode.commands.executeCommand('workbench.action.files.revert'));
    const frame = await flagsView(page);
    await frame.locator('vscode-button[aria-label="Revert"]').click();
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        '"repetitions": 3,',
        '"repetitions": 3,\n      "scorep": { "flags": ["--io=posix", "--kokkos"] },',
      ),
    );
    await frame.locator('.state', { hasText: 'Its other settings stay: --kokkos.' }).waitFor();
    const line = await command(frame, 'Before each command');
    assert(line === 'scorep --io=posix --kokkos', line);
  });
}

async function fromTree(report, { workbench, page, inHost, folder }) {
  await report.check('the menu of a target in the Experiments view shows that target', async () => {
    writeStudy(folder, { target: 'endless', functions: [] });
    await workbench.showView();
    await inHost(() => void vscode.commands.executeCommand('kymo.experiments.refresh'));
    await workbench.treeRow('endless').waitFor();
    await workbench.rowAction('endless', 'Score-P Flags');
    const frame = await flagsView(page);
    await frame.locator('.state', { hasText: 'As in kymo.json for endless.' }).waitFor();
    await frame.locator('.title-row vscode-dropdown').click();
    await frame.locator('.title-row vscode-option', { hasText: 'tiny' }).click();
    await frame.locator('.state', { hasText: 'As in kymo.json for tiny.' }).waitFor();
  });
}

/** The editor's server asks a login shell for its PATH: a Score-P of this process is named by its path. */
async function realScorep(report, here) {
  const { page, folder } = here;
  const found = spawnSync('sh', ['-c', 'command -v scorep'], { encoding: 'utf8' }).stdout.trim();
  if (found === '') {
    report.figure('real Score-P', 'left out: there is no scorep in PATH');
    return;
  }
  await report.check('a Score-P that kymo.json names is asked what it has', async () => {
    const file = path.join(folder, 'kymo.json');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"scorep": {', `"scorep": { "instrumenter": "${found}",`),
    );
    const frame = await flagsView(page);
    await frame.locator('.installation', { hasText: /^Score-P \d/ }).waitFor();
    report.figure('real Score-P', await frame.locator('.installation').innerText());
    await row(frame, 'mpp').locator('vscode-dropdown').waitFor();
  });
}

async function looks({ workbench, inHost, page }) {
  for (const [short, theme] of Object.entries(themes)) {
    await inHost(
      (wanted) => vscode.workspace.getConfiguration('workbench').update('colorTheme', wanted, true),
      theme,
    );
    await flagsView(page);
    await page.waitForTimeout(300);
    await workbench.screenshot(`scorep-flags-${short}`);
  }
}

async function reloading(report, { workbench, page, inHost, folder }) {
  await report.check('hidden and shown again, it still has the choices that were not written', async () => {
    const before = await flagsView(page);
    await choose(before, 'verbose', 'On');
    await before.locator('.state', { hasText: '1 option differs' }).waitFor();
    const tab = workbench.tab('Score-P Flags');
    await tab.click();
    await inHost(
      (file) => vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn: 1 }).then(() => true),
      path.join(folder, 'many.h'),
    );
    await workbench.tab('many.h').waitFor();
    await tab.click();
    const frame = await flagsView(page);
    await frame.locator('.state', { hasText: '1 option differs' }).waitFor();
    assert((await command(frame, 'Before each command')).includes('--verbose=1'), 'not kept');
  });
  await report.check('a window that reloads opens it again', async () => {
    await workbench.reloadWindow();
    await workbench.tab('Score-P Flags').click();
    await frameWith(page, 'the target', (frame) =>
      frame.locator('.state', { hasText: 'kymo.json for tiny' }),
    );
  });
}

async function mistakes(report, { page, folder }) {
  await report.check('a kymo.json that cannot be read is reported with its place', async () => {
    const file = path.join(folder, 'kymo.json');
    const text = readFileSync(file, 'utf8');
    const frame = await flagsView(page);
    const isTold = async () => {
      // Watchers take a moment after a reload.
      writeFileSync(file, text.replace('"version": 1', '"version": "one"'));
      return (await frame.locator('.state', { hasText: '"version"' }).count()) > 0;
    };
    await until('the problem', isTold, 60_000, 1500);
    await frame.locator('vscode-button[aria-label="Use for Target"][aria-disabled]').waitFor();
    writeFileSync(file, text);
    await frame.locator('vscode-button[aria-label^="Use for tiny"]').waitFor();
  });
}
