// A run of many ranks, and what it costs the extension host.
import path from 'node:path';
import { assert } from '../../lib/report.mjs';
import { closePanels, openWith, panel } from './panel.mjs';
import { files } from './series.mjs';

/** Several runs: a pause of the collector, or of the machine, meets one of them; what Kymo does meets all. */
export async function large(report, session, folder) {
  const { page, inHost, workbench } = session;
  await report.check('the extension host is not blocked by a run of 256 ranks', async () => {
    const turns = [];
    for (const large of files.large) {
      await closePanels(session);
      await inHost(() => {
        blocked.milliseconds = 0;
      });
      const began = Date.now();
      await openWith(session, path.join(folder, large));
      const frame = await panel(page);
      await frame.getByText(large).first().waitFor();
      await frame.getByText('Degradation trend', { exact: false }).first().waitFor();
      report.figure('from the request to what was found in 512 series (ms)', Date.now() - began);
      turns.push(await inHost(() => blocked.milliseconds));
    }
    const shown = turns.map((milliseconds) => milliseconds.toFixed(1)).join(', ');
    report.figure('extension host blocked at most by it (ms, bar 50)', shown);
    assert(Math.min(...turns) <= 50, `blocked for ${shown} ms`);
    await workbench.screenshot('dynamics-256-ranks');
  });
}
