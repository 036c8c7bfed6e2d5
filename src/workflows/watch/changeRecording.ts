import { setTimeout as pause } from 'node:timers/promises';
import { KymoError } from '../../core/errors';
import type { LiveChange, LiveRun } from '../../core/views/liveRun';
import type { Cancellable } from '../running/turn';
import { readLive } from '../studies/liveFile';
import { readLiveFunctions, type LiveFunction } from '../studies/liveFunctions';
import { wishedFunctions, type NamedWish } from './wishedFunctions';
import { fileWish, removeWish, type RecordingWish } from './wishes';

/** How often it is looked whether a wish was done, in milliseconds. */
const lookEvery = 100;

export interface RecordingChanged {
  readonly live: LiveRun;
  readonly change: LiveChange;
  /** What could not be switched, in sentences. */
  readonly notes: readonly string[];
}

/** The functions of the program of a run. @throws KymoError `no-run` if it is over, or its program has not begun */
export async function functionsUnderWay(folder: string): Promise<readonly LiveFunction[]> {
  const [live, functions] = [await readLive(folder), await readLiveFunctions(folder)];
  if (live === undefined) throw isOver(folder);
  if (functions === undefined)
    throw new KymoError(
      'no-run',
      `${live.target} has not begun, so that nothing can be switched yet. Try again in a few seconds.`,
    );
  return functions;
}

/** As `changeRecording`, of functions that a user names. @throws KymoError `unknown-function`, and as `changeRecording` */
export async function changeNamed(
  folder: string,
  named: NamedWish,
  context: Cancellable = {},
): Promise<RecordingChanged> {
  const { wish, notes } = wishedFunctions(named, await functionsUnderWay(folder));
  const changed = await changeRecording(folder, wish, context);
  return { ...changed, notes: [...notes, ...changed.notes] };
}

/**
 * Switches functions of a run that is under way, and waits until that is done: the process that watches it does it within about a second.
 * @throws KymoError `no-run` if it ends before
 */
export async function changeRecording(
  folder: string,
  wish: RecordingWish,
  { signal }: Cancellable = {},
): Promise<RecordingChanged> {
  if ((await readLive(folder)) === undefined) throw isOver(folder);
  const id = await fileWish(folder, wish);
  try {
    for (;;) {
      const live = await readLive(folder);
      if (live === undefined || live.state === 'ending') throw isOver(folder);
      const change = live.recording?.changes.find((done) => done.wish === id);
      if (change !== undefined) return { live, change, notes: change.problems };
      await pause(lookEvery, undefined, { signal });
    }
  } catch (error) {
    await removeWish(folder, id);
    throw error;
  }
}

function isOver(folder: string): KymoError {
  return new KymoError('no-run', `The run in ${folder} is over.`);
}
