/* global vscode, blocked -- functions given to `inHost` run in the extension host */
// Performance dynamics in the real editor: from a series file to the row, the line, the lens and the panel.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { writeDegradingSeries } from '../lib/series.mjs';
import { withSession } from '../lib/session.mjs';
import { viewsOf } from '../lib/views.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

export const name = 'dynamics';

const file = 'run.kseries.ndjson';
const largeFiles = ['large-1', 'large-2', 'large-3'].map((name) => `${name}.kseries.ndjson`);

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    const source = path.join(folder, 'main.cpp');
    const line =
      readFileSync(source, 'utf8')
        .split('\n')
        .findIndex((text) => text.startsWith('double sweep')) + 1;
    writeDegradingSeries(path.join(folder, file), { region: 'sweep', file: source, line });
    for (const large of largeFiles)
      writeDegradingSeries(path.join(folder, large), { region: 'sweep', file: source, line }, 256);
    writeDegradingSeries(path.join(folder, 'moved.kseries.ndjson'), {
      region: 'sweep',
      file: '/elsewhere/other.cpp',
      line,
    });
    writeFileSync(path.join(folder, 'broken.kseries.ndjson'), '{"kymoSeries":1}\n{"region":\n');
    await withSession({ ...options, folder }, async (session) => {
      await nothingYet(report, session);
      await opens(report, session);
      await toSource(report, session, line);
      await rankSets(report, session);
      await inPanel(report, session);
      await lensesFollow(report, session, line);
      await themes(report, session);
      await exports(report, session, folder);
      await stale(report, session, line);
      await compared(report, session, folder);
      await damaged(report, session, folder);
      await large(report, session, folder);
      await removed(report, session);
      await elsewhere(report, session, folder, line + 2);
      // The last one: the extension host is another one then.
      await reload(report, session);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
  await measured(report, options);
}

/** A real program: from the choice of its phase to what its iterations show. */
async function measured(report, options) {
  await withWorkspace(async (folder) => {
    await withSession({ ...options, folder }, async (session) => {
      await phase(report, session);
      await measuresIterations(report, session);
      await byItself(report, session);
    });
  });
}

async function phase(report, { workbench, inHost }) {
  await report.check('a phase is chosen among the functions that a study knows', async () => {
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.answerDialog('Run');
    await workbench.toast('functions instrumented').waitFor({ timeout: 300_000 });
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    await workbench.runCommand('Kymo: Choose Phase');
    await workbench.quickPickRow('visits').waitFor();
    await workbench.screenshot('dynamics-phases');
    await workbench.pick('sweep');
    await workbench.toast('is the phase of tiny once kymo.json is saved').waitFor();
    const text = await inHost(() => vscode.window.activeTextEditor.document.getText());
    assert(/"phase": ".*sweep/.test(text), text);
  });
}

async function measuresIterations(report, { workbench, page, inHost }) {
  await report.check('the next measurement has its iterations, and they are shown', async () => {
    await inHost(() => {
      blocked.milliseconds = 0;
    });
    await workbench.clickInToast('is the phase of tiny', 'Save and Measure Now');
    await workbench.toast('functions recorded').waitFor({ timeout: 300_000 });
    await workbench.clickInToast('functions recorded', 'Show Dynamics');
    const frame = await panel(page, '.dynamics:visible');
    await frame.getByText('2000 iterations').first().waitFor();
    await workbench.screenshot('dynamics-measured');
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by it (ms, bar 50)', milliseconds.toFixed(1));
  });
}

async function byItself(report, { workbench, page }) {
  await report.check('the newest measurement is analysed by itself in a window that opens', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Developer: Reload Window');
    await page.waitForEvent('load');
    await page.waitForSelector('.monaco-workbench', { timeout: 120_000 });
    await workbench.showView();
    // The command is there only while something is shown.
    await until('dynamics in the source', async () => {
      const input = await workbench.quickInput('F1');
      await input.fill('>Kymo: Hide Performance Dynamics in Source');
      const found = await workbench
        .quickPickRow('Hide Performance Dynamics in Source')
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
      await page.keyboard.press('Escape');
      return found;
    });
    await workbench.screenshot('dynamics-by-itself');
  });
}

/** The frame of the panel that is shown: VS Code puts a page into a page. */
function panel(page, selector = '.dynamics .grid-row:visible') {
  return until('the dynamics panel', async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (found > 0) return frame;
    }
    return undefined;
  });
}

const openWith = ({ inHost }, uri) =>
  inHost((given) => {
    void vscode.commands.executeCommand('kymo.showDynamics', vscode.Uri.file(given));
  }, uri);
const closePanels = ({ inHost }) =>
  inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

