// Folders that are not trusted, and several at once.
import { assert, until } from '../../lib/report.mjs';
import { processesIn } from '../../lib/workspace.mjs';
import { endless } from './shared.mjs';

export async function restricted(report, { workbench, inHost }, folder) {
  await report.check('an untrusted workspace shows its results and runs nothing', async () => {
    await workbench.showView();
    await workbench.treeRow('Round').waitFor();
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

export async function severalFolders(report, { workbench, inHost, page }, second) {
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
    await until('nothing running', () => processesIn(second).length === 0);
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
