// Webviews in the workbench: a frame within a frame, made anew whenever it is shown.
import { until } from './report.mjs';

/** The frame in which `find` finds something, once there is one. */
export function frameWith(page, what, find) {
  return until(what, async () => {
    for (const frame of page.frames()) {
      const found = await find(frame)
        .count()
        .catch(() => 0);
      if (found > 0) return frame;
    }
    return undefined;
  });
}

/** The frame that holds the refinement panel (of `target`, where several may be open), once its script has drawn something. */
export function refinementPanel(page, target = '') {
  return frameWith(page, 'the refinement panel', (frame) =>
    frame.locator('.refinement .title', { hasText: `Refinement of ${target}` }),
  );
}
