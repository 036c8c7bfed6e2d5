// The hot-spot panel in the real editor: from a refinement to the line, over a reload and through the themes.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { writeLargeProfile } from '../lib/largeProfile.mjs';
import { frameWith } from '../lib/panels.mjs';
import { withSession } from '../lib/session.mjs';
import { pageFollowsThemes } from '../lib/themes.mjs';
import { withRefinedWorkspace, withWorkspace } from '../lib/workspace.mjs';

export async function run(report, options) {
  await withRefinedWorkspace(options, (folder) =>
    withSession({ ...options, folder }, async (session) => {
      await look(report, session);
      await saving(report, session, folder);
      await report.check('the panel follows the theme', () =>
        pageFollowsThemes(session, panelFrame, 'hotSpots'),
      );
      await large(report, session, folder);
      await reload(report, session);
      await deleted(report, session, folder);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    }),
  );
  await withWorkspace((folder) =>
    withSession({ ...options, folder }, async (session) => {
      await picture(report, session, folder);
      await ranks(report, session, folder);
    }),
  );
}

/** Beside the panel that is there; closed again, so that the others find theirs. */
async function large(report, { page, workbench, inHost }, folder) {
  await report.check(
    'a profile of 100,000 call paths opens without blocking the extension host',
    async () => {
      const file = path.join(folder, 'large.cubex');
      await writeLargeProfile(file, 100_000);
      await inHost((uri) => {
        blocked.milliseconds = 0;
        void vscode.commands.executeCommand('kymo.showHotSpots', vscode.Uri.file(uri));
      }, file);
      await frameWith(page, '100,000 call paths in a panel', (frame) => frame.getByText('100000 call paths'));
      const milliseconds = await inHost(() => blocked.milliseconds);
      report.figure(
        'extension host blocked at most by 100,000 call paths (ms, bar 50)',
        milliseconds.toFixed(1),
      );
      await workbench.screenshot('hotSpots-large');
      await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
    },
  );
}

/** The frame of the panel. */
const panelFrame = (page) =>
  frameWith(page, 'the panel', (frame) => frame.locator('.grid-row:visible, .flame-canvas:visible'));

const selectedRow = (frame) => frame.locator('.grid-row.selected:visible');

