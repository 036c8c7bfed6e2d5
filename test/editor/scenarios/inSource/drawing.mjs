// Heat and numbers that are drawn into the source.
import { until } from '../../lib/report.mjs';
import { cursorAt, setSetting } from './inEditor.mjs';

/** Texts that decorations put behind lines. */
function behindLines({ page }) {
  return page.evaluate(() =>
    [...globalThis.document.querySelectorAll('.view-line span')]
      .map((one) => globalThis.getComputedStyle(one, '::after').content)
      .filter((content) => content.includes('visit') || content.includes('instrumented')),
  );
}

export async function drawn(report, here) {
  const { workbench, page, inHost } = here;
  await report.check('heat marks the lines of functions that take the time, in all themes', async () => {
    await workbench.openFile('main.cpp');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeSidebar'));
    // What the excluded function took is now seen in its caller.
    await cursorAt(here, 'std::vector<double> field = initial');
    await inHost(() => {
      const editor = vscode.window.activeTextEditor;
      const at = editor.document.positionAt(editor.document.getText().indexOf(' main(') + 2);
      editor.selection = new vscode.Selection(at, at);
    });
    const bars = await until('heat', () =>
      page.evaluate(
        () =>
          [...globalThis.document.querySelectorAll('.view-overlays .cdr')].filter(
            (one) => globalThis.getComputedStyle(one).borderLeftWidth === '2px',
          ).length,
      ),
    );
    report.figure('lines with heat on the screen', bars);
    const themes = {
      dark: 'Dark Modern',
      light: 'Light Modern',
      'contrast-dark': 'Default High Contrast',
      'contrast-light': 'Default High Contrast Light',
    };
    for (const [file, theme] of Object.entries(themes)) {
      await setSetting(here, 'workbench.colorTheme', theme);
      await page.waitForTimeout(1200);
      await workbench.screenshot(`in-source-heat-${file}`);
      await inHost(() => vscode.commands.executeCommand('editor.action.showHover'));
      await page.locator('.monaco-hover:visible', { hasText: 'nstrumented' }).first().waitFor();
      // It fades in.
      await page.waitForTimeout(400);
      await workbench.screenshot(`in-source-hover-${file}`);
      await page.keyboard.press('Escape');
    }
    await setSetting(here, 'workbench.colorTheme', 'Light Modern');
    await page.setViewportSize({ width: 520, height: 860 });
    await page.waitForTimeout(1200);
    await workbench.screenshot('in-source-narrow');
    await page.setViewportSize({ width: 1280, height: 860 });
    await setSetting(here, 'workbench.colorTheme', 'Dark Modern');
  });
  await report.check('the numbers can stand behind the lines instead of above them', async () => {
    await setSetting(here, 'kymo.codeLens.display', 'endOfLine');
    const texts = await until('numbers behind lines', async () => {
      const found = await behindLines(here);
      return found.length > 0 ? found : undefined;
    });
    report.figure('behind the lines', texts.join(' | '));
    await until('the lenses to go', async () => (await workbench.lenses()).length === 0);
    await workbench.screenshot('in-source-end-of-line');
  });
  await report.check('one command switches everything off and on', async () => {
    await workbench.runCommand('Kymo: Toggle Source Annotations');
    await until('the numbers to go', async () => (await behindLines(here)).length === 0);
    await workbench.runCommand('Kymo: Toggle Source Annotations');
    await until('the numbers to come back', async () => (await behindLines(here)).length > 0);
    await setSetting(here, 'kymo.codeLens.display', undefined);
    await workbench.lens('·').waitFor();
  });
}
