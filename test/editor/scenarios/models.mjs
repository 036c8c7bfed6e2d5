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
    const before = path.join(folder, 'before.txt');
    writeFileSync(before, measurements(2));
    const plane = path.join(folder, 'plane.txt');
    writeFileSync(plane, planeMeasurements());
    const broken = path.join(folder, 'broken.txt');
    writeFileSync(broken, 'PARAMETER p\nPOINTS 1 2 four\n');
    await withSession({ ...options, folder }, async (session) => {
      await choosing(report, session);
      await ranked(report, session, file);
      await searched(report, session);
      await anotherPoint(report, session);
      await asExtrap(report, session);
      await compared(report, session, file, before);
      await byFunction(report, session);
      await mapped(report, session, plane);
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
function measurements(slower = 1) {
  const sizes = [2, 4, 8, 16, 32, 64];
  const growths = {
    'main->init': () => 2,
    'main->setup->exchange': () => 0.01,
    'main->solve': (p) => 5 + 0.5 * Math.log2(p),
    'main->solve->exchange': (p) => slower * (0.1 + 0.001 * p ** 2),
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

/** A text file of Extra-P with two parameters: `solve` grows with n² · log₂ p. */
function planeMeasurements() {
  const points = [2, 4, 8, 16, 32].flatMap((p) => [10, 20, 40, 80, 160].map((n) => [p, n]));
  const value = ([p, n]) => 0.2 + 0.001 * n ** 2 * Math.log2(p);
  return [
    ...['PARAMETER p', 'PARAMETER n'],
    `POINTS ${points.map(([p, n]) => `( ${p} ${n} )`).join(' ')}`,
    ...['REGION main->solve', 'METRIC time'],
    ...points.map((point) => `DATA ${value(point).toPrecision(8)} ${(1.001 * value(point)).toPrecision(8)}`),
    '',
  ].join('\n');
}

function modelsPanel(page) {
  return frameWith(page, 'the models panel', (frame) => frame.locator('.models .grid-row:visible'));
}

const choose = async (frame, label, option) => {
  await frame.locator(`vscode-dropdown[aria-label="${label}"]`).click();
  await frame.getByRole('option', { name: option, exact: true }).click();
};

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
    assert(rows.length === 4, rows.join('\n'));
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
    await until('all models', async () => (await rowTexts(frame)).length === 4);
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

async function asExtrap(report, { page }) {
  await report.check('the models are made again as Extra-P makes them, and as before', async () => {
    const frame = await modelsPanel(page);
    const method = async (name) => {
      await frame.getByRole('button', { name: 'Method…' }).click();
      await frame.getByRole('menuitemcheckbox', { name }).click();
    };
    const summary = () => frame.locator('.summary').innerText();
    await method('As Extra-P');
    await until('Extra-P', async () => /Made as Extra-P makes them/.test(await summary()));
    await until('no ranges', async () => (await rowTexts(frame)).every((row) => /unknown/.test(row)));
    await method('The Most Probable Formulas');
    await until('formulas with ranges', async () =>
      (await rowTexts(frame)).some((row) => / … /.test(row.replaceAll('… →', ''))),
    );
    assert(!/Made/.test(await summary()), await summary());
  });
}

async function compared(report, { page, inHost, workbench }, file, before) {
  await report.check(
    'Compare… asks for other measurements, whose predictions stand beside these',
    async () => {
      const frame = await modelsPanel(page);
      await frame.getByRole('button', { name: 'Compare…' }).click();
      await workbench.quickPickRow('Folder of Experiments…').waitFor();
      await page.keyboard.press('Escape');
      await inHost(
        ([here, there]) => {
          void vscode.commands.executeCommand('kymo.compareModels', { paths: [here] }, { paths: [there] });
        },
        [file, before],
      );
      await until('both predictions', async () =>
        (await rowTexts(frame)).some((row) => /exchange .*× 2 /.test(row)),
      );
      const title = await frame.locator('.model-title').innerText();
      assert(/compared with before\.txt/.test(title), title);
      await workbench.screenshot('models-compared');
    },
  );
}

async function byFunction(report, { page, workbench }) {
  await report.check('functions stand for the sum of their call paths, grouped by growth', async () => {
    const frame = await modelsPanel(page);
    await choose(frame, 'Rows', 'Functions');
    await until('three functions', async () => (await rowTexts(frame)).length === 3);
    await choose(frame, 'Group by', 'Growth');
    await until('groups', async () => (await rowTexts(frame)).some((row) => /^p² \(1\)/.test(row)));
    await workbench.screenshot('models-functions');
    await choose(frame, 'Group by', 'Nothing');
    await choose(frame, 'Rows', 'Call paths');
    await until('four call paths', async () => (await rowTexts(frame)).length === 4);
  });
}

async function mapped(report, { page, inHost, workbench }, file) {
  await report.check('a model of two parameters is a map', async () => {
    await inHost((given) => {
      void vscode.commands.executeCommand('kymo.showModels', vscode.Uri.file(given));
    }, file);
    const frame = await frameWith(page, 'the models of two parameters', (candidate) =>
      candidate.locator('vscode-dropdown[aria-label=and]:visible'),
    );
    await choose(frame, 'and', 'n');
    const canvas = frame.getByRole('application', { name: /Model over two parameters/ });
    await canvas.focus();
    await page.keyboard.press('End');
    await until('the largest point', async () =>
      /^p = 320, n = 1600 \(extrapolated\) · model/.test(await frame.locator('.read-out').innerText()),
    );
    await workbench.screenshot('models-map');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
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