async function nothingYet(report, { workbench, page }) {
  await report.check('without iterations the command says how to get them', async () => {
    await workbench.runCommand('Kymo: Show Performance Dynamics');
    await workbench.toast('Mark the function that runs once per time step').waitFor();
    await workbench.screenshot('dynamics-none');
    await page.keyboard.press('Escape');
  });
}

async function opens(report, { workbench, page, inHost }) {
  await report.check('F46 a series file opens from the Explorer, and its properties are listed', async () => {
    await inHost(async () => {
      blocked.milliseconds = 0;
      await vscode.commands.executeCommand('workbench.view.explorer');
    });
    const began = Date.now();
    await workbench.rowAction(file, 'Show Performance Dynamics');
    const frame = await panel(page);
    await frame.getByText('Degradation trend', { exact: false }).first().waitFor();
    report.figure('from the menu to what was found (ms)', Date.now() - began);
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by it (ms, bar 50)', milliseconds.toFixed(1));
    await workbench.screenshot('dynamics-dark');
    await workbench.showView();
    const { row } = viewsOf(page);
    await row('Properties', 'Degradation trends').waitFor();
    const shown = await row('Properties', '[33–128]').innerText();
    assert(/sweep/.test(shown) && /%/.test(shown) && /ranks 4-6/.test(shown), shown);
    await workbench.screenshot('dynamics-properties');
  });
}

async function toSource(report, { workbench, page, inHost }, line) {
  await report.check('F46 a click on a property opens file and line', async () => {
    await viewsOf(page).row('Properties', '[33–128]').click();
    await until('the line', () =>
      inHost((wanted) => {
        const editor = vscode.window.activeTextEditor;
        return editor?.document.uri.path.endsWith('/main.cpp') && editor.selection.active.line === wanted - 1;
      }, line),
    );
  });
  await report.check(
    'F47 the lens stands at the line, with what, when, how severe and on which ranks',
    async () => {
      const lens = workbench.lens('degradation trend');
      await lens.waitFor();
      const text = await lens.innerText();
      assert(/↗ degradation trend \[33–128\] · \d+ % · ranks 4-6/.test(text), text);
      await workbench.screenshot('dynamics-lens');
    },
  );
  await report.check('F47 the degradation is in the Problems view, as a warning', async () => {
    const found = await until('the problem', () =>
      inHost(() => {
        const { uri } = vscode.window.activeTextEditor.document;
        const all = vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'degradation-trend');
        return all.map(({ message, severity, range }) => ({ message, severity, line: range.start.line }))[0];
      }),
    );
    assert(found.line === line - 1 && found.severity === 1, JSON.stringify(found));
    assert(/sweep/.test(found.message) && /33–128/.test(found.message), found.message);
  });
}

async function rankSets(report, { workbench, page, inHost }) {
  await report.check('F46 the same by rank set, and from a threshold on', async () => {
    await inHost(() => vscode.commands.executeCommand('kymo.properties.groupBy.ranks'));
    const { row } = viewsOf(page);
    await row('Properties', 'ranks 4-6').waitFor();
    await row('Properties', 'rank 0').waitFor();
    await workbench.screenshot('dynamics-rank-sets');
    await inHost(() => vscode.workspace.getConfiguration('kymo').update('properties.threshold', 20, false));
    await row('Properties', 'rank 0').waitFor({ state: 'detached' });
    await inHost(async () => {
      await vscode.workspace.getConfiguration('kymo').update('properties.threshold', undefined, false);
      await vscode.commands.executeCommand('kymo.properties.groupBy.kind');
    });
    await row('Properties', 'Late ranks').waitFor();
  });
}

async function inPanel(report, { workbench, page, inHost }) {
  await report.check('a property is shown in the panel from the tree and from its lens', async () => {
    const { row } = viewsOf(page);
    await workbench.openMenuOf(row('Properties', '[20], [52], [84]'));
    await workbench.choose('Show in Dynamics Panel');
    const frame = await panel(page);
    const selected = frame.locator('.grid-row.selected:visible');
    await until('the property in the panel', async () =>
      (await selected.allInnerTexts()).some((text) => /20|peak/i.test(text)),
    );
    await workbench.screenshot('dynamics-chosen');
    await workbench.openFile('main.cpp');
    // A click is lost when the lenses are drawn anew under it.
    const isShown = () => workbench.page.locator('.tab.active', { hasText: 'Dynamics' }).isVisible();
    await until(
      'the panel to come by a click on the lens',
      async () => {
        if (await isShown()) return true;
        await workbench.lens('degradation trend').locator('a').first().click({ timeout: 2000 });
        await page.waitForTimeout(1000);
        return isShown();
      },
      30_000,
    );
    const chosen = (await panel(page)).locator('.grid-row.selected:visible');
    await until('the other property', async () =>
      (await chosen.allInnerTexts()).some((text) => /sweep.*33–128/s.test(text)),
    );
  });
  await report.check('a region is opened from the panel', async () => {
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeOtherEditors'));
    const frame = await panel(page);
    await frame.locator('.grid-row.selected:visible').first().dblclick();
    await until('the source', () =>
      inHost(() => vscode.window.activeTextEditor?.document.uri.path.endsWith('/main.cpp') === true),
    );
  });
}

