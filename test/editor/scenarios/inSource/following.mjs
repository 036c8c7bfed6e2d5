// Lenses while a person types.
import { assert, until } from '../../lib/report.mjs';
import { cursorAt, lensesByLine } from './inEditor.mjs';

export async function lensesFollow(report, here) {
  const { workbench, page, inHost, main } = here;
  const before = await lensesByLine(here, main);
  const expected = before.map(([line]) => line);
  await report.check('lines typed above move each lens with its function, and none is stale', async () => {
    await cursorAt(here, '#include "many.h"');
    await page.keyboard.press('Home');
    for (const text of ['// measured at night', '// on a quiet machine', '']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      const shown = await workbench.lenses();
      assert(shown.length > 0, 'the lenses went away while typing');
    }
    const after = await lensesByLine(here, main);
    assert(
      JSON.stringify(after) === JSON.stringify(before),
      `${after.join('\n')}\ninstead of\n${before.join('\n')}`,
    );
  });
  await report.check('an edit inside a function marks it, and only it', async () => {
    await cursorAt(here, 'double change = 0;');
    await page.keyboard.type(' change += 0;');
    await workbench.lens('changed since the run').waitFor();
    const after = await lensesByLine(here, main);
    assert(after.map(([line]) => line).join() === expected.join(), 'the lenses are others');
    const stale = after.filter(([, title]) => title.includes('changed since the run')).map(([line]) => line);
    assert(stale.length === 1 && stale[0].includes('sweep'), `stale: ${stale.join(' | ')}`);
    await workbench.screenshot('in-source-stale');
  });
  await report.check('taken back, it is as it was', async () => {
    await inHost(() => vscode.commands.executeCommand('workbench.action.files.revert'));
    await until('the mark to go', async () =>
      (await lensesByLine(here, main)).every(([, title]) => !title.includes('changed')),
    );
    const after = await lensesByLine(here, main);
    assert(JSON.stringify(after) === JSON.stringify(before), after.join('\n'));
  });
}
