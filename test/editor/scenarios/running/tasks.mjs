// Tasks: what they ask, their problems, their end.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { processesIn } from '../../lib/workspace.mjs';
import { clean, endless, openHere } from './shared.mjs';

export async function tasks(report, { workbench, inHost, page }, folder) {
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
  await report.check('after the fix, the task succeeds and the problem goes', async () => {
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
    await until('nothing running', () => processesIn(folder).length === 0);
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
