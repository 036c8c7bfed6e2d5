// The runs of this scenario, as files in its workspace.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeDegradingSeries } from '../../lib/series.mjs';

export const files = {
  run: 'run.kseries.ndjson',
  /** 256 ranks each. */
  large: ['large-1', 'large-2', 'large-3'].map((name) => `${name}.kseries.ndjson`),
  /** Names a source that is not here. */
  moved: 'moved.kseries.ndjson',
  broken: 'broken.kseries.ndjson',
};

/** Writes the run in which `sweep` of the workspace becomes slower. Gives the line of `sweep`, 1-based. */
export function writeRun(folder) {
  const region = sweepIn(folder);
  writeDegradingSeries(path.join(folder, files.run), region);
  return region.line;
}

/** Writes the other files, too. */
export function writeOtherRuns(folder) {
  const region = sweepIn(folder);
  for (const large of files.large) writeDegradingSeries(path.join(folder, large), region, 256);
  writeDegradingSeries(path.join(folder, files.moved), { ...region, file: '/elsewhere/other.cpp' });
  writeFileSync(path.join(folder, files.broken), '{"kymoSeries":1}\n{"region":\n');
}

function sweepIn(folder) {
  const file = path.join(folder, 'main.cpp');
  const lines = readFileSync(file, 'utf8').split('\n');
  return { region: 'sweep', file, line: lines.findIndex((text) => text.startsWith('double sweep')) + 1 };
}
