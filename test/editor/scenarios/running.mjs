/* global vscode -- functions given to `inHost` run in the extension host */
// Running things: tasks, status, diagnostics, settings, trust, several folders, several windows, a reload at the wrong time.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { Workbench } from '../lib/workbench.mjs';
import { processesIn, withWorkspace } from '../lib/workspace.mjs';

export const name = 'running';

export async function run(report, options) {
  const inSession = (name, settings, work) =>
    report.session(name, () => withSession({ ...options, ...settings }, work));
  await withWorkspace(async (folder) => {
    await inSession('running', { folder }, async (session) => {
      await wrongSetting(report, session);
      await tasks(report, session, folder);
      await status(report, session, folder);
      await configuration(report, session, folder);
      await diagnostics(report, session);
      await guide(report, session);
      await twoWindows(report, session, folder, options);
      await reload(report, session, folder);
    });
    await inSession('restricted', { folder, trusted: false }, (session) =>
      restricted(report, session, folder),
    );
  });
  await withWorkspace((folder) => {
    const second = path.join(path.dirname(folder), 'second');
    cpSync(folder, second, { recursive: true });
    const file = path.join(path.dirname(folder), 'both.code-workspace');
    writeFileSync(file, JSON.stringify({ folders: [{ path: 'tiny' }, { path: 'second' }] }));
    return inSession('several folders', { folder: file }, (session) =>
      severalFolders(report, session, second),
    );
  });
}

async function wrongSetting(report, { workbench, inHost }) {
  const set = (value) =>
    inHost(
      (given) =>
        vscode.workspace
          .getConfiguration('kymo.codeLens')
          .update('minimumShare', given, vscode.ConfigurationTarget.Global),
      value,
    );
  await report.check('a setting with a wrong value: one message, with a way to its place', async () => {
    await workbench.openFile('main.cpp');
    await set('much');
    const message = 'must be a number from 0 to 100, found "much"';
    await workbench.toast(message).waitFor();
    await workbench.screenshot('running-setting');
    await workbench.clickInToast(message, 'Open Setting');
    await workbench.tab('settings.json').waitFor();
    const line = await until('the cursor in the settings', () =>
      inHost(() => {
        const { document, selection } = vscode.window.activeTextEditor ?? {};
        return document?.fileName.endsWith('settings.json')
          ? document.lineAt(selection.active).text
          : undefined;
      }),
    );
    assert(line.includes('kymo.codeLens.minimumShare'), `the cursor is in: ${line}`);
    await set(undefined);
    await clean(inHost);
  });
}

async function tasks(report, { workbench, inHost, page }, folder) {
  const file = path.join(folder, 'main.cpp');
  const text = readFileSync(file, 'utf8');
  await report.check('each target has tasks, and one asks before its commands first run', async () => {
    const names = await inHost(async () =>
      (await vscode.tasks.fetchTasks({ type: 'kymo' })).map((task) => task.name),
    );
    for (const wanted of ['refine tiny', 'build tiny', 'measure tiny', 'refine endless'])
      assert(names.includes(wanted), `${wanted} is not in ${names.join(', ')}`);
    writeFileSync(file, text.replace('field.swap(next);', 'field.swap(nexte);'));
    await openHere(inHost, path.join(folder, 'kymo.json'));
    await page.locator('.monaco-editor.focused').first().waitFor();
    await startTask(inHost, 'build tiny');
    await workbench.dialog().waitFor();
    await workbench.answerDialog('Run');
  });
  await report.check(
    'a compile error of a task is in Problems, and the keyboard stays in the editor',
    async () => {
      const problems = await until('the compiler’s message', async () => {
        const found = await problemsOf(inHost, file);
        return found.length > 0 && found;
      });
      const line = text.split('\n').findIndex((one) => one.includes('field.swap'));
      report.figure('problem of the task', JSON.stringify(problems[0]));
      assert(
        problems.some((one) => one.line === line && one.source === 'gcc' && one.message.includes('nexte')),
        JSON.stringify(problems),
      );
      assert((await taskEnd(inHost)) === 1, 'the task did not end with status 1');
      assert(
        await page.evaluate(() => globalThis.document.activeElement?.closest('.monaco-editor') !== null),
        'the editor has lost the keyboard',
      );
      await inHost(() => vscode.commands.executeCommand('workbench.action.terminal.focus'));
      await workbench.screenshot('running-task');
    },
  );
  await report.check('when it is mended, the task succeeds and the problem goes', async () => {
    writeFileSync(file, text);
    await startTask(inHost, 'build tiny');
    assert((await taskEnd(inHost)) === 0, 'the build did not succeed');
    await until('no problems', async () => (await problemsOf(inHost, file)).length === 0);
  });
  await report.check('ending a task ends what it started', async () => {
    await startTask(inHost, 'measure endless');
    await workbench.dialog().waitFor();
    await workbench.answerDialog('Run');
    await until('the program', () => endless(folder));
    await inHost(() => {
      for (const one of vscode.tasks.taskExecutions) one.terminate();
    });
    await until('nothing running', () => processesIn(folder).length === 0, 15_000);
  });
  await clean(inHost);
}

