// CPU time of a program built vanilla, with sites at rest, and with the final selection: runs in turns, so that a drift of the machine meets all.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { median, medianInterval } from '../lib/statistics.mjs';
import { timed } from '../lib/timed.mjs';

/** @param variants `vanilla`, `off` and `final`: command and folder of each, for `final` with the file of its selection */
export function compareCosts({ vanilla, off, final }, folder, repetitions) {
  const runs = [
    { seconds: [], run: () => timed(vanilla) },
    { seconds: [], run: () => timed(off) },
    { seconds: [], run: () => measured(final, folder) },
  ];
  // The first run of each fills the caches and does not count.
  for (let repetition = -1; repetition < repetitions; repetition++)
    for (const { seconds, run } of repetition % 2 === 0 ? runs : [...runs].reverse()) {
      const { user, system } = run();
      if (repetition >= 0) seconds.push(user + system);
    }
  const [base, ...others] = runs.map(({ seconds }) => seconds);
  const [offPercent, finalPercent] = others.map((seconds) => percentMore(seconds, base));
  return { vanillaSeconds: median(base), offPercent, finalPercent };
}

function measured({ command, selection, ...rest }, folder) {
  const results = mkdtempSync(path.join(folder, 'results-'));
  const environment = { ...command.environment, KYMO_SELECTION: selection, KYMO_RESULTS: results };
  try {
    return timed({ ...rest, command: { ...command, environment } });
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function percentMore(seconds, base) {
  const percents = seconds.map((value, i) => 100 * (value / base[i] - 1));
  return { median: median(percents), interval: medianInterval(percents) };
}
