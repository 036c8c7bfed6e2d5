// Webviews in the workbench: a frame within a frame, made anew whenever it is shown.
import { until } from './report.mjs';

/** The frame that holds the refinement panel (of `target`, where several may be open), once its script has drawn something. */
export function refinementPanel(page, target = '') {
  return until('the refinement panel', async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .locator('.refinement .title', { hasText: `Refinement of ${target}` })
        .count()
        .catch(() => 0);
      if (found > 0) return frame;
    }
    return undefined;
  });
}