/** Starts a task and remembers how it ends. */
async function startTask(inHost, name) {
  await inHost(async (wanted) => {
    const task = (await vscode.tasks.fetchTasks({ type: 'kymo' })).find((one) => one.name === wanted);
    globalThis.kymoTestEnd = undefined;
    const subscription = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name !== wanted) return;
      globalThis.kymoTestEnd = exitCode ?? -1;
      subscription.dispose();
    });
    await vscode.tasks.executeTask(task);
  }, name);
}

async function taskEnd(inHost) {
  const end = await until('the end of the task', () =>
    inHost(() => (globalThis.kymoTestEnd === undefined ? undefined : { status: globalThis.kymoTestEnd })),
  );
  return end.status;
}

async function status(report, { workbench, inHost, page }, folder) {
  const item = page.locator('.statusbar-item', { hasText: 'tiny:' }).first();
  await report.check('the status bar shows the phases of a refinement, and stops it on demand', async () => {
    await workbench.openFile('main.cpp');
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await item.waitFor();
    await item.click();
    await workbench.quickPickRow('Stop refining tiny').waitFor();
    await workbench.screenshot('running-status');
    await page.keyboard.press('Escape');
    const seen = new Set();
    await until(
      'the end of the refinement',
      async () => {
        const icon = await item
          .locator('.codicon')
          .first()
          .getAttribute('class', { timeout: 500 })
          .catch(() => '');
        for (const phase of ['tools', 'sync', 'lightbulb'])
          if (icon?.includes(`codicon-${phase}`)) seen.add(phase);
        return (await workbench.toast('functions instrumented').count()) > 0;
      },
      300_000,
    );
    report.figure('phases seen in the status bar', [...seen].join(', '));
    assert(seen.has('tools') || seen.has('sync'), 'no phase was seen');
    await item.waitFor({ state: 'hidden' });
    await clean(inHost);
  });
  await report.check(
    'the language status says how much is instrumented and how old the numbers are',
    async () => {
      await workbench.openFile('main.cpp');
      const text = await languageStatus(page, /instrumented \d+ of \d+/);
      report.figure('language status', text);
      assert(/instrumented \d+ of \d+.*data from run \d+ · up to date/.test(text), text);
      await workbench.screenshot('running-language-status');
      await inHost(async () => {
        const editor = vscode.window.activeTextEditor;
        const line = editor.document
          .getText()
          .split('\n')
          .findIndex((one) => one.includes('field.swap'));
        await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), '  // changed\n'));
      });
      const edited = await languageStatus(page, /1 edit old/);
      report.figure('language status after an edit', edited);
      await inHost(() => vscode.commands.executeCommand('workbench.action.files.revert'));
    },
  );
  assert(processesIn(folder).length === 0, processesIn(folder).join('\n'));
}

/** The text of the language status when it says `wanted`. */
async function languageStatus(page, wanted) {
  const text = await until(`the language status ${wanted}`, async () => {
    await page.mouse.move(640, 400);
    await page.locator('[id="status.languageStatus"]').hover();
    const shown = page.locator('.hover-language-status');
    await shown
      .first()
      .waitFor({ timeout: 5000 })
      .catch(() => undefined);
    const all = (await shown.allInnerTexts()).join(' ').replaceAll('\n', ' ');
    return wanted.test(all) && all;
  });
  return text;
}

