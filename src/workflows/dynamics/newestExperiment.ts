import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { iterationsIn } from '../../core/series/profileIterations';
import { openCube } from '../../formats/cube4/read';
import { iterationsFileName } from '../../formats/kymo-iterations/iterationsFile';
import { openProfileFile } from '../../measurement/experiments/profileFile';
import { listExperiments } from '../../measurement/experiments/studies';
import { turn, type Cancellable } from '../running/turn';
import { measuredRuns, typicalExperiment, type CompleteExperiment } from '../studies/typicalExperiment';

/** Name of the profile in an experiment's folder. */
const profileName = 'profile.cubex';

/**
 * The newest experiment with iterations in a folder, which may be an experiment, an iteration, a study or a target. Of the repetitions of a
 * measurement, it is the typical one. Undefined if there is none.
 */
export async function newestIterations(
  folder: string,
  context: Cancellable = {},
): Promise<string | undefined> {
  if ((await iterationsFileIn(folder)) !== undefined) return folder;
  const isIteration = /^i\d+$/.test(path.basename(folder));
  const studies = isIteration ? [path.dirname(folder)] : [folder, ...(await subfolders(folder))];
  for (const study of studies) {
    await turn(context);
    const measured = (await listExperiments(study)).flatMap((entry) =>
      entry.kind === 'complete' &&
      entry.experiment.variant === 'measured' &&
      (!isIteration || path.dirname(entry.directory) === folder)
        ? [entry]
        : [],
    );
    const own = await filtered(measured, ({ directory }) => isFile(path.join(directory, iterationsFileName)));
    const typical = (await typicalOfLast(own.length > 0 ? own : measured))?.directory;
    if (typical !== undefined && (await iterationsFileIn(typical)) !== undefined) return typical;
  }
  return undefined;
}

/**
 * The files with iterations of an experiment and of its other repetitions: runs of the same round with the same parameters and ranks. The
 * experiment's own file comes first.
 */
export async function repetitionsOf(experiment: string): Promise<readonly string[]> {
  const round = path.dirname(experiment);
  const entries = (await listExperiments(path.dirname(round))).flatMap((entry) =>
    entry.kind === 'complete' && path.dirname(entry.directory) === round ? [entry] : [],
  );
  const own = entries.find(({ directory }) => directory === experiment);
  const others = entries.filter(
    (entry) =>
      entry !== own &&
      entry.experiment.variant === own?.experiment.variant &&
      isSameConfiguration(entry, own),
  );
  const files = await Promise.all(
    [experiment, ...others.map(({ directory }) => directory)].map((directory) => iterationsFileIn(directory)),
  );
  return files.filter((file) => file !== undefined);
}

/** The file with iterations in an experiment's folder: Kymo's own one, or a profile by Score-P. */
export async function iterationsFileIn(experiment: string): Promise<string | undefined> {
  const own = path.join(experiment, iterationsFileName);
  if (await isFile(own)) return own;
  const profile = path.join(experiment, profileName);
  return (await isFile(profile)) && hasIterations(profile) ? profile : undefined;
}

function hasIterations(profile: string): boolean {
  const opened = openProfileFile(profile);
  try {
    return iterationsIn(openCube(opened.source, profile).definitions) !== undefined;
  } catch {
    return false;
  } finally {
    opened.close();
  }
}

async function filtered<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const holds = await Promise.all(items.map(test));
  return items.filter((_, index) => holds[index] === true);
}

/** The typical run of the last round; with several configurations, of the one measured last. */
function typicalOfLast(entries: readonly CompleteExperiment[]): Promise<CompleteExperiment | undefined> {
  const ofLast = measuredRuns(entries);
  const newest = ofLast.reduce<CompleteExperiment | undefined>(
    (best, entry) =>
      best === undefined || entry.experiment.startedAt > best.experiment.startedAt ? entry : best,
    undefined,
  );
  return typicalExperiment(ofLast.filter((entry) => isSameConfiguration(entry, newest)));
}

function isSameConfiguration(a: CompleteExperiment, b: CompleteExperiment | undefined): boolean {
  const [own, other] = [a, b].map((entry) => [entry?.experiment.parameters, entry?.experiment.ranks]);
  return JSON.stringify(own) === JSON.stringify(other);
}

/** Folder names of studies contain kind and start time; the newest first. */
async function subfolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort((a, b) => begunAt(b).localeCompare(begunAt(a)))
    .map((name) => path.join(folder, name));
}

/** `measure-2026-11-21T22-40-00-123` → `2026-11-21T22-40-00-123` */
export function begunAt(study: string): string {
  return study.replace(/^\D*/, '');
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.isFile(),
    () => false,
  );
}
