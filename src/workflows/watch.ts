import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Base } from '../core/functions/base';
import { isKymoError, KymoError } from '../core/errors';
import { present } from '../core/present';
import { makeContext } from '../core/problems/context/makeContext';
import { profileFunctions, type ProfileFunction } from '../core/problems/profileFunctions';
import { readCube } from '../formats/cube4/read';
import { readOwnBytes } from '../measurement/files/ownFiles';
import { asMeasured, profileOrigin } from './studies/profileOrigin';
import type { DynamicsResult } from '../core/degradations/model/result';
import { iterationsFileName } from '../formats/kymo-iterations/iterationsFile';
import { roundDirectory } from '../measurement/experiments/studies';
import { runDynamics } from './dynamics';
import type { Cancellable } from './running/turn';
import { listStudies } from './studies/studies';
import type { LiveRun } from '../core/views/liveRun';
import { readLive, writeWish } from './studies/liveFile';

/** A run that is under way and can be watched (`kymo run`). */
export interface RunUnderWay {
  /** The experiment's folder; `profile.cubex` and `iterations.kymo` in it have the run so far. */
  readonly folder: string;
  readonly live: LiveRun;
}

/** The runs of a workspace that are under way, the newest first. */
export async function runsUnderWay(
  workspace: string,
  context: Cancellable = {},
): Promise<readonly RunUnderWay[]> {
  const studies = await listStudies(workspace, context);
  const running = studies.filter(({ state, kind }) => state === 'running' && kind === 'measurement');
  const found = await Promise.all(
    running.map(async ({ directory }) => {
      const round = roundDirectory(directory, 0);
      const names = await readdir(round).catch((): string[] => []);
      return Promise.all(names.map((name) => underWay(path.join(round, name))));
    }),
  );
  return found.flat().filter((run) => run !== undefined);
}

async function underWay(folder: string): Promise<RunUnderWay | undefined> {
  const live = await readLive(folder);
  return live === undefined ? undefined : { folder, live };
}

/** @throws KymoError `no-run` */
export async function runUnderWay(
  { workspace, target }: { readonly workspace: string; readonly target?: string | undefined },
  context: Cancellable = {},
): Promise<RunUnderWay> {
  const runs = await runsUnderWay(workspace, context);
  const run = runs.find(({ live }) => target === undefined || live.target === target);
  if (run !== undefined) return run;
  throw new KymoError(
    'no-run',
    `No run of ${target ?? 'a target'} that can be watched is under way in ${workspace}. Start one with "kymo run"; a run that is being watched shows a few seconds after its program has begun.`,
  );
}

/** What is new of a run. */
export interface RunUpdate {
  readonly live: LiveRun;
  /** The run so far; absent when its profile is that of the last update. */
  readonly functions?: FunctionsSoFar;
  /** What the iterations so far show; absent when there are no more than before. */
  readonly dynamics?: DynamicsResult;
}

/** The functions of a run so far, the most exclusive time first. */
export interface FunctionsSoFar {
  /** What shares are of. */
  readonly base: Base;
  readonly rows: readonly ProfileFunction[];
}

/** How often its file is looked at, in milliseconds. */
const lookEvery = 250;

/**
 * Follows a run until it ends.
 * @param workspace for the user's own rules @param interval seconds between two updates, at least
 */
export async function* followRun(
  {
    folder,
    workspace,
    interval,
  }: { readonly folder: string; readonly workspace: string; readonly interval: number },
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<RunUpdate> {
  let [last, analysed, profiled] = [-Infinity, 0, 0];
  for (;;) {
    const live = await readLive(folder);
    if (live === undefined) return;
    const written = live.iterations?.written ?? 0;
    if (live.seconds >= last + interval || (live.seconds > last && live.state === 'ending')) {
      last = live.seconds;
      const dynamics = written > analysed ? await analysis(folder, workspace, signal) : undefined;
      if (dynamics !== undefined) analysed = written;
      const functions = live.profileSeconds > profiled ? await functionsSoFar(folder) : undefined;
      if (functions !== undefined) profiled = live.profileSeconds;
      yield { live, ...present({ functions, dynamics }) };
    }
    await pause(lookEvery, undefined, { signal });
  }
}

/** Undefined when the run ends meanwhile. */
async function functionsSoFar(folder: string): Promise<FunctionsSoFar | undefined> {
  try {
    const file = path.join(folder, 'profile.cubex');
    const profile = readCube(await readOwnBytes(file), file);
    const origin = await profileOrigin(file, profile);
    const context = makeContext(asMeasured(profile, origin));
    return { base: context.base, rows: profileFunctions(context) };
  } catch {
    return undefined;
  }
}

/** Undefined when the run ends meanwhile. */
async function analysis(
  folder: string,
  workspace: string,
  signal: AbortSignal,
): Promise<DynamicsResult | undefined> {
  try {
    const inputs = [path.join(folder, iterationsFileName)];
    return (await runDynamics({ inputs }, { workspace, signal })).result;
  } catch (error) {
    if (isKymoError(error) && error.reason !== 'cancelled') return undefined;
    throw error;
  }
}

/**
 * Suspends the program at the end of its next iteration, or lets it go on; the process that watches it does so within a second.
 * @throws KymoError `no-run`, `no-phase` when it has no iterations
 */
export async function suspendRun(folder: string, suspend: boolean): Promise<void> {
  const run = await underWay(folder);
  if (run === undefined) throw new KymoError('no-run', `The run in ${folder} is over.`);
  if (run.live.iterations === undefined)
    throw new KymoError(
      'no-phase',
      `${run.live.target} can only be suspended at the end of an iteration, and has had none so far. Mark its phase ("phase" in kymo.json, or KYMO_PHASE_BEGIN in the source).`,
    );
  await writeWish(folder, { suspend });
}

/** Whether a run left a result: it ended, and its profile is that of the whole run. */
export async function hasResult(folder: string): Promise<boolean> {
  return stat(path.join(folder, 'experiment.json')).then(
    () => true,
    () => false,
  );
}
