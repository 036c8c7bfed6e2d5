// Two folders in one window, each with its own kymo.json: views, lenses, the command and the states know which one is meant.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { writeStudy } from '../lib/studies.mjs';
import { viewsOf } from '../lib/views.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

export async function run(report, options) {
  await withWorkspace(async (alpha) => {
    const beta = path.join(path.dirname(alpha), 'beta');
    cpSync(alpha, beta, { recursive: true });
    prepare(alpha, 'alpha-target', 0.31);
    prepare(beta, 'beta-target', 0.57);
    const workspace = path.join(path.dirname(alpha), 'both.code-workspace');
    writeFileSync(
      workspace,
      JSON.stringify({ folders: [{ path: 'tiny', name: 'alpha' }, { path: 'beta' }] }),
    );
    await withSession({ ...options, folder: workspace }, async (session) => {
      const views = viewsOf(session.page);
      await trees(report, session, views);
      await source(report, session, { alpha, beta });
      await pinning(report, session, views, { alpha, beta });
      await command(report, session, { alpha, beta });
      await report.check('no error in the page', () => {
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

/** A target of its own name, and a study in which `main` takes `share` of the run time. */
function prepare(folder, target, share) {
  const file = path.join(folder, 'kymo.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"name": "tiny"', `"name": "${target}"`));
  const source = path.join(folder, 'main.cpp');
  const lines = readFileSync(source, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('int main(')) + 1;
  const main = { key: 'main', name: 'main', file: source, line, endLine: lines.length - 1 };
  const measured = { visits: 1, inclusiveShare: share, exclusiveShare: share, overheadPercent: 0.1 };
  writeStudy(folder, { target, functions: [{ ...main, ...measured }] });
}

async function trees(report, { workbench }, views) {
  await report.check('each tree has both folders', async () => {
    await workbench.showView();
    for (const text of ['alpha-target', 'beta-target']) await views.row('Experiments', text).waitFor();
    for (const text of ['alpha', 'beta']) {
      await views.row('Instrumentation', text).waitFor();
      await views.row('Properties', text).waitFor();
    }
    await workbench.screenshot('multi-root');
  });
}

async function source(report, { workbench, inHost }, folders) {
  await report.check('the lenses of a file are those of its folder', async () => {
    for (const [folder, share] of [
      [folders.alpha, '31 %'],
      [folders.beta, '57 %'],
    ]) {
      await inHost(
        (file) => vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false }),
        path.join(folder, 'main.cpp'),
      );
      await workbench.lens(share).waitFor();
      const lenses = await workbench.lenses();
      assert(lenses.length === 1, lenses.join(' | '));
    }
    await workbench.screenshot('multi-root-source');
  });
}

async function pinning(report, { workbench }, views, { alpha, beta }) {
  await report.check('a function is pinned in the folder that it is shown of', async () => {
    await workbench.showView();
    const pane = views.pane('Instrumentation');
    const isPinned = () => existsSync(path.join(beta, '.kymo/pins.json'));
    // A click on a row that is drawn anew at that moment is lost.
    await until('the pin', async () => {
      await pane.locator('.monaco-custom-toggle').last().click();
      return until('the file of pins', isPinned, 5000).catch(() => false);
    });
    assert(!existsSync(path.join(alpha, '.kymo/pins.json')), 'it is pinned in the other folder, too');
    await views.row('Instrumentation', 'out next run').waitFor();
    await workbench.screenshot('multi-root-pinned');
  });
}

async function command(report, { workbench, page, inHost }, { alpha, beta }) {
  await report.check('a refinement asks which folder, and runs in that one', async () => {
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.quickPickRow('alpha').waitFor();
    await workbench.screenshot('multi-root-pick');
    await workbench.pick('beta');
    await workbench.pick('beta-target');
    const text = await workbench.dialog().innerText();
    assert(text.includes(beta) && !text.includes(alpha), text);
    await workbench.answerDialog('Run');
    await workbench.toast('Kymo: refining beta-target').waitFor();
    await page.locator('.statusbar', { hasText: 'beta-target:' }).waitFor();
    await workbench.message('functions instrumented', 300_000);
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
  await report.check('afterwards only that folder shows other numbers', async () => {
    await workbench.tab('main.cpp').click();
    await workbench.lens('31 %').waitFor();
    await workbench.screenshot('multi-root-refined');
    await workbench.languageStatus(/instrumented 1 of 1/);
    await inHost(
      (file) => vscode.window.showTextDocument(vscode.Uri.file(file)),
      path.join(beta, 'main.cpp'),
    );
    await workbench.languageStatus(/instrumented \d+ of 5\d\d/);
  });
}
