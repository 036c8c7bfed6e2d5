// The four themes that people use. A session begins in the dark one, and leaves it as it found it.
import { until } from './report.mjs';

/** What the pictures are called, and what VS Code calls it; the dark one last, for it is the one to go back to. */
const themes = {
  light: 'Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
  dark: 'Dark Modern',
};

function useTheme(inHost, theme) {
  return inHost(
    (wanted) => vscode.workspace.getConfiguration().update('workbench.colorTheme', wanted, true),
    theme,
  );
}

/**
 * A page follows each theme without being made anew, and a picture is made of each: `<picture>-light` … `<picture>-dark-again`.
 * `frameOf` finds the frame that holds the page.
 */
export async function pageFollowsThemes({ page, workbench, inHost }, frameOf, picture) {
  for (const [short, theme] of Object.entries(themes)) {
    const frame = await frameOf(page);
    const looks = () => frame.evaluate(() => globalThis.document.body.className);
    const before = await looks();
    await useTheme(inHost, theme);
    await until(`the theme ${theme} in the page`, async () => (await looks()) !== before);
    // Canvases take the new colours with their next frame.
    await page.waitForTimeout(300);
    await workbench.screenshot(`${picture}-${short === 'dark' ? 'dark-again' : short}`);
  }
}

/** A picture of the workbench in each theme: `<picture>-light` … `<picture>-dark`. */
export async function inThemes({ page, workbench, inHost }, picture) {
  for (const [short, theme] of Object.entries(themes)) {
    await useTheme(inHost, theme);
    await page.waitForTimeout(700);
    await workbench.screenshot(`${picture}-${short}`);
  }
}
