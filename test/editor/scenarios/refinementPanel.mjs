// The refinement panel as a person uses it: open while it runs, watch rounds arrive, pin, go to the source, one more, export, accept.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { refinementPanel as panel } from '../lib/panels.mjs';
import { patience } from '../lib/patience.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { processesIn, withWorkspace } from '../lib/workspace.mjs';

const themes = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};

export async function run(report, options) {
  await withWorkspace((folder) => {
    slowDown(folder);
    return withSession({ ...options, folder }, async (session) => {
      await whileItRuns(report, session);
      await decisions(report, session, folder);
      await loop(report, session, folder);
      await looks(session);
      await reloading(report, session, folder);
      await gone(report, session, folder);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

/** The fixture's program runs a few tenths of a second; long enough here for a person to open the panel meanwhile. */
const sweeps = '4000';

function slowDown(folder) {
  const file = path.join(folder, 'kymo.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"2000"', `"${sweeps}"`));
}

async function whileItRuns(report, { workbench, page }) {
  await report.check('without a study the command says so and leads to the first refinement', async () => {
    await workbench.runCommand('Kymo: Show Refinement');
    await workbench.message('There is no refinement to show yet');
    await workbench.clickInToast('There is no refinement to show yet', 'Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.answerDialog('Run');
    await workbench.toast('Kymo: refining tiny').waitFor();
  });
  await report.check(
    'the panel opened during the run shows progress, and rounds as they arrive',
    async () => {
      await workbench.runCommand('Kymo: Show Refinement');
      const frame = await panel(page);
      await frame.locator('.title', { hasText: 'Refinement of tiny' }).waitFor();
      await frame.locator('.title-row', { hasText: 'Running' }).waitFor();
      await frame.locator('.doing', { hasText: /Round|Building|Baseline|Reading/ }).waitFor();
      await workbench.screenshot('refinement-panel-running');
      await frame
        .locator('.grid-row:visible', { hasText: 'main' })
        .first()
        .waitFor({ timeout: patience(240_000) });
      await frame.locator('.title-row', { hasText: 'Complete' }).waitFor({ timeout: patience(240_000) });
      report.figure('summary', await frame.locator('.summary').innerText());
    },
  );
}

async function decisions(report, { workbench, page }, folder) {
  const frame = await panel(page);
  await report.check('search and filters find a function, Enter goes to its line', async () => {
    await frame.locator('.search-box vscode-text-field').first().click();
    await page.keyboard.type('sweep');
    const row = frame.locator('.grid-row:visible', { hasText: 'sweep' }).first();
    await until('the rows that fit', async () => (await frame.locator('.grid-row:visible').count()) <= 3);
    await row.click();
    await page.keyboard.press('Enter');
    await workbench.tab('main.cpp').waitFor();
    await page.locator('.statusbar', { hasText: 'Ln 12' }).waitFor();
  });
  await report.check('a function is pinned by a key and unpinned again', async () => {
    const row = frame.locator('.grid-row:visible', { hasText: 'sweep' }).first();
    await row.click();
    await page.keyboard.press('Space');
    await frame.locator('.grid-row:visible', { hasText: 'pinned' }).first().waitFor();
    const pins = JSON.parse(readFileSync(path.join(folder, '.kymo/pins.json'), 'utf8'));
    assert(pins.pins.length === 1, JSON.stringify(pins));
    await workbench.screenshot('refinement-panel-pinned');
    await page.keyboard.press('Delete');
    await until(
      'the pin to go',
      async () => (await frame.locator('.grid-row:visible', { hasText: 'pinned' }).count()) === 0,
    );
  });
}

async function loop(report, { workbench, page, inHost }, folder) {
  const frame = await panel(page);
  await report.check('next measures one more round of the same study', async () => {
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    const before = iterationsOf(folder);
    await frame.getByRole('button', { name: 'Next Round' }).click();
    await until('one more round', () => iterationsOf(folder) === before + 1, 120_000);
    await frame.locator('.title-row', { hasText: 'Complete' }).waitFor({ timeout: patience(60_000) });
    await frame.getByRole('tab', { name: 'Difference' }).click();
    await frame.locator('.pane:visible', { hasText: 'From' }).waitFor();
    await workbench.screenshot('refinement-panel-difference');
    await frame.getByRole('tab', { name: 'Decisions' }).click();
  });
  await report.check('accept makes a round the target’s own', async () => {
    await frame.getByRole('button', { name: 'Accept' }).click();
    const file = path.join(folder, '.kymo/tiny/accepted.json');
    await until('accepted.json', () => existsSync(file));
    const { iteration } = JSON.parse(readFileSync(file, 'utf8'));
    await frame
      .locator('vscode-dropdown', { hasText: `${iteration} (accepted)` })
      .first()
      .waitFor();
  });
  await report.check('export writes a Score-P filter to the chosen place', async () => {
    await frame.getByRole('button', { name: /Export Filter/ }).click();
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    const file = path.join(folder, 'tiny.filter');
    // The dialog writes its suggestion once it has looked at the folder.
    await until('the suggested name', async () => (await input.inputValue()).endsWith('tiny.filter'));
    await page.keyboard.press('Enter');
    await until('the filter', () => existsSync(file));
    const text = readFileSync(file, 'utf8');
    assert(text.includes('SCOREP_REGION_NAMES_BEGIN') && text.includes('INCLUDE'), text.slice(0, 400));
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}

/** Of the newest study. */
function iterationsOf(folder) {
  const studies = readdirSync(path.join(folder, '.kymo/tiny'))
    .filter((one) => one.startsWith('refine-'))
    .sort();
  const file = path.join(folder, '.kymo/tiny', studies.at(-1) ?? '', 'study.json');
  return JSON.parse(readFileSync(file, 'utf8')).iterations.length;
}

/** Pictures in all four themes, and beside the source. */
async function looks({ workbench, page, inHost }) {
  const frame = await panel(page);
  await frame.locator('.search-box vscode-text-field').first().click();
  await page.keyboard.press('Escape');
  for (const [file, theme] of Object.entries(themes)) {
    await setTheme(inHost, theme);
    await page.waitForTimeout(1500);
    await workbench.screenshot(`refinement-panel-${file}`);
  }
  await setTheme(inHost, themes.dark);
  await forReadme({ workbench, page, inHost });
  await page.setViewportSize({ width: 900, height: 700 });
  await page.waitForTimeout(800);
  await workbench.screenshot('refinement-panel-narrow');
  await page.setViewportSize({ width: 1280, height: 860 });
}

/** `scripts/docsImages.mjs` makes the README's picture of it: the panel alone. */
async function forReadme({ workbench, page, inHost }) {
  await workbench.tab('Refinement of tiny').click();
  await inHost(async () => {
    await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
  });
  await page.setViewportSize({ width: 1200, height: 700 });
  const frame = await panel(page);
  await frame
    .locator('.grid')
    .first()
    .evaluate((grid) => grid.scrollTo(0, 0));
  await page.mouse.move(600, 4);
  await page.waitForTimeout(1500);
  await workbench.screenshot('refinement-panel-readme');
  await inHost(() => vscode.commands.executeCommand('workbench.action.toggleSidebarVisibility'));
}

function setTheme(inHost, theme) {
  return inHost(
    (value) =>
      vscode.workspace
        .getConfiguration('workbench')
        .update('colorTheme', value, vscode.ConfigurationTarget.Global),
    theme,
  );
}

async function reloading(report, { workbench, page, inHost }, folder) {
  await report.check('hidden and shown again, it shows the same', async () => {
    const tab = workbench.tab('Refinement of tiny');
    await tab.click();
    await inHost(
      (file) => vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn: 1 }).then(() => true),
      path.join(folder, 'many.h'),
    );
    await workbench.tab('many.h').waitFor();
    await tab.click();
    const frame = await panel(page);
    await frame.locator('.grid-row:visible', { hasText: 'main' }).first().waitFor();
  });
  await report.check(
    'a window that reloads in the middle of a refinement leaves it interrupted',
    async () => {
      await workbench.runCommand('Kymo: Refine Instrumentation');
      await workbench.pick('tiny');
      await until('a new study to run', () =>
        processesIn(folder).some((command) => command.endsWith(`tiny ${sweeps}`)),
      );
      await page.reload();
      await page.waitForSelector('.monaco-workbench', { timeout: patience(120_000) });
      await until('everything that ran to end', () => processesIn(folder).length === 0);
      // The workbench writes down which tab is in front a little later than it shows it.
      await workbench.tab('Refinement of tiny').click();
      const frame = await panel(page);
      await frame.locator('.title-row', { hasText: 'Interrupted' }).waitFor({ timeout: patience(60_000) });
      await workbench.screenshot('refinement-panel-interrupted');
    },
  );
  await report.check('go on brings it to its end', async () => {
    const frame = await panel(page);
    await frame.getByRole('button', { name: 'Resume' }).click();
    await frame.locator('.title-row', { hasText: 'Running' }).waitFor();
    await frame.locator('.title-row', { hasText: 'Complete' }).waitFor({ timeout: patience(240_000) });
  });
}

async function gone(report, { workbench, page }, folder) {
  await report.check('deleting the study that is shown is reported', async () => {
    const frame = await panel(page);
    rmSync(path.join(folder, '.kymo/tiny'), { recursive: true, force: true });
    await frame.getByText('was deleted while it was shown').waitFor({ timeout: patience(60_000) });
    await workbench.screenshot('refinement-panel-gone');
  });
}