async function configuration(report, { inHost }, folder) {
  const file = path.join(folder, 'kymo.json');
  await report.check(
    'kymo.json: functions for "phase", compiler variables, and the right key for a wrong one',
    async () => {
      await openHere(inHost, file);
      const original = readFileSync(file, 'utf8');
      const text = original.replace('"repetitions": 3', '"repetitoins": 3,\n      "phase": ""');
      const completions = (mark, extra) =>
        inHost(
          async (name, wanted, offset) => {
            const document = await vscode.workspace.openTextDocument(name);
            const position = document.positionAt(document.getText().indexOf(wanted) + offset);
            const list = await vscode.commands.executeCommand(
              'vscode.executeCompletionItemProvider',
              document.uri,
              position,
            );
            return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
          },
          file,
          mark,
          extra,
        );
      writeFileSync(file, text);
      await until('the new text', () =>
        inHost((wanted) => vscode.window.activeTextEditor?.document.getText() === wanted, text),
      );
      const phases = await completions('"phase": "', '"phase": "'.length);
      report.figure('first phases', phases.slice(0, 4).join(', '));
      assert(
        phases.some((one) => one.startsWith('main')),
        phases.join(', '),
      );
      const variables = await completions('${cxx}', 1);
      assert(variables.includes('${fc}'), variables.join(', '));
      const executables = await completions('"./tiny"', 3);
      assert(executables.includes('./tiny'), executables.join(', '));
      const fixes = await inHost(async (name) => {
        const document = await vscode.workspace.openTextDocument(name);
        const at = document.positionAt(document.getText().indexOf('repetitoins'));
        const actions = await vscode.commands.executeCommand(
          'vscode.executeCodeActionProvider',
          document.uri,
          new vscode.Range(at, at),
        );
        return actions.map(({ title }) => title);
      }, file);
      assert(fixes.includes('Change to "repetitions"'), fixes.join(', '));
      writeFileSync(file, original);
      await until('the old text', () =>
        inHost((wanted) => vscode.window.activeTextEditor?.document.getText() === wanted, original),
      );
      await clean(inHost);
    },
  );
}

