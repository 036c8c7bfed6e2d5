// Warnings of what a measurement costs, and their fixes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { cursorAt, functionsFile, openFile, warningsOf } from './inEditor.mjs';

export async function warningsAndFixes(report, here) {
  const { workbench, page, main, header, folder, inHost } = here;
  await report.check(
    'expensive functions are warned of, inlined ones are named with their callers',
    async () => {
      const found = await until('warnings', async () => {
        const all = await warningsOf(here, main);
        return all.some(({ message }) => message.includes('sweep')) ? all : undefined;
      });
      report.figure(
        'warnings of main.cpp',
        found.map(({ code, message }) => `${code}: ${message}`).join(' | '),
      );
      const [inlined] = await until('the warning of the inlined function', () => warningsOf(here, header));
      assert(inlined.code === 'inlined-away' && inlined.message.includes('total'), inlined.message);
      assert(
        inlined.related.some(({ message, file }) => message.includes('main') && file === main),
        `recorded instead: ${JSON.stringify(inlined.related)}`,
      );
      await openFile(here, main);
      await page.locator('.squiggly-warning').first().waitFor();
      await workbench.screenshot('in-source-warning');
    },
  );
  await report.check('callers in another file are where they are today', async () => {
    const callerLine = async () => {
      const [{ related }] = await warningsOf(here, header);
      return related.find(({ file }) => file === main).line;
    };
    const before = await callerLine();
    await cursorAt(here, '#include "many.h"');
    await page.keyboard.press('Home');
    await page.keyboard.type('// typed above, and not saved');
    await page.keyboard.press('Enter');
    await until('the caller to move', async () => (await callerLine()) === before + 1);
    await inHost(() => vscode.commands.executeCommand('workbench.action.files.revert'));
    await until('the caller to be back', async () => (await callerLine()) === before);
  });
  await report.check('the quick fix Exclude pins the function out, and its warning goes', async () => {
    await cursorAt(here, 'double sweep(');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+.');
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'Exclude from Instrumentation' });
    await fix.first().waitFor();
    await workbench.screenshot('in-source-fixes');
    await fix.first().click();
    await until('the warning to go', async () =>
      (await warningsOf(here, main)).every(({ message }) => !message.includes('sweep costs')),
    );
    const { pins } = JSON.parse(readFileSync(path.join(folder, '.kymo/pins.json'), 'utf8'));
    assert(
      pins.length === 1 && pins[0].state === 'out' && pins[0].name.includes('sweep'),
      JSON.stringify(pins),
    );
    await workbench.lens('excluded from the next run on').waitFor();
  });
  await report.check('the excluded function is not in the next selection', async () => {
    await here.inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.message('functions instrumented', 300_000);
    const { functions } = functionsFile(folder);
    const sweep = functions.find((one) => one.name.includes('sweep'));
    assert(sweep.selected === false && sweep.reason.includes('excluded by the user'), JSON.stringify(sweep));
    await here.inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}
