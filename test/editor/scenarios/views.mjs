// The views: what is in and out by file, pins that the next refinement follows, properties that lead to their lines, damaged studies.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { patience } from '../lib/patience.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { studiesOf } from '../lib/studies.mjs';
import { viewsOf } from '../lib/views.mjs';
import { withRefinedWorkspace } from '../lib/workspace.mjs';

export async function run(report, options) {
  await withRefinedWorkspace(options, (folder) =>
    withSession({ ...options, folder }, async (session) => {
      const views = viewsOf(session.page);
      await keys(report, session);
      await session.workbench.showView();
      await instrumentation(report, session, views, folder);
      await explaining(report, session, views);
      await properties(report, session, views);
      await looks(session);
      await refineAgain(report, session);
      await followed(report, session, views, folder);
      await experiments(report, session, views, folder);
      await damaged(report, session, views, folder);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    }),
  );
}

/** The default key bindings. */
async function keys(report, { workbench, page, inHost }) {
  await report.check('Alt+Y G goes to the hottest function, Alt+Y E explains it', async () => {
    await workbench.openFile('main.cpp');
    // A key that a window misses while it is busy is pressed again, as a person would.
    await until('the line of the hottest function', async () => {
      await page.keyboard.press('Alt+Y');
      await page.keyboard.press('g');
      await page.waitForTimeout(1000);
      return (await lineAtCursor(inHost)).includes('double sweep(');
    });
    await until('the explanation', async () => {
      await page.keyboard.press('Alt+Y');
      await page.keyboard.press('e');
      return workbench
        .quickPickRow('in the function itself')
        .waitFor({ timeout: patience(5000) })
        .then(
          () => true,
          () => false,
        );
    });
    await page.keyboard.press('Escape');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}

async function refineAgain(report, { workbench, inHost }) {
  await report.check('the next refinement', async () => {
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.answerDialog('Run');
    await workbench.message('functions instrumented', 300_000);
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    await workbench.showView();
  });
}

async function instrumentation(report, { workbench, page, inHost }, views, folder) {
  const pane = views.pane('Instrumentation');
  await report.check('functions stand below their files, with a check box for in and out', async () => {
    await views.row('Instrumentation', 'main.cpp').waitFor();
    await inHost(() => vscode.commands.executeCommand('kymo.experiments.focus'));
    await views.open('Instrumentation', 'main.cpp', 'sweep');
    const box = views.row('Instrumentation', 'sweep').locator('.monaco-custom-toggle');
    assert((await box.getAttribute('aria-checked')) === 'true', 'sweep is not instrumented');
    await workbench.screenshot('views-instrumentation');
  });
  await report.check('a filter leaves the functions with these words, and says so', async () => {
    await inHost(() => void vscode.commands.executeCommand('kymo.instrumentation.filter'));
    const input = page.locator('.quick-input-widget input[placeholder^="Words in name"]');
    await input.waitFor();
    await input.fill('part12');
    await views.row('Instrumentation', 'part12').waitFor();
    await page.keyboard.press('Enter');
    await pane.locator('.message', { hasText: /“part12”: \d+ of \d+ functions/ }).waitFor();
    assert((await views.row('Instrumentation', 'main.cpp').count()) === 0, 'main.cpp is still shown');
    await workbench.screenshot('views-filter');
    await inHost(() => void vscode.commands.executeCommand('kymo.instrumentation.clearFilter'));
    await views.row('Instrumentation', 'main.cpp').waitFor();
  });
  await report.check('only what the last round changed', async () => {
    await inHost(() => void vscode.commands.executeCommand('kymo.instrumentation.showChanged'));
    await pane
      .locator('.message, .welcome-view', { hasText: /changed/ })
      .first()
      .waitFor();
    await workbench.screenshot('views-changed');
    await inHost(() => void vscode.commands.executeCommand('kymo.instrumentation.showAll'));
    await views.row('Instrumentation', 'main.cpp').waitFor();
  });
  await report.check('a click on a function goes to its line', async () => {
    await views.open('Instrumentation', 'main.cpp', 'sweep');
    await views.row('Instrumentation', 'sweep').locator('.monaco-icon-label').click();
    await workbench.tab('main.cpp').waitFor();
    await until('the line of sweep', async () => (await lineAtCursor(inHost)).includes('double sweep('));
  });
  await report.check('taking the tick away pins out, undo brings it back', async () => {
    const box = () => views.row('Instrumentation', 'sweep').locator('.monaco-custom-toggle');
    await inHost(() => {
      blocked.milliseconds = 0;
    });
    const isOut = () => pinsOf(folder).some(({ state }) => state === 'out');
    // VS Code loses a click on a row that it is about to draw anew: then as a person would, once more.
    const takeTick = () =>
      until('the pin on disk', async () => {
        if (isOut()) return true;
        if ((await box().getAttribute('aria-checked')) === 'true') await box().click();
        return until('a pin', isOut, 5000).catch(() => false);
      });
    await takeTick();
    await views.row('Instrumentation', 'out next run').waitFor();
    await workbench.screenshot('views-pinned');
    await workbench.runCommand('Kymo: Undo Last Instrumentation Change');
    await until('no pin', () => pinsOf(folder).length === 0);
    await until('the tick', async () => (await box().getAttribute('aria-checked')) === 'true');
    await takeTick();
    await views.row('Instrumentation', 'out next run').waitFor();
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most while pinning (ms)', milliseconds.toFixed(1));
  });
}

async function explaining(report, { workbench, page, inHost }, views) {
  await report.check('a function is explained from its menu, with the history of decisions', async () => {
    await workbench.rowAction('sweep', 'Explain');
    await workbench.quickPickRow('of the computing time, with everything it calls').waitFor();
    await workbench.screenshot('views-explain');
    await workbench.pick('Decisions of All Rounds');
    await workbench.quickPickRow('Round 0').waitFor();
    await workbench.screenshot('views-history');
    await page.keyboard.press('Escape');
  });
  await report.check('without a mouse, too', async () => {
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    await inHost(() => vscode.commands.executeCommand('kymo.instrumentation.focus'));
    await until('the focus on sweep', async () => {
      const focused = views.pane('Instrumentation').locator('.monaco-list-row.focused');
      if ((await focused.innerText().catch(() => '')).includes('sweep')) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    });
    await page.keyboard.press('Shift+F10');
    await workbench.menuItem('Explain').waitFor();
    await workbench.screenshot('views-menu');
    await chooseByKeyboard(page, 'Show in Hot Spots');
    await workbench.tab('Hot Spots').waitFor();
    await until('sweep to be selected in the panel', async () => {
      const selected = await Promise.all(
        page.frames().map((frame) =>
          frame
            .locator('[role="row"][aria-selected="true"]')
            .allInnerTexts()
            .catch(() => []),
        ),
      );
      return selected.flat().some((text) => text.includes('sweep'));
    });
    await workbench.screenshot('views-hot-spots');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}

/** Goes down the menu that is open until the item has the focus, and takes it. Each step waits for its effect, or it would go past. */
async function chooseByKeyboard(page, action) {
  const focused = page.locator('.monaco-menu .action-item.focused, .monaco-menu .action-menu-item:focus');
  const words = async () => (await focused.allInnerTexts()).join('\n');
  for (let step = 0; step < 40; step++) {
    const before = await words();
    if (before.includes(action)) return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await until(`the focus to leave “${before}”`, async () => (await words()) !== before);
  }
  throw new Error(`“${action}” is not in the menu`);
}

async function properties(report, { workbench, inHost }, views) {
  await report.check('properties are grouped, and a click goes to the line', async () => {
    await inHost(() => vscode.commands.executeCommand('kymo.properties.focus'));
    const row = views.row('Properties', 'sweep');
    await row.waitFor();
    await workbench.screenshot('views-properties');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    await row.click();
    await workbench.tab('main.cpp').waitFor();
    await until('the line of sweep', async () => (await lineAtCursor(inHost)).includes('double sweep('));
  });
  await report.check('a property is explained by what was decided of its function', async () => {
    await views.row('Properties', 'sweep').click();
    await workbench.openMenuOf(views.row('Properties', 'sweep'));
    await workbench.choose('Explain');
    await workbench.quickPickRow('of the computing time, with everything it calls').waitFor();
    await workbench.page.keyboard.press('Escape');
  });
  await report.check('they can be grouped by file and by severity', async () => {
    await inHost(() => void vscode.commands.executeCommand('kymo.properties.groupBy.file'));
    await views.row('Properties', 'main.cpp').waitFor();
    await inHost(() => void vscode.commands.executeCommand('kymo.properties.groupBy.severity'));
    await views.row('Properties', '% of the run time and more').waitFor();
    await inHost(() => void vscode.commands.executeCommand('kymo.properties.groupBy.kind'));
    await views.row('Properties', 'Hot spots').waitFor();
  });
}

/** Pictures in all themes, and with a narrow side bar. */
async function looks({ workbench, page, inHost }) {
  const themes = {
    dark: 'Dark Modern',
    light: 'Light Modern',
    'hc-dark': 'Default High Contrast',
    'hc-light': 'Default High Contrast Light',
  };
  const use = (theme) =>
    inHost(
      (value) =>
        vscode.workspace
          .getConfiguration('workbench')
          .update('colorTheme', value, vscode.ConfigurationTarget.Global),
      theme,
    );
  for (const [file, theme] of Object.entries(themes)) {
    await use(theme);
    await page.waitForTimeout(1200);
    await workbench.screenshot(`views-${file}`);
    await narrow(page, async () => workbench.screenshot(`views-narrow-${file}`));
  }
  await use('Dark Modern');
}

/** With the side bar as narrow as people make it. */
async function narrow(page, action) {
  const { x, width, y } = await page.locator('.part.sidebar').boundingBox();
  const drag = async (from, to) => {
    await page.mouse.move(from, y + 200);
    await page.mouse.down();
    await page.mouse.move(to, y + 200, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(900, 600);
  };
  await drag(x + width, x + 200);
  await action();
  const now = await page.locator('.part.sidebar').boundingBox();
  await drag(now.x + now.width, x + width);
}

async function followed(report, { workbench, inHost }, views, folder) {
  await report.check('the next refinement leaves out what is pinned out, and says why', async () => {
    await inHost(() => vscode.commands.executeCommand('kymo.instrumentation.focus'));
    const study = path.join(folder, '.kymo/tiny', studiesOf(folder).at(-1));
    const { functions } = JSON.parse(readFileSync(path.join(study, 'functions.json'), 'utf8'));
    const sweep = functions.find((one) => one.name.includes('::sweep'));
    assert(sweep?.selected === false, 'sweep is still recorded');
    assert(sweep.reason.includes('excluded by the user'), sweep.reason);
    await until(
      'no change waits',
      async () => (await views.row('Instrumentation', 'out next run').count()) === 0,
    );
    await workbench.screenshot('views-followed');
  });
}

async function experiments(report, { workbench }, views) {
  await report.check('two studies are compared from the tree', async () => {
    const row = (text) => views.row('Experiments', text);
    await row('Round 0').waitFor();
    await workbench.rowAction('Round 0', 'Select for Compare');
    await workbench.rowAction('Round 1', 'Compare with Selected');
    await workbench.tab('Hot Spots').waitFor();
    await workbench.screenshot('views-compare');
  });
}

async function damaged(report, { workbench, inHost }, views, folder) {
  await report.check('a study that cannot be read is shown, with the reason', async () => {
    const study = path.join(folder, '.kymo/tiny/broken');
    mkdirSync(path.join(study, 'i0'), { recursive: true });
    writeFileSync(path.join(study, 'study.json'), '{"kymoStudy": 1, "targ');
    await inHost(() => void vscode.commands.executeCommand('kymo.experiments.refresh'));
    await views.row('Experiments', 'cannot be read').waitFor();
    await workbench.screenshot('views-damaged');
  });
  await report.check('a damaged pins.json is reported, and never overwritten', async () => {
    const file = path.join(folder, '.kymo/pins.json');
    writeFileSync(file, '{"kymoPins": 1, "pi');
    await views
      .pane('Instrumentation')
      .locator('.message', { hasText: /pins\.json cannot be read/ })
      .waitFor();
    await inHost(() => vscode.commands.executeCommand('kymo.undoPin'));
    await workbench.message('pins.json cannot be read');
    assert(readFileSync(file, 'utf8') === '{"kymoPins": 1, "pi', 'it was overwritten');
    rmSync(file);
  });
  await report.check('a study that is deleted meanwhile leaves the tree without an error', async () => {
    for (const study of studiesOf(folder))
      rmSync(path.join(folder, '.kymo/tiny', study), { recursive: true, force: true });
    await inHost(() => void vscode.commands.executeCommand('kymo.experiments.refresh'));
    await until('the rows to go', async () => (await views.row('Experiments', 'rounds').count()) === 0);
    await views.pane('Instrumentation').locator('.welcome-view').waitFor();
  });
}

function lineAtCursor(inHost) {
  return inHost(() => {
    const { document, selection } = vscode.window.activeTextEditor ?? {};
    return document === undefined ? '' : document.lineAt(selection.active).text;
  });
}

function pinsOf(folder) {
  const file = path.join(folder, '.kymo/pins.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).pins : [];
}