async function diagnostics(report, { workbench, inHost }) {
  await report.check('Collect Diagnostics writes a document that names nobody', async () => {
    await workbench.runCommand('Kymo: Collect Diagnostics');
    const text = await until('the document', () =>
      inHost(() => {
        const document = vscode.window.activeTextEditor?.document;
        return document?.getText().startsWith('# Kymo diagnostics') ? document.getText() : undefined;
      }),
    );
    for (const part of ['| Kymo |', '"compilers"', 'Refining tiny', '## Folder tiny'])
      assert(text.includes(part), `${part} is not in ${text}`);
    assert(!text.includes(os.homedir() === '/' ? '\0' : `${os.homedir()}/`), 'it has the home folder');
    await workbench.screenshot('running-diagnostics');
    await inHost(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  });
  await report.check('Run Doctor says what the machine has', async () => {
    await workbench.runCommand('Kymo: Run Doctor');
    await until('the document', () =>
      inHost(() => vscode.window.activeTextEditor?.document.getText().startsWith('# Kymo doctor')),
    );
    await inHost(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  });
}

async function guide(report, { workbench, page, inHost }) {
  await report.check('the walkthrough opens with five steps', async () => {
    await workbench.runCommand('Kymo: Get Started');
    await page.locator('.gettingStarted', { hasText: 'Get Started with Kymo' }).first().waitFor();
    const steps = page.locator('.getting-started-step');
    await until('five steps', async () => (await steps.count()) === 5);
    await workbench.screenshot('running-walkthrough');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}

async function twoWindows(report, { workbench, inHost, page }, folder, { screenshots }) {
  await report.check(
    'two windows on one workspace: the second is told who refines, and harms nothing',
    async () => {
      const other = await page.context().newPage();
      await other.goto(page.url());
      const second = new Workbench(other, screenshots);
      await other.waitForSelector('.monaco-workbench', { timeout: 120_000 });
      await workbench.runCommand('Kymo: Refine Instrumentation');
      await workbench.pick('endless');
      await page.locator('.statusbar-item', { hasText: 'endless:' }).first().waitFor();
      await until('the program', () => endless(folder));
      await second.runCommand('Kymo: Refine Instrumentation');
      await second.pick('endless');
      const told = other.locator('.notification-toast', { hasText: /is being written by/ }).first();
      await told.or(second.dialog()).first().waitFor();
      if (await second.dialog().isVisible()) await second.answerDialog('Run');
      await told.waitFor();
      report.figure('the second window says', await second.toastMessage('Kymo:'));
      await second.screenshot('running-second-window');
      assert(endless(folder), 'the first refinement was ended');
      await other.close();
      await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    },
  );
}

/** Builds on `twoWindows`: a refinement of `endless` runs. */
async function reload(report, { workbench, page }, folder) {
  await report.check(
    'a reload in the middle of a refinement ends it, and the next one can begin',
    async () => {
      await page.reload();
      await page.waitForSelector('.monaco-workbench', { timeout: 120_000 });
      await until('nothing running', () => processesIn(folder).length === 0, 30_000);
      await workbench.screenshot('running-reloaded');
      await workbench.runCommand('Kymo: Refine Instrumentation');
      await workbench.pick('endless');
      const item = page.locator('.statusbar-item', { hasText: 'endless:' }).first();
      await item.click();
      await workbench.pick('Stop refining endless');
      await until('nothing running', () => processesIn(folder).length === 0, 30_000);
      await item.waitFor({ state: 'hidden' });
    },
  );
}

async function restricted(report, { workbench, inHost, page }, folder) {
  await report.check('an untrusted workspace shows its results and runs nothing', async () => {
    await showKymo(page);
    await workbench.openFile('main.cpp');
    await workbench.lens('visits').waitFor();
    const tasks = await inHost(async () => {
      const found = await Promise.race([
        vscode.tasks.fetchTasks({ type: 'kymo' }),
        new Promise((resolve) => setTimeout(() => resolve([]), 5000)),
      ]);
      return found.length;
    });
    assert(tasks === 0, `${tasks} tasks`);
    await workbench.screenshot('running-restricted');
    assert(processesIn(folder).length === 0, processesIn(folder).join('\n'));
  });
}

async function severalFolders(report, { workbench, inHost, page }, second) {
  await report.check('several folders: the folder is asked for, and its commands are shown', async () => {
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('second');
    await workbench.pick('endless');
    await workbench.dialog().waitFor();
    const text = await workbench.dialog().innerText();
    assert(text.includes(second), text);
    await workbench.answerDialog('Run');
    await page.locator('.statusbar-item', { hasText: 'endless:' }).first().waitFor();
    await until('the program of that folder', () => endless(second));
    await page.locator('.statusbar-item', { hasText: 'endless:' }).first().click();
    await workbench.screenshot('running-several-folders');
    await workbench.pick('Stop refining endless');
    await until('nothing running', () => processesIn(second).length === 0, 30_000);
  });
  await report.check('tasks belong to their folder', async () => {
    const scopes = await inHost(async () =>
      (await vscode.tasks.fetchTasks({ type: 'kymo' }))
        .filter(({ name }) => name === 'build tiny')
        .map(({ scope }) => scope.name),
    );
    assert(scopes.sort().join() === 'second,tiny', scopes.join());
  });
}

/** Whether the program of the target `endless` runs. */
function endless(folder) {
  return processesIn(folder).some((one) => one.includes('tiny 2000000000'));
}

/** Not by quick open: that may prefer another file with a similar name. */
async function openHere(inHost, file) {
  await inHost((name) => vscode.window.showTextDocument(vscode.Uri.file(name)).then(() => undefined), file);
}

async function showKymo(page) {
  const row = page.locator('.sidebar .monaco-list-row', { hasText: 'Iteration' }).first();
  if (!(await row.isVisible())) await page.locator('.activitybar .action-item a[aria-label^="Kymo"]').click();
  await row.waitFor();
}

async function clean(inHost) {
  await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
}

function problemsOf(inHost, file) {
  return inHost(
    (name) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(name))
        .filter(({ severity }) => severity === 0)
        .map(({ range, message, source }) => ({ line: range.start.line, message, source })),
    file,
  );
}
