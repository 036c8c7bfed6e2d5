// What is behind a function's name: hover, context menu, phase.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { patience } from '../../lib/patience.mjs';
import { assert, until } from '../../lib/report.mjs';
import { cursorAt } from './inEditor.mjs';

export async function hoverAndMenu(report, here) {
  const { workbench, page, inHost, folder } = here;
  await report.check('a hover at the name has numbers, decision and links', async () => {
    const name = page
      .locator('.view-line', { hasText: 'double sweep(' })
      .locator('span', { hasText: /^sweep$/ });
    await until('the hover', async () => {
      const place = await name.last().boundingBox(); // lenses that come late move it
      await page.mouse.move(640, 4);
      await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2, { steps: 4 });
      return page
        .locator('.monaco-hover:visible', { hasText: 'Instrumented' })
        .waitFor({ timeout: patience(3000) })
        .then(
          () => true,
          () => false,
        );
    });
    const text = await page.locator('.monaco-hover:visible', { hasText: 'Instrumented' }).innerText();
    for (const part of [
      'of the computing time, with everything it calls',
      'what measuring it costs',
      'Exclude',
      'Explain',
    ])
      assert(text.includes(part), `${part} is not in: ${text}`);
    // Perhaps not alone: whether the vector is worth recording is for the machine to say.
    assert(/\bsmooth\b.* in its time, not recorded /.test(text), `smooth is not in its time: ${text}`);
    await workbench.screenshot('in-source-hover');
    await page.mouse.move(640, 4);
  });
  await report.check('the context menu of a function has a submenu Kymo', async () => {
    await cursorAt(here, 'double change = 0;');
    await page.waitForTimeout(500);
    await page.keyboard.press('Shift+F10');
    const entry = page.locator('.monaco-menu .action-item', { hasText: /^Kymo/ }).last();
    await entry.waitFor();
    await entry.hover();
    await page
      .locator('.monaco-menu .action-item', { hasText: /^Exclude from Instrumentation/ })
      .last()
      .waitFor();
    const items = (await page.locator('.monaco-submenu .action-label').allInnerTexts()).join(' | ');
    for (const part of ['Explain', 'Callers', 'Hot Spots', 'Include', 'Exclude', 'Phase'])
      assert(items.includes(part), `${part} is not in: ${items}`);
    await workbench.screenshot('in-source-menu');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });
  await report.check('a function becomes the phase by an edit that can be undone', async () => {
    await cursorAt(here, 'double change = 0;');
    await page.waitForTimeout(500);
    await workbench.runCommand('Kymo: Use Function as Phase');
    const text = await until('kymo.json to open', () =>
      inHost(() => {
        const { document } = vscode.window.activeTextEditor;
        return document.fileName.endsWith('kymo.json') && document.getText();
      }),
    );
    assert(/"phase": ".*sweep/.test(text), text);
    assert(text.includes('// Runs until somebody cancels it.'), 'the comments are gone');
    assert(!readFileSync(path.join(folder, 'kymo.json'), 'utf8').includes('phase'), 'it was saved');
    await inHost(() => vscode.commands.executeCommand('undo'));
    const undone = await inHost(() => vscode.window.activeTextEditor.document.getText());
    assert(!undone.includes('phase'), undone);
    await inHost(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  });
}
