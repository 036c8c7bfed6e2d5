// CPU time of a program built vanilla, with sites at rest, and with the final selection. Two runs go side by side, one of them vanilla, and change their
// processors each time: a machine whose speed changes from second to second, as virtual ones do, changes it for both.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { median, medianInterval } from '../lib/statistics.mjs';
import { timedTogether } from '../lib/timed.mjs';

/** @param variants `vanilla`, `off` and `final`: command and folder of each, for `final` with the file of its selection */
export async function compareCosts({ vanilla, off, final }, folder, repetitions) {
  const results = mkdtempSync(path.join(folder, 'results-'));
  const environment = { KYMO_SELECTION: final.selection, KYMO_RESULTS: results };
  const command = { ...final.command, environment: { ...final.command.environment, ...environment } };
  const base = [];
  const percents = { off: [], final: [] };
  try {
    // The first pair of each fills the caches and does not count.
    for (let repetition = -1; repetition < repetitions; repetition++) {
      const processors = repetition % 2 === 0 ? [0, 1] : [1, 0];
      for (const [name, variant] of Object.entries({ off, final: { ...final, command } })) {
        const [plain, other] = await timedTogether([vanilla, variant], processors);
        if (repetition < 0) continue;
        base.push(cpuSeconds(plain));
        percents[name].push(100 * (cpuSeconds(other) / cpuSeconds(plain) - 1));
      }
    }
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
  return {
    vanillaSeconds: median(base),
    offPercent: withInterval(percents.off),
    finalPercent: withInterval(percents.final),
  };
}

const cpuSeconds = ({ user, system }) => user + system;

const withInterval = (percents) => ({ median: median(percents), interval: medianInterval(percents) });
