// CPU time of a program built vanilla, with sites at rest, and with the final selection. The runs of each kind go together, in turns on
// the same processors: a machine whose speed changes from second to second, as virtual ones do, changes it for all of them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { median, medianInterval } from '../lib/statistics.mjs';
import { timedTogether } from '../lib/timed.mjs';

/** @param variants `vanilla`, `off` and `final`: command and folder of each, for `final` with the file of its selection */
export async function compareCosts({ vanilla, off, final }, folder, repetitions, processors = '0') {
  const results = mkdtempSync(path.join(folder, 'results-'));
  const environment = { KYMO_SELECTION: final.selection, KYMO_RESULTS: results };
  const command = { ...final.command, environment: { ...final.command.environment, ...environment } };
  const variants = { vanilla, off, final: { ...final, command } };
  const base = [];
  const percents = { off: [], final: [] };
  try {
    // The first runs fill the caches and do not count.
    for (let repetition = -1; repetition < repetitions; repetition++) {
      const order = Object.keys(variants);
      if (repetition % 2 === 0) order.reverse();
      const times = await timedTogether(
        order.map((name) => variants[name]),
        processors,
      );
      if (readdirSync(results).length === 0)
        throw new Error('with the final selection nothing was recorded: is it for this build?');
      if (repetition < 0) continue;
      const seconds = Object.fromEntries(order.map((name, at) => [name, cpuSeconds(times[at])]));
      base.push(seconds.vanilla);
      for (const name of Object.keys(percents))
        percents[name].push(100 * (seconds[name] / seconds.vanilla - 1));
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
