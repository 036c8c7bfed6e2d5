// The panel in the workbench: a page in a page, made anew whenever it is shown.
import { until } from '../../lib/report.mjs';

/** The frame of the panel that is shown: VS Code puts a page into a page. */
export function panel(page, selector = '.dynamics .grid-row:visible') {
  return until('the dynamics panel', async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (found > 0) return frame;
    }
    return undefined;
  });
}

export const openWith = ({ inHost }, file) =>
  inHost((given) => {
    void vscode.commands.executeCommand('kymo.showDynamics', vscode.Uri.file(given));
  }, file);

export const closePanels = ({ inHost }) =>
  inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
