import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { iterationsFileName } from '../../formats/kymo-iterations/iterationsFile';
import { listExperiments, type ExperimentEntry } from '../../measurement/experiments/studies';

type Complete = Extract<ExperimentEntry, { kind: 'complete' }>;

/**
 * The newest experiment with iterations in a folder: itself, or one of the iteration, study or target that the folder is. Of the
 * repetitions of a measurement it is the one with the median wall time. Undefined when there is none.
 */
export async function newestIterations(folder: string): Promise<string | undefined> {
  if (await isFile(path.join(folder, iterationsFileName))) return folder;
  const isIteration = /^i\d+$/.test(path.basename(folder));
  const studies = isIteration ? [path.dirname(folder)] : [folder, ...(await subfolders(folder))];
  for (const study of studies) {
    const usable: Complete[] = [];
    for (const entry of await listExperiments(study)) {
      if (entry.kind !== 'complete' || entry.experiment.variant !== 'measured') continue;
      if (isIteration && path.dirname(entry.directory) !== folder) continue;
      if (await isFile(path.join(entry.directory, iterationsFileName))) usable.push(entry);
    }
    const typical = typicalOfLast(usable);
    if (typical !== undefined) return typical.directory;
  }
  return undefined;
}

/** Of the last iteration, the repetition in the middle; of several configurations, the one that was measured last. */
function typicalOfLast(entries: readonly Complete[]): Complete | undefined {
  const last = Math.max(...entries.map(({ experiment }) => experiment.iteration));
  const ofLast = entries.filter(({ experiment }) => experiment.iteration === last);
  const newest = ofLast.reduce<Complete | undefined>(
    (best, entry) =>
      best === undefined || entry.experiment.startedAt > best.experiment.startedAt ? entry : best,
    undefined,
  );
  const same = JSON.stringify(configurationOf(newest));
  const repetitions = ofLast
    .filter((entry) => JSON.stringify(configurationOf(entry)) === same)
    .sort((a, b) => a.experiment.wallSeconds - b.experiment.wallSeconds);
  return repetitions[(repetitions.length - 1) >> 1];
}

function configurationOf(entry: Complete | undefined): unknown {
  return [entry?.experiment.parameters, entry?.experiment.ranks];
}

/** Studies are named by when they began; the newest first. */
async function subfolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort()
    .reverse()
    .map((name) => path.join(folder, name));
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.isFile(),
    () => false,
  );
}
