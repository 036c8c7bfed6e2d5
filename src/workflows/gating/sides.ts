import { readFile, stat } from 'node:fs/promises';
import { at, atUint } from '../../core/at';
import { addTo } from '../../core/sums';
import { comparedRun } from '../../core/compare/run';
import { shareOf } from '../../core/functions/share';
import { growthOf, type RunGrowth } from '../../core/gate/growth';
import type { GateFacts, GateSide } from '../../core/gate/side';
import { plainCommand } from '../../core/gate/side';
import { present } from '../../core/present';
import { isParallelRuntime } from '../../core/functions/activities';
import type { Experiment } from '../../core/profile/experiment';
import { rankSums, workGroups } from '../../core/profile/workGroups';
import { recordingCost } from '../../core/problems/context/recordingCost';
import { makeContext } from '../../core/problems/context/makeContext';
import type { PropertyContext } from '../../core/problems/context/propertyContext';
import { readBaseline } from '../../formats/kymo-baseline/baselineFile';
import { fileError } from '../../measurement/files/explainFileError';
import { measuredHow, readRuns, recordedOf, type MeasuredRun } from '../comparing/readRuns';
import { iterationsOf, partOf } from '../comparing/part';
import { turn, type Cancellable } from '../running/turn';
import { asMeasured } from '../studies/profileOrigin';

/** Ends the names of baseline files. */
const baselineEnding = '.json';

/**
 * A side of a gate: a baseline file, or the repetitions of a measurement.
 * @throws KymoError as `readBaseline` and `readRuns`
 */
export async function readSide(given: string, name: string, context: Cancellable): Promise<GateSide> {
  const isFile = (
    await stat(given).catch((error: unknown) => {
      throw fileError(given, 'read', error);
    })
  ).isFile();
  if (!isFile || !given.toLowerCase().endsWith(baselineEnding))
    return sideOfRuns(await readRuns(given, context), name, context);
  const text = await readFile(given, 'utf8').catch((error: unknown) => {
    throw fileError(given, 'read', error);
  });
  return { ...readBaseline(text, given), name };
}

/** In the order of time: which runs follow each other matters. */
async function sideOfRuns(
  read: readonly MeasuredRun[],
  name: string,
  context: Cancellable,
): Promise<GateSide> {
  const started = ({ origin }: MeasuredRun): string => origin.experiment?.startedAt ?? '';
  const runs = [...read].sort((a, b) => (started(a) < started(b) ? -1 : 1));
  const contexts = runs.map(({ profile, origin }) => makeContext(asMeasured(profile, origin)));
  const experiments = runs.map(({ origin }) => origin.experiment);
  const known = <T>(values: readonly (T | undefined)[]): readonly T[] | undefined => {
    const there = values.flatMap((value) => (value === undefined ? [] : [value]));
    return there.length === values.length ? there : undefined;
  };
  const [first] = experiments;
  const grown: (RunGrowth | undefined)[] = [];
  for (const run of runs) {
    await turn(context);
    grown.push(growthOfRun(run));
  }
  const growth = known(grown);
  return {
    name,
    runs: contexts.map((context) => comparedRun(context)),
    ...present({ isRecorded: await recordedOf(runs[0]?.origin ?? {}), measured: measuredHow(runs) }),
    facts: first === undefined ? undefined : factsOf(first),
    figures: present({
      memory: known(experiments.map((experiment) => experiment?.memoryBytes)),
      imbalance: known(contexts.map(imbalanceOf)),
      overhead: known(contexts.map(overheadOf)),
      dynamics: growth?.map(({ whole }) => whole - 1),
    }),
    growth,
  };
}

function factsOf(experiment: Experiment): GateFacts {
  const { target, command, parameters, ranks, threads, compiler, host, git } = experiment;
  return {
    ...{ target, command: plainCommand(command), parameters, ranks, compiler, host },
    ...present({ threads, git }),
  };
}

/** Fewer iterations show no growth. */
const fewestIterations = 4;

/** Undefined: the run has no iterations, or few. */
function growthOfRun(run: MeasuredRun): RunGrowth | undefined {
  const iterations = iterationsOf(run);
  if (iterations < fewestIterations) return undefined;
  const half = Math.floor(iterations / 2);
  const [early, late] = (
    [
      [1, half],
      [iterations - half + 1, iterations],
    ] as const
  ).map((range) => comparedRun(makeContext(partOf(run, { iterations: range }))));
  return early === undefined || late === undefined ? undefined : growthOf(early, late);
}

/** Estimated cost of recording ÷ run time; undefined without a calibration. */
function overheadOf(context: PropertyContext): number | undefined {
  const { seconds, visits, isCalibrated } = recordingCost(context);
  return isCalibrated && visits > 0 ? shareOf(seconds, context.base) : undefined;
}

/** Largest computing time of a rank ÷ the mean of all, − 1; undefined for a single rank. */
function imbalanceOf({ profile, activities, cells }: PropertyContext): number | undefined {
  const { ranks } = workGroups(profile.locations);
  if (ranks.length < 2) return undefined;
  const width = profile.locations.length;
  const { count, region } = profile.callPaths;
  const perLocation = new Float64Array(width);
  for (let path = 0; path < count; path++)
    if (!isParallelRuntime(at(activities, atUint(region, path))))
      addTo(perLocation, cells.subarray(path * width, (path + 1) * width));
  const perRank = rankSums(profile.locations)(perLocation);
  const mean = perRank.reduce((sum, value) => sum + value, 0) / perRank.length;
  return mean > 0 ? perRank.reduce((most, value) => Math.max(most, value), 0) / mean - 1 : undefined;
}
