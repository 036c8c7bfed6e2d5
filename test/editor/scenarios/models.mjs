/* global vscode, blocked -- functions given to `inHost` run in the extension host */
// Performance models as a person uses them: open what was measured, see what grows, search, ask for another point.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { pageFollowsThemes } from '../lib/themes.mjs';
import { withWorkspace } from '../lib/workspace.mjs';
import { modelsInSource } from './models/inSource.mjs';

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    const file = path.join(folder, 'scaling.txt');
    writeFileSync(file, measurements());
    const broken = path.join(folder, 'broken.txt');
    writeFileSync(broken, 'PARAMETER p\nPOINTS 1 2 four\n');
    await withSession({ ...options, folder }, async (session) => {
      await choosing(report, session);
      await ranked(report, session, file);
      await searched(report, session);
      await anotherPoint(report, session);
      await report.check('the panel follows the theme', () =>
        pageFollowsThemes(session, modelsPanel, 'models'),
      );
      await damaged(report, session, broken);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
  await modelsInSource(report, options);
}

/** A text file of Extra-P: `exchange` grows with the square of p, `solve` with its logarithm, `init` not at all; three repetitions. */
function measurements() {
  const sizes = [2, 4, 8, 16, 32, 64];
  const growths = {
    'main->init': () => 2,
    'main->solve': (p) => 5 + 0.5 * Math.log2(p),
    'main->solve->exchange': (p) => 0.1 + 0.001 * p ** 2,
  };
  const repeated = (value) => [0.999, 1, 1.001].map((factor) => (value * factor).toPrecision(8)).join(' ');
  return [
    `PARAMETER p`,
    `POINTS ${sizes.join(' ')}`,
    ...Object.entries(growths).flatMap(([region, growth]) => [
      `REGION ${region}`,
      'METRIC time',
      ...sizes.map((p) => `DATA ${repeated(growth(p))}`),
    ]),
    '',
  ].join('\n');
}

function modelsPanel(page) {
  return frameWith(page, 'the models panel', (frame) => frame.locator('.models .grid-row:visible'));
}

const rowTexts = async (frame) =>
  (await frame.locator('.models-list .grid-row:visible').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  );

async function choosing(report, { workbench, page }) {
  await report.check('the command asks what was measured', async () => {
    await workbench.runCommand('Kymo: Show Performance Models…');
    await workbench.quickPickRow('Folder of Experiments…').waitFor();
    await workbench.quickPickRow('File…').waitFor();
    await workbench.screenshot('models-input');
    await page.keyboard.press('Escape');
  });
}

async function ranked(report, { workbench, page, inHost }, file) {
  await report.check('what grows most is on top, with its formula and its plot', async () => {
    await inHost((given) => {
      blocked.milliseconds = 0;
      void vscode.commands.executeCommand('kymo.showModels', vscode.Uri.file(given));
    }, file);
    const frame = await modelsPanel(page);
    await frame.locator('.model-facts', { hasText: 'SMAPE' }).waitFor();
    const rows = await rowTexts(frame);
    assert(/^main → solve → exchange .*p²/.test(rows[0] ?? ''), rows.join('\n'));
    assert(/solve .*log₂ p/.test(rows[1] ?? ''), rows.join('\n'));
    assert(rows.length === 3, rows.join('\n'));
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by it (ms, bar 50)', milliseconds.toFixed(1));
    await workbench.screenshot('models-dark');
  });
}

async function searched(report, { page }) {
  await report.check('a search shows the models that match', async () => {
    const frame = await modelsPanel(page);
    const search = frame.getByRole('textbox', { name: 'Search models' });
    await search.fill('init');
    await until('one model', async () => (await rowTexts(frame)).length === 1);
    await search.fill('');
    await until('all models', async () => (await rowTexts(frame)).length === 3);
  });
}

async function anotherPoint(report, { page, workbench }) {
  await report.check('another point has other predictions, and another order', async () => {
    const frame = await modelsPanel(page);
    const field = frame.getByRole('textbox', { name: 'Predict for p' });
    assert((await field.inputValue()) === '640', await field.inputValue());
    const before = await rowTexts(frame);
    await field.fill('8');
    await until('solve on top', async () => /^main → solve \d/.test((await rowTexts(frame))[0] ?? ''));
    const after = await rowTexts(frame);
    assert(/6\.5 s/.test(after[0] ?? ''), `${before.join('\n')}\n${after.join('\n')}`);
    await workbench.screenshot('models-point');
  });
}

async function damaged(report, { page, inHost, workbench }, file) {
  await report.check('a file that cannot be read says where and why', async () => {
    await inHost((given) => {
      void vscode.commands.executeCommand('kymo.showModels', vscode.Uri.file(given));
    }, file);
    const frame = await frameWith(page, 'the error', (candidate) =>
      candidate.locator('.models .message-area[role="alert"]:visible'),
    );
    const text = await frame.getByRole('alert').innerText();
    assert(/broken\.txt.*2/s.test(text), text);
    await frame.getByRole('button', { name: 'Show Another Input…' }).waitFor();
    await workbench.screenshot('models-damaged');
  });
}
