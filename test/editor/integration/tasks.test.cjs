const assert = require('node:assert');
const vscode = require('vscode');

const [folder] = vscode.workspace.workspaceFolders;

describe('tasks of type kymo', () => {
  it('there are three for each target, of the folder, with problem matchers; build tasks are in their group', async () => {
    // On a busy machine VS Code answers before the extension is there: it waits five seconds for activation.
    const tasks = await fetched((all) => all.length > 0);
    const names = tasks.map(({ name }) => name).sort();
    assert.deepStrictEqual(names, [
      'build endless',
      'build tiny',
      'measure endless',
      'measure tiny',
      'refine endless',
      'refine tiny',
    ]);
    for (const { name, scope, problemMatchers, group } of tasks) {
      assert.strictEqual(scope.name, folder.name);
      assert.ok(problemMatchers.includes('$kymo-gfortran'), `matchers of ${name}`);
      assert.strictEqual(group?.id === 'build', name.startsWith('build'), `group of ${name}`);
    }
  });

  it('a task of tasks.json with a wrong definition fails and says why, and starts nothing', async () => {
    const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'tasks.json');
    const label = 'wrong';
    const definition = { label, type: 'kymo', command: 'measure', repetitions: 0, problemMatcher: [] };
    const text = JSON.stringify({ version: '2.0.0', tasks: [definition] });
    await vscode.workspace.fs.writeFile(file, Buffer.from(text));
    try {
      const isWrong = ({ name }) => name === label;
      const task = (await fetched((all) => all.some(isWrong))).find(isWrong);
      assert.ok(task, 'the task of tasks.json is not there');
      const ended = new Promise((resolve) => {
        const subscription = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          if (execution.task.name !== label) return;
          subscription.dispose();
          resolve(exitCode);
        });
      });
      await vscode.tasks.executeTask(task);
      assert.strictEqual(await ended, 1);
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder.uri, '.vscode'), { recursive: true });
    }
  });
});

/** The tasks of the extension, as soon as they are what a test waits for; at last as they are. */
async function fetched(isComplete) {
  for (let tries = 0; ; tries += 1) {
    const tasks = await vscode.tasks.fetchTasks({ type: 'kymo' });
    if (isComplete(tasks) || tries >= 50) return tasks;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
