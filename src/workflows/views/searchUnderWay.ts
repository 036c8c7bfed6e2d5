import path from 'node:path';
import type { Hypothesis } from '../../core/diagnosis/hypotheses/hypothesis';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import type { ProgressSink } from '../../core/progress';
import { hypothesesFor } from '../diagnosing/hypothesesFor';
import { readDiagnosisWish, type DiagnosisWish } from '../diagnosing/live/diagnosisWish';
import { followSearch, searchFileName, searchOf, wishDiagnosis } from '../diagnosing/live/searchedRun';
import type { Cancellable } from '../running/turn';
import { readLive } from '../studies/liveFile';

/** Whether an input is the search that is or was made in a run, which is there once the search has begun. */
export function isSearchOfRun(input: string): boolean {
  return path.basename(input) === searchFileName;
}

/**
 * Has a run that is under way searched, if nothing searches in it yet.
 * @param how of what is usual for a search that begins
 * @returns the file of the search @throws KymoError `no-run`, `not-watchable`
 */
export async function diagnoseRun({
  folder,
  how,
}: {
  readonly folder: string;
  readonly how: Pick<Partial<DiagnosisWish>, 'strategy' | 'deepStart'>;
}): Promise<{ readonly path: string }> {
  const live = await readLive(folder);
  if (live === undefined) throw new KymoError('no-run', `The run in ${folder} is over.`);
  if (live.clusters !== undefined)
    throw new KymoError(
      'not-watchable',
      `The processes of ${live.target} are known as sums only ("kymo run --reduce"), and so cannot be searched. Start a run without --reduce.`,
    );
  const file = path.join(folder, searchFileName);
  const { state } = (await readDiagnosisWish(folder)) ?? {};
  // How it searches is decided when it begins.
  if (state === undefined || ((await searchOf(folder)) === undefined && state !== 'search'))
    await wishDiagnosis(folder, { ...how, state: 'search' });
  return { path: file };
}

/**
 * Changes a search that is under way.
 * @param thresholds all that differ from those of the hypotheses; absent: they stay @throws KymoError `no-run`
 */
export async function steerDiagnosis({
  path: file,
  ...change
}: {
  readonly path: string;
  readonly thresholds?: Readonly<Record<string, number>>;
  readonly state?: DiagnosisWish['state'];
}): Promise<void> {
  const under = await searchWanted(file);
  if (under === undefined)
    throw new KymoError('no-run', 'The program has ended: its search can no longer be changed.');
  const { hypotheses, wish } = under;
  const changed = hypotheses.filter(({ id }) => id in wish.thresholds);
  const usual: Readonly<Record<string, number>> = Object.fromEntries(
    changed.map(({ id, threshold }) => [id, threshold]),
  );
  const thresholds = change.thresholds && { ...usual, ...change.thresholds };
  await wishDiagnosis(path.dirname(file), present({ state: change.state, thresholds }));
}

/** What is wanted of the search in a run, and its hypotheses as they are defined. Undefined: no such run is under way. */
export async function searchWanted(
  file: string,
): Promise<{ readonly wish: DiagnosisWish; readonly hypotheses: readonly Hypothesis[] } | undefined> {
  const folder = path.dirname(file);
  if (!isSearchOfRun(file) || (await readLive(folder)) === undefined) return undefined;
  const wish = await readDiagnosisWish(folder);
  return wish && { wish, hypotheses: await hypothesesFor(folder) };
}

/** Waits until the search in a run has begun. @throws KymoError `not-watchable`, `search-invalid` */
export async function searchBegun(
  file: string,
  {
    signal = new AbortController().signal,
    progress,
  }: Cancellable & { readonly progress?: Pick<ProgressSink, 'report'> },
): Promise<void> {
  const folder = path.dirname(file);
  for await (const record of followSearch(folder, { signal })) {
    if (record !== undefined) return;
    progress?.report({
      message: 'The search begins in a few seconds: it looks which functions are called often.',
    });
  }
  if ((await searchOf(folder)) === undefined)
    throw new KymoError(
      'not-watchable',
      `There is no ${file}: the program ended before the search began, which takes a few seconds. Give it more to do, or diagnose its measurement.`,
      { file },
    );
}
