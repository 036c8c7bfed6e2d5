// The parts of the side bar.
import { until } from './report.mjs';

export function viewsOf(page) {
  /** A view, by its title. */
  const pane = (title) =>
    page.locator('.sidebar .pane', { has: page.locator('.pane-header', { hasText: title }) }).first();
  /** The first row of a view with a text. */
  const row = (title, text) => pane(title).locator('.monaco-list-row', { hasText: text }).first();
  /** Opens a row until what lies in it is shown: a refresh of the tree may close it again. */
  const open = (title, text, shown) =>
    until(
      `${shown} below ${text}`,
      async () => {
        if (await row(title, shown).isVisible()) return true;
        if ((await row(title, text).getAttribute('aria-expanded')) === 'false')
          await row(title, text).locator('.monaco-tl-twistie').click();
        return false;
      },
      60_000,
      500,
    );
  return { pane, row, open };
}
