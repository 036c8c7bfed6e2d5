// From a filter to what it decides: the rule of a function, what two filters do differently, and pins.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { cursorAt, openFile } from '../inSource/inEditor.mjs';
import { names } from './program.mjs';

export async function decisions(report, here) {
  const { workbench, inHost, file } = here;
  await report.check('the decision on the function under the cursor leads to its rule', async () => {
    await openFile(here, file('main.cpp'));
    await workbench.lens('visits').waitFor();
    await cursorAt(here, 'field.swap(next)');
    await workbench.runCommand('Kymo: Show Effective Filter Decision');
    await workbench.pick('measured.filt');
    await workbench.quickPickRow('When compiled: instrumented').waitFor();
    await workbench.screenshot('filter-decision');
    await workbench.pick('At run time: instrumented');
    await until('the rule', () =>
      inHost(
        (filter) =>
          vscode.window.activeTextEditor?.document.fileName === filter &&
          vscode.window.activeTextEditor.selection.active.line === 4,
        file('measured.filt'),
      ),
    );
  });
}

export async function comparing(report, { workbench, page }) {
  await report.check('the filters of two rounds stand beside each other', async () => {
    await workbench.runCommand('Kymo: Compare Filters');
    await workbench.pick('Round 1');
    await page.locator('.monaco-diff-editor').first().waitFor();
    await page.locator('.monaco-diff-editor .view-line', { hasText: names.initial }).first().waitFor();
    await page.locator('.monaco-diff-editor .line-delete').first().waitFor();
    await workbench.screenshot('filter-compare');
    await page.keyboard.press('Control+F4');
  });
}

export async function applying(report, here) {
  const { workbench, inHost, file, folder } = here;
  const pinned = () => {
    const name = path.join(folder, '.kymo/pins.json');
    return existsSync(name)
      ? JSON.parse(readFileSync(name, 'utf8')).pins.map(({ key, state }) => `${state} ${key}`)
      : [];
  };
  await report.check('a filter becomes pins, and one Undo takes them back', async () => {
    await openFile(here, file('measured.filt'));
    await workbench.runCommand('Kymo: Apply Filter to Pins');
    await workbench.message('Applied measured.filt');
    await workbench.screenshot('filter-applied');
    assert(pinned().join() === `in ${names.initial}`, `pinned: ${pinned().join(', ')}`);
    await workbench.clickInToast('Applied measured.filt', 'Undo');
    await until('the pins to go', () => pinned().length === 0);
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}
