// What people do with experiments: compare, export, copy, delete; and experiments that go or break while they are shown.
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, statSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { copyStudy, studiesOf } from '../lib/studies.mjs';
import { writeTrace } from '../lib/trace.mjs';
import { viewsOf } from '../lib/views.mjs';
import { withRefinedWorkspace } from '../lib/workspace.mjs';
import { cursorAt } from './inSource/inEditor.mjs';

export async function run(report, options) {
  await withRefinedWorkspace(options, (folder) =>
    withSession({ ...options, folder }, async (session) => {
      const views = viewsOf(session.page);
      await shown(report, session, views);
      await comparing(report, session, views);
      await withoutRow(report, session, folder);
      await tracing(report, session, folder);
      await exporting(report, session, folder);
      await copying(report, session, folder);
      await deleting(report, session, views, folder);
      await truncated(report, session, views, folder);
      await gone(report, session, views, folder);
      await report.check('no error in the page', () => {
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    }),
  );
}

async function shown(report, { workbench }, views) {
  await report.check('the view shows the rounds of a refinement', async () => {
    await workbench.showView();
    await views.row('Experiments', 'Round 1').waitFor();
  });
}

async function comparing(report, { workbench, page }, views) {
  await report.check('two selected rounds are compared', async () => {
    await views.row('Experiments', 'Round 1').click();
    await views.row('Experiments', 'Round 0').click({ modifiers: ['Control'] });
    await workbench.rowAction('Round 0', 'Compare Selected');
    await workbench.tab('Hot Spots').waitFor();
    await until('the panel to show both', async () => {
      const texts = await Promise.all(
        page.frames().map((frame) =>
          frame
            .locator('body')
            .innerText({ timeout: 1000 })
            .catch(() => ''),
        ),
      );
      return texts.some((text) => /main/.test(text) && /round 0|i0/i.test(text));
    });
    await workbench.screenshot('experiments-compare');
  });
  await report.check('one alone cannot be compared with itself', async () => {
    await views.row('Experiments', 'Round 1').click();
    await workbench.openMenu('Round 1');
    assert((await workbench.menuItem('Compare Selected').count()) === 0, 'the menu offers it');
    await page.keyboard.press('Escape');
  });
}

async function withoutRow(report, session, folder) {
  const { workbench, inHost } = session;
  await report.check('a command of a row that got none says so, and does nothing', async () => {
    const text = 'the command was given no row of a view';
    const clear = () => inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    for (const command of ['kymo.experiments.delete', 'kymo.experiments.selectForCompare'])
      await inHost((id) => vscode.commands.executeCommand(id), command);
    await workbench.message(text);
    await clear();
    // As from a row that VS Code forgot meanwhile; the cursor is in a function that must not be pinned instead.
    await workbench.openFile('main.cpp');
    await cursorAt(session, 'double change = 0;');
    await inHost(() => vscode.commands.executeCommand('kymo.pinOut', undefined));
    await workbench.message(text);
    assert(!existsSync(path.join(folder, '.kymo/pins.json')), 'something was pinned');
    await clear();
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}

async function tracing(report, session, folder) {
  const { workbench, page, inHost } = session;
  const clear = () => inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  await report.check('a round without a trace says how to record one', async () => {
    for (const action of ['Show Timeline', 'Compare Traces…']) {
      await workbench.rowAction('Round 1', action);
      await workbench.message('this run has no trace');
      await clear();
    }
  });
  await report.check('a round with a trace opens its timeline', async () => {
    const round = path.join(folder, '.kymo/tiny', studiesOf(folder)[0], 'i1');
    const [run] = readdirSync(round).filter((name) => /\.r1$/.test(name));
    await writeTrace(path.join(round, run), path.join(folder, 'main.cpp'));
    await workbench.rowAction('Round 1', 'Show Timeline');
    const frame = await frameWith(page, 'the timeline', (each) => each.locator('.timeline .summary:visible'));
    assert(/^4 rows over 1 s/.test(await frame.locator('.summary').innerText()), 'another trace');
    await workbench.screenshot('experiments-timeline');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
  await report.check('two ranks of the trace of a round are compared', async () => {
    await workbench.rowAction('Round 1', 'Compare Traces…');
    await workbench.pick('Two Ranks');
    await page.locator('.quick-input-widget', { hasText: 'Two to four ranks' }).waitFor();
    await page.keyboard.press('Enter');
    await frameWith(page, 'the comparison', (each) => each.getByText('matched', { exact: true }));
    await workbench.screenshot('experiments-traces');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}

async function exporting(report, { workbench, page, inHost }, folder) {
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  const file = path.join(folder, 'exported.cubex');
  await report.check('an export that is cancelled writes nothing', async () => {
    const before = readdirSync(folder);
    await workbench.rowAction('Round 1', 'Export Profile…');
    await until('the dialog', async () =>
      (await input.inputValue().catch(() => '')).endsWith('tiny-i1.cubex'),
    );
    await workbench.screenshot('experiments-export');
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
    assert(readdirSync(folder).join() === before.join(), readdirSync(folder).join());
  });
  await report.check('an export writes the profile where it was asked to', async () => {
    await workbench.rowAction('Round 1', 'Export Profile…');
    await until('the dialog', async () =>
      (await input.inputValue().catch(() => '')).endsWith('tiny-i1.cubex'),
    );
    await input.fill(file);
    await page.keyboard.press('Enter');
    await until('the file', () => existsSync(file) && statSync(file).size > 0);
    await page.locator('.statusbar', { hasText: 'exported.cubex' }).waitFor();
    rmSync(file);
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}

async function copying(report, { workbench, page }, folder) {
  await report.check('the path of a study is copied', async () => {
    await workbench.rowAction(' rounds · ', 'Copy Path');
    const study = path.join(folder, '.kymo/tiny', studiesOf(folder)[0]);
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    await input.fill('');
    await page.keyboard.press('Control+V');
    await until('the path', async () => (await input.inputValue()) === study);
    await page.keyboard.press('Escape');
  });
}

async function deleting(report, { workbench, page }, views, folder) {
  const [kept] = studiesOf(folder);
  const copies = copyStudy(folder, 'tiny', 3);
  const rows = () => views.pane('Experiments').locator('.monaco-list-row[aria-level="2"]');
  await report.check('several that are selected are deleted after one question that names them', async () => {
    await until('all studies', async () => (await rows().count()) === 4);
    // Where the tree is drawn anew between the clicks, because a study has just come, only one is selected.
    const text = await until('the question about both', async () => {
      await rows().nth(1).click();
      await rows()
        .nth(3)
        .click({ modifiers: ['Control'] });
      await workbench.openMenuOf(rows().nth(3));
      await workbench.choose('Delete…');
      await workbench.dialog().waitFor();
      const question = await workbench.dialog().innerText();
      if (/Delete 2 studies\?/.test(question)) return question;
      await workbench.answerDialog('Cancel');
      return undefined;
    });
    assert(text.includes(copies[0]) && text.includes(copies[2]), text);
    assert(!text.includes(copies[1]) && !text.includes(kept), text);
    await workbench.screenshot('experiments-delete');
    await workbench.answerDialog('Cancel');
    assert(
      copies.every((one) => existsSync(one)),
      'something was deleted',
    );
    await workbench.openMenuOf(rows().nth(3));
    await workbench.choose('Delete…');
    await workbench.answerDialog('Delete');
    await until('the rows to go', async () => (await rows().count()) === 2);
    assert(!existsSync(copies[0]) && !existsSync(copies[2]), 'they are still there');
    assert(
      existsSync(copies[1]) && existsSync(path.join(folder, '.kymo/tiny', kept)),
      'too much was deleted',
    );
    await workbench.screenshot('experiments-deleted');
    await page.keyboard.press('Escape');
  });
}

/** Half of a file, as after a full disk or a machine that went down. */
function halve(file) {
  truncateSync(file, Math.floor(statSync(file).size / 2));
}

async function truncated(report, { workbench, inHost }, views, folder) {
  const study = path.join(folder, '.kymo/tiny', studiesOf(folder)[0]);
  const runs = () => readdirSync(path.join(study, 'i1')).filter((one) => one.startsWith('measured.'));
  const clear = () => inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  await report.check('profiles that are cut off: the panel says which file, and why', async () => {
    for (const run of runs()) halve(path.join(study, 'i1', run, 'profile.cubex'));
    await workbench.rowAction('Round 1', 'Show Hot Spots');
    await workbench.seen('profile.cubex');
    await workbench.screenshot('experiments-cut-profile');
    await clear();
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
  await report.check('experiments that are cut off: the message says which file, and why', async () => {
    for (const run of runs()) halve(path.join(study, 'i1', run, 'experiment.json'));
    await workbench.rowAction('Round 1', 'Show Hot Spots');
    await workbench.seen('experiment.json');
    await workbench.screenshot('experiments-cut-experiment');
    await clear();
  });
  await report.check(
    'decisions that are cut off: the views stay, the history says what it cannot read',
    async () => {
      halve(path.join(study, 'i1/selection.json'));
      await inHost(() => void vscode.commands.executeCommand('kymo.experiments.refresh'));
      await views.row('Instrumentation', 'main.cpp').waitFor();
      await views.row('Experiments', 'Round 1').waitFor();
      await clear();
    },
  );
  await report.check('functions that are cut off: the view says so, and what to do', async () => {
    halve(path.join(study, 'functions.json'));
    await inHost(() => void vscode.commands.executeCommand('kymo.experiments.refresh'));
    const message = views.pane('Instrumentation').locator('.message', { hasText: 'cannot be read' });
    await message.waitFor();
    await workbench.screenshot('experiments-cut-functions');
    await clear();
  });
  await report.check('properties that are cut off: the view says so', async () => {
    halve(path.join(study, 'properties.json'));
    await inHost(() => void vscode.commands.executeCommand('kymo.experiments.refresh'));
    await views
      .pane('Properties')
      .locator('.message', { hasText: 'properties.json cannot be read' })
      .waitFor();
    await workbench.screenshot('experiments-cut-properties');
  });
  await report.check('a study.json that is cut off: one row with the reason', async () => {
    halve(path.join(study, 'study.json'));
    await inHost(() => void vscode.commands.executeCommand('kymo.experiments.refresh'));
    await views.row('Experiments', 'cannot be read').waitFor();
    const rows = await views
      .pane('Experiments')
      .locator('.monaco-list-row', { hasText: 'cannot be read' })
      .count();
    assert(rows === 1, `${rows} rows`);
    const label = await views.row('Experiments', 'cannot be read').getAttribute('aria-label');
    assert(label?.includes('study.json'), label);
    await workbench.screenshot('experiments-cut-study');
  });
}

async function gone(report, { workbench, inHost }, views, folder) {
  await report.check(
    'all experiments are deleted while they are shown: the views say what to do next',
    async () => {
      rmSync(path.join(folder, '.kymo'), { recursive: true, force: true });
      await views.pane('Experiments').locator('.welcome-view', { hasText: 'No experiments yet' }).waitFor();
      await views.pane('Instrumentation').locator('.welcome-view').waitFor();
      await workbench.screenshot('experiments-gone');
      assert((await workbench.page.locator('.notification-toast').count()) === 0, 'there is a notification');
      assert(!readFileSync(path.join(folder, 'kymo.json'), 'utf8').includes('.kymo'), 'kymo.json changed');
      await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    },
  );
}