async function lensesFollow(report, { workbench, inHost }, line) {
  await report.check(
    'F47 lens and problem follow an edit, and go and come back with the one switch',
    async () => {
      await workbench.openFile('main.cpp');
      await workbench.lens('degradation trend').waitFor();
      await inHost(async () => {
        const edit = new vscode.WorkspaceEdit();
        const { uri } = vscode.window.activeTextEditor.document;
        edit.insert(uri, new vscode.Position(0, 0), '// one\n// two\n');
        await vscode.workspace.applyEdit(edit);
      });
      const problem = (wanted) =>
        until(`the problem at line ${wanted}`, () =>
          inHost((at) => {
            const { uri } = vscode.window.activeTextEditor.document;
            return vscode.languages
              .getDiagnostics(uri)
              .some(({ code, range }) => code === 'degradation-trend' && range.start.line === at - 1);
          }, wanted),
        );
      await problem(line + 2);
      await inHost(() => vscode.commands.executeCommand('undo'));
      await problem(line);
      await workbench.runCommand('Kymo: Toggle Source Annotations');
      await workbench.lens('degradation trend').waitFor({ state: 'detached' });
      await workbench.runCommand('Kymo: Toggle Source Annotations');
      await workbench.lens('degradation trend').waitFor();
    },
  );
}

async function stale(report, { workbench, inHost }, line) {
  await report.check('F46 a line whose source is newer than the run says so', async () => {
    await inHost(async () => {
      const isMain = ({ document }) => document.uri.path.endsWith('/main.cpp');
      const { document, viewColumn } = vscode.window.visibleTextEditors.find(isMain);
      await vscode.window.showTextDocument(document, viewColumn);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '// one\n// two\n');
      await vscode.workspace.applyEdit(edit);
      await document.save();
    });
    await workbench.lens('changed since the run').waitFor();
    const text = await workbench.lens('degradation trend').innerText();
    assert(text.includes('changed since the run'), text);
    const at = await until('the problem', () =>
      inHost(() => {
        const { uri } = vscode.window.activeTextEditor.document;
        const all = vscode.languages.getDiagnostics(uri);
        return all.find(({ code }) => code === 'degradation-trend')?.range.start.line;
      }),
    );
    assert(at === line + 1, `the problem is at line ${at + 1} and not ${line + 2}`);
    await workbench.screenshot('dynamics-stale');
  });
}

async function elsewhere(report, session, folder, line) {
  const { workbench, page, inHost } = session;
  await report.check(
    'F46 a source of another machine is found, and by the setting where it is elsewhere',
    async () => {
      await openWith(session, path.join(folder, 'moved.kseries.ndjson'));
      const { row } = viewsOf(page);
      await until('the properties of the other file', async () =>
        (await row('Properties', '[33–128]').allInnerTexts()).some((text) => text.includes('other.cpp')),
      );
      await inHost(() =>
        vscode.workspace
          .getConfiguration('kymo')
          .update('sourcePaths', [{ from: '/elsewhere/other.cpp', to: 'main.cpp' }], false),
      );
      await until('the properties at the file that is here', async () =>
        (await row('Properties', '[33–128]').allInnerTexts()).some((text) => text.includes('main.cpp')),
      );
      await row('Properties', '[33–128]').click();
      await until('the line', () =>
        inHost(
          (wanted) =>
            vscode.window.activeTextEditor?.document.uri.path.endsWith('/main.cpp') &&
            vscode.window.activeTextEditor.selection.active.line === wanted - 1,
          line,
        ),
      );
      await workbench.screenshot('dynamics-elsewhere');
      await inHost(() => vscode.workspace.getConfiguration('kymo').update('sourcePaths', undefined, false));
    },
  );
}

async function themes(report, { page, workbench, inHost }) {
  await report.check('the panel follows the theme', async () => {
    await workbench.tab('Dynamics').click();
    for (const [theme, picture] of [
      ['Light Modern', 'light'],
      ['Default High Contrast', 'hc-dark'],
      ['Default High Contrast Light', 'hc-light'],
      ['Dark Modern', 'dark-again'],
    ]) {
      const frame = await panel(page);
      const before = await frame.evaluate(() => globalThis.document.body.className);
      await inHost(
        (wanted) => vscode.workspace.getConfiguration().update('workbench.colorTheme', wanted, true),
        theme,
      );
      await until('the theme in the panel', async () => {
        const now = await frame.evaluate(() => globalThis.document.body.className);
        return now !== before;
      });
      await page.waitForTimeout(300);
      await workbench.screenshot(`dynamics-${picture}`);
    }
  });
}

