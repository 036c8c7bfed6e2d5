// Settings and kymo.json: wrong values, completion, misspelled keys; the walkthrough.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { clean, openHere } from './shared.mjs';

export async function wrongSetting(report, { workbench, inHost }) {
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
    await workbench.message(message);
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

export async function configuration(report, { inHost }, folder) {
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

export async function guide(report, { workbench, page, inHost }) {
  await report.check('the walkthrough opens with five steps', async () => {
    await workbench.runCommand('Kymo: Get Started');
    await page.locator('.gettingStarted', { hasText: 'Get Started with Kymo' }).first().waitFor();
    const steps = page.locator('.getting-started-step');
    await until('five steps', async () => (await steps.count()) === 5);
    // The folder has a kymo.json and results by now: the first two steps are done, whoever did them.
    await until(
      'the ticks of two steps',
      async () => (await page.locator('.getting-started-step .codicon.complete:visible').count()) >= 2,
    );
    await workbench.screenshot('running-walkthrough');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}
