// Two traces side by side as a person uses it: ask for them, see what differs, go there and to the source, look at other options, reload.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { product } from '../lib/product.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { pageFollowsThemes } from '../lib/themes.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

const { sweep3d } = await product('test/sweep3d.ts');

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    const files = [1, 2].map((rank) => {
      const file = path.join(folder, `rank${rank}.mvtrace`);
      writeFileSync(file, sweep3d(rank, folder));
      return file;
    });
    writeFileSync(path.join(folder, 'mpi_stuff.f'), '      continue\n'.repeat(210));
    const broken = path.join(folder, 'broken.mvtrace');
    writeFileSync(broken, '#mvtrace 1\trank=0\tnranks=1\nE\tone\t2\n');
    await withSession({ ...options, folder }, async (session) => {
      await asking(report, session);
      await compared(report, session, files);
      await grouped(report, session);
      await toSource(report, session);
      await report.check('the panel follows the theme', () =>
        pageFollowsThemes(session, comparisonPanel, 'comparison'),
      );
      await swapped(report, session);
      await damaged(report, session, [files[0], broken]);
      await reloaded(report, session);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

function comparisonPanel(page) {
  return frameWith(page, 'the comparison panel', (frame) =>
    frame.locator('.comparison .comparison-pane .grid-row:visible'),
  );
}

const plain = (text) => text.replaceAll(/\s+/g, ' ').trim();

const rowTexts = async (frame, view) =>
  (
    await frame
      .locator('.comparison-pane')
      .nth(view)
      .locator('.grid-row:visible .grid-cell:first-child')
      .allInnerTexts()
  ).map(plain);

/** Without the head. */
const rowCount = async (frame) =>
  Number(await frame.locator('.comparison-pane .grid').first().getAttribute('aria-rowcount')) - 1;

const pairFacts = async (frame) => plain(await frame.locator('.pair-facts tbody').innerText());

const choose = async (frame, label, option) => {
  await frame.locator(`vscode-dropdown[aria-label="${label}"]`).click();
  await frame.getByRole('option', { name: option, exact: true }).click();
};

async function asking(report, { workbench, page }) {
  await report.check(
    'M18: the command asks what is compared, then for the traces of the workspace',
    async () => {
      await workbench.runCommand('Kymo: Compare Traces…');
      for (const kind of ['Two Ranks', 'Two Iterations', 'Two Process Counts', 'Before and After a Commit'])
        await workbench.quickPickRow(kind).waitFor();
      await workbench.screenshot('comparison-kinds');
      await workbench.quickPickRow('Two Runs').click();
      await workbench.quickPickRow('rank1').waitFor();
      await workbench.quickPickRow('Open File…').waitFor();
      await workbench.screenshot('comparison-traces');
      await page.keyboard.press('Escape');
    },
  );
}

async function compared(report, { workbench, page, inHost }, files) {
  await report.check('two ranks are side by side, with what differs first', async () => {
    await inHost((given) => {
      blocked.milliseconds = 0;
      const uris = given.map((file) => vscode.Uri.file(file));
      void vscode.commands.executeCommand('kymo.compareTraces', uris[0], uris);
    }, files);
    const frame = await comparisonPanel(page);
    await until('the summary', async () => /14 8 6 2 0$/.test(await pairFacts(frame)));
    const list = await frame.locator('.comparison-summary .grid-row:visible').allInnerTexts();
    assert(list.length > 0, 'no characteristic');
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by a comparison (ms, bar 50)', milliseconds.toFixed(1));
    await workbench.screenshot('comparison-dark');
  });
}

async function grouped(report, { page, workbench }) {
  await report.check('M13: the frequency view adds what only rank 2 does, at its place', async () => {
    const frame = await comparisonPanel(page);
    await choose(frame, 'Show as', 'Frequency');
    await until('16 rows', async () => (await rowCount(frame)) === 16);
    const [left, right] = [await rowTexts(frame, 0), await rowTexts(frame, 1)];
    const added = right.flatMap((text, row) => (text.startsWith('+ added') ? [row] : []));
    assert(added.length === 2, right.join('\n'));
    assert(
      added.every((row) => left[row] === 'not in this view'),
      left.join('\n'),
    );
    assert(right.filter((text) => text.startsWith('≠ changed')).length === 6, right.join('\n'));
    await workbench.screenshot('comparison-frequency');
  });
}

async function toSource(report, { page, inHost }) {
  await report.check('M22: Enter opens the source of an entry at its first line', async () => {
    const frame = await comparisonPanel(page);
    await frame
      .locator('.comparison-pane')
      .nth(1)
      .locator('.grid-row:visible', { hasText: '[85-102]' })
      .click();
    await page.keyboard.press('Enter');
    await until('the source', () =>
      inHost(() => {
        const editor = vscode.window.activeTextEditor;
        return editor?.document.fileName.endsWith('mpi_stuff.f') && editor.selection.start.line === 84;
      }),
    );
    // The panel has its width again.
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}

async function swapped(report, { page }) {
  await report.check('M10: swapped, what was added is deleted', async () => {
    const frame = await comparisonPanel(page);
    await frame.getByRole('button', { name: 'Swap' }).click();
    await until('the swapped views', async () => /8 6 0 2$/.test(await pairFacts(frame)));
    const left = await rowTexts(frame, 0);
    assert(left.filter((text) => text.startsWith('− deleted')).length === 2, left.join('\n'));
  });
}

async function reloaded(report, { page, workbench }) {
  await report.check('a reloaded window shows the same comparison with the same options', async () => {
    await workbench.reloadWindow();
    const frame = await comparisonPanel(page);
    await until('the swapped views', async () => /8 6 0 2$/.test(await pairFacts(frame)));
    await until('16 rows', async () => (await rowCount(frame)) === 16);
  });
}

async function damaged(report, { page, inHost, workbench }, files) {
  await report.check('a trace that cannot be read says where and why', async () => {
    await inHost((given) => {
      const views = given.map((file) => ({ file }));
      void vscode.commands.executeCommand('kymo.compareTraces', { views });
    }, files);
    const frame = await frameWith(page, 'the error', (candidate) =>
      candidate.locator('.comparison .message-area[role="alert"]:visible'),
    );
    const text = await frame.getByRole('alert').innerText();
    assert(/broken\.mvtrace.*2/s.test(text), text);
    await frame.getByRole('button', { name: 'Compare Other Traces…' }).waitFor();
    await workbench.screenshot('comparison-damaged');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}