async function exports(report, { page, inHost }, folder) {
  await report.check('the report is exported from the Properties view', async () => {
    await inHost(() => void vscode.commands.executeCommand('kymo.properties.export'));
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    // The dialog writes the name that is suggested once it has looked at the folder.
    await until('the suggested name', async () => (await input.inputValue()).endsWith('.json'));
    const wanted = path.join(folder, path.basename(await input.inputValue()));
    await page.keyboard.press('Enter');
    await until(
      'the file',
      () => existsSync(wanted) && readFileSync(wanted, 'utf8').includes('degradation-trend'),
    );
    const { properties } = JSON.parse(readFileSync(wanted, 'utf8'));
    assert(
      properties.some(({ kind, ranks }) => kind === 'late-rank' && ranks === '0'),
      'no late rank',
    );
    rmSync(wanted);
  });
}

async function compared(report, { workbench, page, inHost }, folder) {
  await report.check('two runs are compared by what both advance along', async () => {
    await inHost(
      (files) => {
        void vscode.commands.executeCommand('kymo.compareDynamics', { kind: 'files', files });
      },
      [path.join(folder, file)],
    );
    await workbench.pick('Open File…');
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    // The dialog writes where it begins once it has looked there.
    await until('the dialog', async () => (await input.inputValue()).endsWith('/'));
    await input.fill(path.join(folder, largeFiles[0]));
    await page.keyboard.press('Enter');
    await workbench.pick('a series that both runs have');
    await until('the question', async () => (await input.getAttribute('placeholder')) === 'dt');
    await input.fill('dt');
    await page.keyboard.press('Enter');
    await workbench.seen('Two runs by a common axis');
    await workbench.seen('One run is the better one in all phases');
    await workbench.screenshot('dynamics-compared');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}

async function damaged(report, session, folder) {
  const { page, workbench } = session;
  await report.check('a series file that cannot be read says where and why', async () => {
    await closePanels(session);
    await openWith(session, path.join(folder, 'broken.kseries.ndjson'));
    const frame = await panel(page, '.message-area[role="alert"]:visible');
    await until('the reason', async () =>
      /broken\.kseries\.ndjson.*2/s.test(await frame.getByRole('alert').innerText()),
    );
    await workbench.screenshot('dynamics-damaged');
    await closePanels(session);
  });
}

/** Several runs: a pause of the collector, or of the machine, meets one of them; what Kymo does meets all. */
async function large(report, session, folder) {
  const { page, inHost, workbench } = session;
  await report.check('F51 the extension host is not blocked by a run of 256 ranks', async () => {
    const turns = [];
    for (const large of largeFiles) {
      await closePanels(session);
      await inHost(() => {
        blocked.milliseconds = 0;
      });
      const began = Date.now();
      await openWith(session, path.join(folder, large));
      const frame = await panel(page);
      await frame.getByText(large).first().waitFor();
      await frame.getByText('Degradation trend', { exact: false }).first().waitFor();
      report.figure('from the request to what was found in 512 series (ms)', Date.now() - began);
      turns.push(await inHost(() => blocked.milliseconds));
    }
    const shown = turns.map((milliseconds) => milliseconds.toFixed(1)).join(', ');
    report.figure('extension host blocked at most by it (ms, bar 50)', shown);
    assert(Math.min(...turns) <= 50, `blocked for ${shown} ms`);
    await workbench.screenshot('dynamics-256-ranks');
  });
}

async function removed(report, { workbench, page }) {
  await report.check('F47 dynamics are taken out of the source, and come back with the command', async () => {
    await workbench.openFile('main.cpp');
    await workbench.lens('degradation trend').waitFor();
    await workbench.runCommand('Kymo: Hide Performance Dynamics in Source');
    await workbench.lens('degradation trend').waitFor({ state: 'detached' });
    await workbench.showView();
    await viewsOf(page).row('Properties', 'Degradation').waitFor({ state: 'detached' });
  });
}

async function reload(report, { page, workbench, inHost }) {
  await report.check('after a reload of the window the panel shows the same', async () => {
    await workbench.tab('Dynamics').click();
    const frame = await panel(page);
    await frame.locator('.grid-row:visible').first().waitFor();
    await page.waitForTimeout(1500);
    assert(inHost !== undefined, 'no host');
    await workbench.runCommand('Developer: Reload Window');
    await page.waitForEvent('load');
    await page.waitForSelector('.monaco-workbench', { timeout: 120_000 });
    const fresh = await panel(page);
    await fresh.getByText('Degradation trend', { exact: false }).first().waitFor();
  });
}
