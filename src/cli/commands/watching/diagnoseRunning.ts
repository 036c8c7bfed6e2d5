import { runsUnderWay } from '../../../workflows/watch';
import type { SearchNode, SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import { deepStartDefaults } from '../../../core/diagnosis/deepStart/deepStart';
import { KymoError } from '../../../core/errors';
import { present } from '../../../core/present';
import { diagnosisOf, type Diagnosis } from '../../../workflows/diagnose';
import { usualWish, type DiagnosisWish } from '../../../workflows/diagnosing/live/diagnosisWish';
import { followSearch, searchOf, wishDiagnosis } from '../../../workflows/diagnosing/live/searchedRun';
import { measure, type MeasureResult } from '../../../workflows/measure';
import type { CliContext } from '../../execution/context';
import { concludedText } from '../../terminal/diagnosis/diagnosisText';

export interface RunningFlags {
  readonly strategy?: keyof typeof strategies;
  /** `true`: with the usual threshold. */
  readonly deepStart?: number | true;
  /** Percent. */
  readonly costLimit?: number;
  readonly concludeAfter?: number;
  readonly seconds?: number;
  readonly ranks?: number;
  readonly parameter?: Readonly<Record<string, string>>;
}

/** Short names of strategies, as the literature has them. */
export const strategies = {
  ca: 'centralised',
  pda: 'partially distributed',
  tda: 'truly distributed',
} as const;

/** What was found in a program while it ran, and the run's own result if this command started it. */
export interface RunningDiagnosis {
  readonly found: Diagnosis;
  readonly folder: string;
  readonly run?: MeasureResult;
}

/**
 * Searches in the run that is under way; without one, starts the program.
 * @param thresholds in place of those of the hypotheses
 */
export async function diagnoseRunning(
  flags: RunningFlags,
  thresholds: Readonly<Record<string, number>>,
  context: CliContext,
): Promise<RunningDiagnosis> {
  const { workspace, target, signal, progress } = context;
  const wish: DiagnosisWish = {
    ...usualWish,
    thresholds,
    ...present({
      strategy: flags.strategy && strategies[flags.strategy],
      costLimit: flags.costLimit === undefined ? undefined : flags.costLimit / 100,
      concludeAfter: flags.concludeAfter,
      deepStart: flags.deepStart === true ? deepStartDefaults.threshold : flags.deepStart,
    }),
  };
  const [known] = (await runsUnderWay(workspace, { signal })).filter(
    ({ live }) => target === undefined || live.target === target,
  );
  if (known !== undefined) {
    const { folder, live } = known;
    progress.log(`Searches in the run of ${live.target} that is under way.`);
    const search = await searchOf(folder);
    if (search !== undefined) progress.log(joined);
    await wishDiagnosis(folder, wish);
    return { found: await follow(folder, flags, context, search?.end), folder };
  }
  const begun: { folder?: string; following?: Promise<Diagnosis> } = {};
  const run = await measure({
    workspace,
    ...present({ target, ranks: flags.ranks }),
    parameters: flags.parameter ?? {},
    watched: true,
    diagnose: wish,
    onWatched: (folder) => {
      begun.folder = folder;
      begun.following = follow(folder, flags, context);
      // Where the run fails or is cancelled, that is what is reported.
      begun.following.catch(() => undefined);
    },
    signal,
    progress,
  });
  const { folder = '', following } = begun;
  if (following === undefined) throw noSearch(workspace);
  return { found: await following, folder, run };
}

const joined =
  'A search is under way there: it goes on as it was begun, and thresholds that are given count from now on.';

/** Tells what is concluded, until the run ends or the time is over. @param begin of the search, when the command joined it; seconds */
async function follow(
  folder: string,
  { seconds = Infinity }: RunningFlags,
  { signal, progress }: CliContext,
  begin = 0,
): Promise<Diagnosis> {
  const told = new Map<string, SearchNode['truth']>();
  let last: SearchRecord | undefined;
  let isOver = false;
  for await (const record of followSearch(folder, { signal })) {
    if (record === undefined) continue;
    last = record;
    for (const text of concludedText(record, told)) progress.log(text);
    if (record.state === 'stopped') return diagnosisOf(record);
    if (isOver || record.end < begin + seconds) continue;
    isOver = true;
    await wishDiagnosis(folder, { state: 'stop' });
  }
  last = (await searchOf(folder)) ?? last;
  if (last === undefined) throw noSearch(folder);
  return diagnosisOf(last);
}

function noSearch(file: string): KymoError {
  return new KymoError(
    'not-watchable',
    'The program ended before the search began, which takes a few seconds. Give it more to do, or diagnose its measurement: kymo diagnose PROFILE.',
    { file },
  );
}
