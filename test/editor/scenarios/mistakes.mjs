// What goes wrong, and the messages about it: each names the next step.
import { existsSync, mkdirSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { processesIn, withWorkspace } from '../lib/workspace.mjs';

export async function run(report, options) {
  const inSession = (name, settings, work) =>
    report.session(name, () => withSession({ ...options, ...settings }, work));
  await withWorkspace((folder) =>
    inSession('mistakes', { folder }, async (session) => {
      await invalidConfiguration(report, session, folder);
      await brokenBuild(report, session, folder);
      await foreignLock(report, session, folder);
      await missingConfiguration(report, session, folder);
    }),
  );
  await withWorkspace((folder) =>
    inSession('untrusted', { folder, trusted: false }, (session) => untrusted(report, session, folder)),
  );
  await inSession('no folder', { folder: undefined }, (session) => noFolder(report, session));
}

async function invalidConfiguration(report, { workbench, inHost }, folder) {
  const file = path.join(folder, 'kymo.json');
  const text = readFileSync(file, 'utf8');
  await report.check('an invalid kymo.json: the message leads to its line', async () => {
    writeFileSync(file, text.replace('"repetitions": 3', '"repetitions": "three"'));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.clickInToast('Kymo: ', 'Open kymo.json');
    await workbench.tab('kymo.json').waitFor();
    const line = await until('the cursor', () =>
      inHost(() => vscode.window.activeTextEditor?.selection.active.line),
    );
    assert(text.split('\n')[line].includes('repetitions'), `the cursor is in line ${line + 1}`);
    await workbench.screenshot('invalid-configuration');
    const problems = await problemsOf(inHost, file);
    assert(
      problems.some(({ source }) => source === 'Kymo'),
      JSON.stringify(problems),
    );
    writeFileSync(file, text);
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}

async function brokenBuild(report, { workbench, inHost }, folder) {
  const file = path.join(folder, 'main.cpp');
  const text = readFileSync(file, 'utf8');
  await report.check('a build that fails: the compiler’s message is in Problems at its line', async () => {
    writeFileSync(file, text.replace('field.swap(next);', 'field.swap(nexte);\n  changed();'));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.answerDialog('Run');
    const message = await workbench.toastMessage('The build command');
    assert(message.includes('nexte') && message.includes('(and 1 more)'), message);
    await workbench.clickInToast('Kymo: ', 'Show Problems');
    await workbench.page.locator('.markers-panel .monaco-list-row', { hasText: 'nexte' }).first().waitFor();
    await workbench.screenshot('broken-build');
    const problems = await problemsOf(inHost, file);
    const line = text.split('\n').findIndex((one) => one.includes('field.swap'));
    assert(
      problems.some((one) => one.line === line && one.source === 'Kymo'),
      JSON.stringify(problems),
    );
    assert(
      problems.some(({ message }) => message.includes('changed')),
      `the second error is not in Problems: ${JSON.stringify(problems)}`,
    );
    await workbench.showView();
    await workbench.treeRow('failed').waitFor();
    await workbench.screenshot('broken-build-in-tree');
  });
  await report.check('a program that fails: the message has what it printed last', async () => {
    const failing = 'std::fprintf(stderr, "cannot open mesh.dat\\n"); return 3;';
    writeFileSync(file, text.replace('return 0;\n', `${failing}\n`));
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    const message = await workbench.toastMessage('It printed last');
    assert(/ended with status 3 .*It printed last: “cannot open mesh\.dat”/.test(message), message);
    await workbench.screenshot('failing-program');
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
  await report.check('the problems go when the next refinement starts', async () => {
    writeFileSync(file, text);
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.toast('Kymo: refining tiny').waitFor();
    assert((await problemsOf(inHost, file)).length === 0, 'they are still there');
    await workbench.toast('Kymo: refining tiny').locator('.monaco-button', { hasText: 'Cancel' }).click();
    await workbench.page.locator('.statusbar', { hasText: 'was cancelled' }).waitFor();
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}

async function foreignLock(report, { workbench, inHost }, folder) {
  await report.check('the lock of another machine can be removed from the message', async () => {
    const lock = path.join(folder, '.kymo', 'tiny', 'lock');
    mkdirSync(path.dirname(lock), { recursive: true });
    const holder = { pid: 7, host: 'elsewhere', processStart: '', nonce: '0123456789abcdef', since: 'then' };
    writeFileSync(lock, JSON.stringify(holder));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.clickInToast('process 7 on elsewhere', 'Remove Lock…');
    await workbench.screenshot('foreign-lock');
    await workbench.answerDialog('Remove Lock');
    await until('the lock to go', () => !existsSync(lock));
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}

async function missingConfiguration(report, { workbench, inHost }, folder) {
  await report.check('no kymo.json: a first one is offered, written and opened', async () => {
    rmSync(path.join(folder, 'kymo.json'));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.dialog().waitFor();
    const text = await workbench.dialog().innerText();
    assert(/has no kymo\.json/.test(text) && /build:\s+make/.test(text), text);
    await workbench.screenshot('first-question');
    await workbench.answerDialog('Create kymo.json');
    await workbench.tab('kymo.json').waitFor();
    assert(existsSync(path.join(folder, 'kymo.json')), 'it was not written');
    await workbench.message('Kymo wrote a first kymo.json');
    await workbench.screenshot('first-configuration');
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
  await report.check('no kymo.json: whoever cancels gets none, and nothing runs', async () => {
    rmSync(path.join(folder, 'kymo.json'));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.answerDialog('Cancel');
    assert(!existsSync(path.join(folder, 'kymo.json')), 'it was written');
    assert(processesIn(folder).length === 0, processesIn(folder).join('\n'));
  });
}

async function untrusted(report, { workbench }, folder) {
  await report.check('an untrusted workspace: refused with the reason, nothing is started', async () => {
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.message('the workspace is not trusted');
    await workbench.showView();
    await workbench.page.locator('.welcome-view', { hasText: 'only when you trust it' }).waitFor();
    await workbench.screenshot('untrusted');
    assert(!existsSync(path.join(folder, '.kymo')), 'something was written');
    assert(processesIn(folder).length === 0, processesIn(folder).join('\n'));
  });
}

async function noFolder(report, { workbench }) {
  await report.check('no folder open: the message says so and offers to open one', async () => {
    await workbench.showView();
    await workbench.page.locator('.welcome-view', { hasText: 'Open the folder with the sources' }).waitFor();
    await workbench.screenshot('no-folder');
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.message('no folder is open');
  });
}

function problemsOf(inHost, file) {
  return inHost(
    (name) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(name))
        .map(({ range, message, source }) => ({ line: range.start.line, message, source })),
    file,
  );
}