async function look(report, { workbench, page, inHost }) {
  await report.check('the panel opens from the palette and shows the call tree', async () => {
    await inHost(() => {
      blocked.milliseconds = 0;
    });
    await workbench.openFile('main.cpp');
    await page.locator('.codelens-decoration').first().waitFor();
    await workbench.runCommand('Kymo: Show Hot Spots');
    const frame = await panelFrame(page);
    await frame.locator('.grid-row:visible', { hasText: 'main' }).first().waitFor();
    report.figure(
      'extension host blocked at most by opening the panel (ms)',
      (await inHost(() => blocked.milliseconds)).toFixed(1),
    );
    await workbench.screenshot('hotSpots-dark');
  });
  await report.check('the search finds a function, and Enter leads to its line', async () => {
    const frame = await panelFrame(page);
    await frame.locator('.search-box input').fill('sweep');
    await until('a match', async () =>
      /\d+ (of|match)/.test(await frame.locator('.search-count').innerText()),
    );
    const found = (await selectedRow(frame).innerText()).split('\n')[0];
    report.figure('found by the search', found);
    await selectedRow(frame).dblclick();
    const line = await until('the cursor at the function', () =>
      inHost(() => {
        const editor = vscode.window.activeTextEditor;
        return editor?.selection.active.line > 0
          ? editor.document.lineAt(editor.selection.active.line).text
          : undefined;
      }),
    );
    const plain = found.replace(/\(.*/, '').split(/[\s:]/).at(-1);
    assert(line.includes(plain), `the line “${line}” does not name ${plain}`);
  });
  await report.check('the flame graph is drawn', async () => {
    const frame = await panelFrame(page);
    await frame.getByRole('tab', { name: 'Flame Graph' }).click();
    await frame.locator('.flame-canvas').waitFor();
    await workbench.screenshot('hotSpots-flame');
    await frame.getByRole('tab', { name: 'Call Tree' }).click();
  });
}

/** The save dialog of VS Code, for each format; and left without a choice. */
async function saving(report, { page, workbench, inHost }, folder) {
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  const saveAs = async (label, ending) => {
    const frame = await panelFrame(page);
    await frame.getByRole('button', { name: 'Save As…' }).click();
    await frame.getByRole('menuitem', { name: label, exact: true }).click();
    // The dialog writes its suggestion once it has looked at the folder.
    await input.waitFor();
    await until('the suggested name', async () => (await input.inputValue()).endsWith(`.${ending}`));
  };
  await report.check('a save dialog that is left writes nothing, and the panel goes on', async () => {
    const before = readdirSync(folder).join();
    // Another format than the next one: the hidden box still has its text.
    await saveAs('Flame Graph as PNG', 'png');
    await workbench.screenshot('hotSpots-save');
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
    assert(readdirSync(folder).join() === before, `there is a new file: ${readdirSync(folder).join()}`);
    const frame = await panelFrame(page);
    assert(
      (await frame.locator('.notice:visible').count()) === 0,
      'closing the dialog is reported as an error',
    );
  });
  for (const [label, ending, isRight] of formats)
    await report.check(`the profile is saved as ${label}`, async () => {
      await saveAs(label, ending);
      const name = path.basename(await input.inputValue());
      const file = path.join(folder, name);
      await page.keyboard.press('Enter');
      await until('the file', () => existsSync(file) && isRight(readFileSync(file)));
      await page.locator('.statusbar', { hasText: `Saved ${name}` }).waitFor();
      rmSync(file);
    });
  const frame = await panelFrame(page);
  await frame.getByRole('tab', { name: 'Call Tree' }).click();
  await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
}

/** Title in the menu, ending of the file name, and a check of the content. */
const formats = [
  ['CSV Table', 'csv', (bytes) => /overhead \(sec, calibrated cost\)/.test(bytes.toString())],
  ['JSON', 'json', (bytes) => JSON.parse(bytes).overhead.cost === 'calibrated'],
  ['speedscope', 'speedscope.json', (bytes) => JSON.parse(bytes).exporter === 'kymo'],
  ['Flame Graph as PNG', 'png', (bytes) => bytes.subarray(1, 4).toString() === 'PNG'],
];

async function reload(report, { page, workbench }) {
  await report.check('after a reload of the window the panel shows the same', async () => {
    const before = await (await panelFrame(page)).locator('.search-box input').inputValue();
    await workbench.reloadWindow();
    const frame = await panelFrame(page);
    await until(
      'the search to be back',
      async () => (await frame.locator('.search-box input').inputValue()) === before,
    );
    await workbench.screenshot('hotSpots-reloaded');
  });
}

async function deleted(report, { page, workbench, inHost }, folder) {
  await report.check('deleting the study that is shown is reported, and what was read stays', async () => {
    const frame = await panelFrame(page);
    rmSync(path.join(folder, '.kymo'), { recursive: true, force: true });
    await inHost(() => void vscode.commands.executeCommand('kymo.experiments.refresh'));
    await frame.locator('.notice', { hasText: 'deleted or moved' }).waitFor();
    assert((await frame.locator('.grid-row:visible').count()) > 0, 'the rows are gone');
    await workbench.screenshot('hotSpots-gone');
  });
}

/** A profile that Score-P wrote; `scripts/docsImages.mjs` makes the README's picture of it. */
async function picture(report, { page, workbench, inHost }, folder) {
  await report.check('a profile by Score-P is shown', async () => {
    const file = path.join(folder, 'nbody.cubex');
    copyFileSync(path.join(import.meta.dirname, '../../data/scorep/nbody.cubex'), file);
    await inHost(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand('notifications.clearAll');
      await vscode.commands.executeCommand('workbench.action.closeSidebar');
    });
    await page.setViewportSize({ width: 1200, height: 560 });
    await inHost((uri) => vscode.commands.executeCommand('kymo.showHotSpots', vscode.Uri.file(uri)), file);
    const frame = await panelFrame(page);
    await frame.locator('.grid-row:visible').first().waitFor();
    await frame.getByRole('button', { name: 'Hot Path' }).click();
    await page.mouse.move(600, 4);
    await page.waitForTimeout(1500);
    await workbench.screenshot('hot-spots-readme');
  });
}

