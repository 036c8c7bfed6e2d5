// The same words behind the line instead of above it, so that no line moves.
import path from 'node:path';
import { patience } from '../../lib/patience.mjs';
import { assert, until } from '../../lib/report.mjs';
import { openWith, panel } from './panel.mjs';
import { files } from './series.mjs';

const lensText = async (workbench) =>
  (await workbench.lens('degradation trend').innerText()).replace(/\s+/g, ' ').trim();

/** Texts that decorations put behind lines, by the lines' own text. */
function behindLines(page) {
  return page.evaluate(() =>
    [...globalThis.document.querySelectorAll('.view-line')].flatMap((line) =>
      [...line.querySelectorAll('span')]
        .map((one) => globalThis.getComputedStyle(one, '::after').content)
        .filter((content) => content.startsWith('"') && content.length > 2)
        .map((content) => ({
          line: line.textContent.replaceAll('\u00a0', ' '),
          text: content.slice(1, -1).replaceAll('\u00a0', ' '),
        })),
    ),
  );
}

/** What stands behind the line of `sweep`, once it is about a degradation. */
function behindSweep(page) {
  return until('the degradation once, behind its line', async () => {
    const all = (await behindLines(page)).filter(({ text }) => text.includes('degradation trend'));
    // Where an edit moves the text and the drawing is not made anew yet, it is behind another line, or twice, for a moment.
    const [{ line, text } = {}, ...others] = all;
    return others.length === 0 && line?.startsWith('double sweep') && text;
  });
}

const isGone = async (page) => !(await behindLines(page)).some(({ text }) => text.includes('degradation'));

function display({ inHost }, value) {
  return inHost(
    (to) =>
      vscode.workspace
        .getConfiguration()
        .update('kymo.codeLens.display', to, vscode.ConfigurationTarget.Global),
    value,
  );
}

export async function endOfLine(report, session) {
  const { workbench, page, inHost } = session;
  await report.check('a degradation stands behind the line with the words of the lens', async () => {
    await workbench.openFile('main.cpp');
    // What stands behind lines needs the room.
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups'));
    const words = await lensText(workbench);
    await display(session, 'endOfLine');
    const text = await behindSweep(page);
    assert(text === words, `${text} instead of ${words}`);
    await workbench.lens('degradation trend').waitFor({ state: 'detached' });
  });
  await report.check('it follows an edit, and goes and comes back with the one switch', async () => {
    await inHost(async () => {
      const edit = new vscode.WorkspaceEdit();
      const { uri } = vscode.window.activeTextEditor.document;
      edit.insert(uri, new vscode.Position(0, 0), '// one\n// two\n');
      await vscode.workspace.applyEdit(edit);
    });
    await page.locator('.view-line', { hasText: '// two' }).waitFor();
    // Not only moved along with the text: drawn anew, too.
    await page.waitForTimeout(600);
    await behindSweep(page);
    await inHost(() => vscode.commands.executeCommand('undo'));
    await behindSweep(page);
    await workbench.runCommand('Kymo: Toggle Source Annotations');
    await until('the text to go', () => isGone(page));
    await workbench.runCommand('Kymo: Toggle Source Annotations');
    await behindSweep(page);
  });
  await report.check('it can be read in light and in high contrast', async () => {
    for (const [picture, theme, base] of [
      ['light', 'Light Modern', 'vs'],
      ['hc-dark', 'Default High Contrast', 'hc-black'],
      ['dark', 'Dark Modern', 'vs-dark'],
    ]) {
      await inHost(
        (wanted) => vscode.workspace.getConfiguration().update('workbench.colorTheme', wanted, true),
        theme,
      );
      await page.locator(`.monaco-workbench.${base}`).waitFor();
      await behindSweep(page);
      await page.waitForTimeout(300);
      await workbench.screenshot(`dynamics-end-of-line-${picture}`);
    }
  });

  await report.check('a hover there has the whole sentence, and leads to the panel', async () => {
    const hover = page.locator('.monaco-hover:visible', { hasText: 'Show in Dynamics Panel' }).first();
    await until(
      'the hover',
      async () => {
        await page.mouse.move(640, 4);
        const line = page.locator('.view-line', { hasText: 'double sweep' }).locator('span span').last();
        const { x, y, width, height } = await line.boundingBox();
        const seen = await page.locator('.editor-scrollable:visible').first().boundingBox();
        await page.mouse.move(Math.min(x + width, seen.x + seen.width) - 60, y + height / 2, { steps: 4 });
        return hover.waitFor({ timeout: patience(5000) }).then(
          () => true,
          () => false,
        );
      },
      60_000,
    );
    // It fades in.
    await page.waitForTimeout(400);
    await workbench.screenshot('dynamics-end-of-line-hover');
    const text = await hover.innerText();
    assert(/sweep/.test(text) && /33–128/.test(text) && /ranks 4-6/.test(text), text);
    await hover.getByText('Show in Dynamics Panel').click();
    await page.locator('.tab.active', { hasText: 'Dynamics' }).waitFor();
    await display(session, undefined);
  });
}

/** A function that a study has measured, and that a run found to become worse. */
export async function endOfMeasuredLine(report, session, folder) {
  const { workbench, page, inHost } = session;
  await report.check(
    'behind a measured function both stand in one text, in the order of the lenses',
    async () => {
      await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
      await openWith(session, path.join(folder, files.run));
      // It opens when its analysis is there, and would hide the file.
      await panel(page, '.dynamics:visible');
      await workbench.openFile('main.cpp');
      const words = await until('both lenses', async () => {
        const text = await lensText(workbench);
        return /visits/.test(text) && text;
      });
      await workbench.screenshot('dynamics-both-lenses');
      await display(session, 'endOfLine');
      const text = await until('both behind the line', async () => {
        const found = await behindSweep(page);
        return /visits/.test(found) && found;
      });
      report.figure('behind the line', text);
      assert(text === words, `${text} instead of ${words}`);
      await until('the lenses to go', async () => (await workbench.lenses()).length === 0);
      await workbench.screenshot('dynamics-end-of-measured-line');
      await display(session, undefined);
    },
  );
}