/** A profile of eight processes, in the window that is there. */
async function ranks(report, { page, workbench, inHost }, folder) {
  await report.check(
    'the ranks of a parallel profile are shown, and Enter leads from a function to its row',
    async () => {
      const file = path.join(folder, 'ranks.cubex');
      copyFileSync(path.join(import.meta.dirname, '../../fixtures/cube4/lulesh-mpi.cubex'), file);
      await page.setViewportSize({ width: 1280, height: 720 });
      await inHost(async (uri) => {
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        blocked.milliseconds = 0;
        void vscode.commands.executeCommand('kymo.showHotSpots', vscode.Uri.file(uri));
      }, file);
      const frame = await frameWith(page, 'the ranks', (candidate) =>
        candidate.getByRole('tab', { name: 'Ranks', exact: true }),
      );
      await frame.getByRole('tab', { name: 'Ranks', exact: true }).click();
      const map = frame.getByRole('application', { name: /^Functions × ranks/ });
      const words = frame.locator('.rank-map .read-out');
      await until('the map', async () => /functions, 8 ranks/.test(await words.innerText()));
      await frame.getByRole('tab', { name: 'Communication' }).waitFor({ state: 'detached' });
      await map.focus();
      await page.keyboard.press('ArrowDown');
      await until('a value', async () => /rank 0.*of the run/.test(await words.innerText()));
      const [name] = (await words.innerText()).split(', rank 0');
      await page.keyboard.press('Enter');
      const strip = frame.locator('.rank-strip .read-out');
      await until('the times of the ranks', async () =>
        /^Rank 0.*: computation 0 s/.test(await strip.innerText()),
      );
      await workbench.screenshot('hotSpots-ranks');
      report.figure(
        'extension host blocked at most by the ranks (ms)',
        (await inHost(() => blocked.milliseconds)).toFixed(1),
      );
      await frame.getByRole('tab', { name: 'Functions' }).click();
      await until('the same function in the table', async () =>
        (await selectedRow(frame).innerText()).includes(name.replace(/^…/, '')),
      );
    },
  );
  await regrouping(report, page, workbench);
  await report.check(
    'each row has a box plot over the ranks, whose upper half is chosen by keys, and rows are sorted by it',
    async () => {
      const frame = await frameWith(page, 'the functions', (candidate) =>
        candidate.locator('.grid-row:visible .spread-plot').first(),
      );
      const label = (row) => row.locator('.spread-plot').getAttribute('aria-label');
      const first = frame.locator('.grid-row:visible').first();
      await until('a box plot', async () => /2nd percentile .*, median /.test(await label(first)));
      const mark = frame.locator('.chosen-processes');
      await frame.locator('.grid:visible').focus();
      await page.keyboard.press('Home');
      await frame.getByRole('button', { name: 'Spread', exact: true }).click();
      await frame.locator('.grid:visible[aria-busy="false"]').waitFor();
      await workbench.screenshot('hotSpots-spread');
      await frame.locator('.grid:visible').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+F10');
      await frame.getByRole('menuitem', { name: 'Show Only Processes above the median' }).click();
      await until('the mark', async () => /\(4 of 8\)/.test(await mark.innerText()));
      await frame.getByRole('button', { name: 'Show All' }).click();
      await mark.waitFor({ state: 'detached' });
    },
  );
  await report.check(
    'some ranks are chosen for all views and the source, are kept over a reload, and all come back',
    async () => {
      const source = path.join(folder, 'lulesh.cc');
      writeFileSync(source, 'void CalcKinematicsForElems(Domain& domain)\n{\n}\n');
      const lenses = () =>
        inHost(async (file) => {
          await vscode.workspace.openTextDocument(vscode.Uri.file(file));
          const found = await vscode.commands.executeCommand(
            'vscode.executeCodeLensProvider',
            vscode.Uri.file(file),
          );
          return found.map(({ command }) => command?.title ?? '');
        }, source);
      const shown = () =>
        frameWith(page, 'the groups', (candidate) =>
          candidate.locator('.group-list vscode-text-field:visible'),
        );
      const frame = await frameWith(page, 'the ranks', (candidate) =>
        candidate.getByRole('tab', { name: 'Groups', exact: true }),
      );
      await frame.getByRole('tab', { name: 'Groups', exact: true }).click();
      await until('the groups', async () =>
        /groups? of 8 processes/.test(await frame.locator('.group-picture .read-out:visible').innerText()),
      );
      const mark = (of) => of.locator('.chosen-processes');
      const choose = async () => {
        await frame.locator('.group-list vscode-text-field:visible').click();
        await page.keyboard.type('2-4');
        await page.keyboard.press('Enter');
        await until('the mark', async () => /Ranks 2–4\s+\(3 of 8\)/.test(await mark(frame).innerText()));
      };
      await choose();
      await until('lenses of these ranks', async () =>
        (await lenses()).some((title) => /^only ranks 2–4 · .* visits/.test(title)),
      );
      await workbench.screenshot('hotSpots-groups');
      await frame.getByRole('button', { name: 'Show All' }).click();
      await mark(frame).waitFor({ state: 'detached' });
      await until(
        'no lenses, for nothing was shown in the source before',
        async () => (await lenses()).length === 0,
      );
      await choose();
      await workbench.reloadWindow();
      const again = await shown();
      await until('the mark again', async () => /Ranks 2–4/.test(await mark(again).innerText()));
      await again.getByRole('button', { name: 'Show All' }).click();
      await mark(again).waitFor({ state: 'detached' });
      await again.getByRole('tab', { name: 'Functions' }).click();
      await again.locator('.grid-row:visible', { hasText: newGroup }).waitFor();
    },
  );
}

const newGroup = 'My Kernels';

/** In the panel that is there. */
async function regrouping(report, page, workbench) {
  const frame = await frameWith(page, 'the functions', (candidate) =>
    candidate.locator('.functions .grid-row:visible'),
  );
  const group = frame.locator('.grid-row:visible', { hasText: newGroup });
  await report.check(
    'a function is moved to a new group by its menu and a name in the quick pick',
    async () => {
      await frame.locator('.functions .grid-row:visible').first().click({ button: 'right' });
      await frame.getByRole('menuitem', { name: 'Move to Group…' }).click();
      const input = page.locator('.quick-input-widget input[type="text"]').first();
      await input.waitFor();
      await page.keyboard.type(newGroup);
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'new group' }).waitFor();
      await workbench.screenshot('hotSpots-regroup');
      await page.keyboard.press('Enter');
      await input.waitFor({ state: 'hidden' });
      await frame.locator('vscode-dropdown[aria-label="Show"]').focus();
      await page.keyboard.press('ArrowDown');
      await group.waitFor();
      await workbench.screenshot('hotSpots-functionGroups');
    },
  );
  await report.check('Ctrl+Z and Ctrl+Y in the panel undo and redo what was shown', async () => {
    await group.click();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await group.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+y');
    await group.waitFor();
  });
}
