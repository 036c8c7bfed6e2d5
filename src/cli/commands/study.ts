import { InvalidArgumentError, Option } from 'commander';
import path from 'node:path';
import { isKymoError, type KymoError } from '../../core/errors';
import { formatSeconds } from '../../core/format';
import { present } from '../../core/present';
import { studyDesigns, type StudyDesign } from '../../core/study/points';
import { modelDocument } from '../../formats/model-exports/document';
import { makeModels, type ModelsReport } from '../../workflows/models';
import { study, type StudyResult } from '../../workflows/study';
import { pointName } from '../../workflows/study/pointName';
import type { CliContext, RegisterCommand } from '../terminal/context';
import { modelsText } from '../terminal/models';
import { assignment, positiveInteger, positiveIntegers, wholeNumber } from '../terminal/options';

interface StudyFlags {
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly point: readonly Readonly<Record<string, string>>[];
  readonly ranks?: readonly number[];
  readonly threads?: readonly number[];
  readonly repetitions?: number;
  readonly design?: StudyDesign;
  readonly filter?: string;
  readonly vanilla?: true;
  readonly next?: true;
  readonly fresh?: true;
  readonly retry?: true;
  readonly models: number;
}

/** `kymo study`: measurements over parameters and numbers of processes, and models of them. */
export const registerStudy: RegisterCommand = (program, run) => {
  program
    .command('study')
    .description(
      'measures a target at several values of its parameters and numbers of processes, and shows how its functions grow; the same command goes on with a study that was stopped',
    )
    .option(
      '--values <name=list>',
      'values of a parameter of kymo.json, such as n=100,200,400; repeatable (default: "study" and "parameters" of kymo.json)',
      valueList,
      {},
    )
    .option('--ranks <numbers>', 'numbers of MPI ranks, such as 1,2,4', positiveIntegers)
    .option('--threads <numbers>', 'numbers of threads (OMP_NUM_THREADS), such as 1,2,4', positiveIntegers)
    .addOption(
      new Option(
        '--design <design>',
        'which points: all combinations, one parameter at a time (the others at their smallest), or the list of --point',
      ).choices(studyDesigns),
    )
    .option('--point <values>', 'point of a list, such as n=100,ranks=4; repeatable', pointValues, [])
    .option('--repetitions <count>', 'number of runs of each point', positiveInteger)
    .option(
      '--filter <file>',
      'functions to record, as of “kymo measure” (default: the accepted selection, else the first selection of a refinement)',
    )
    .option('--vanilla', 'build without Kymo, and measure the time of whole runs only')
    .option(
      '--next',
      'measure the point from which the prediction gains most for its time, by the models of the last study',
    )
    .option('--fresh', 'begin a new study in place of going on with the last one')
    .option('--retry', 'run points again that failed')
    .option('--models <n>', 'maximum number of models of each metric in the table', wholeNumber, 20)
    .action((flags: StudyFlags) =>
      run(async (context) => {
        const { workspace, target, signal, progress } = context;
        const { filter, point, values, ranks, threads, repetitions, design } = flags;
        const result = await study({
          workspace,
          ...present({ target, ranks, threads, repetitions, design }),
          ...present({ filter: filter === undefined ? undefined : path.resolve(filter) }),
          ...(Object.keys(values).length === 0 ? {} : { values }),
          ...(point.length === 0 ? {} : { points: point }),
          vanilla: flags.vanilla === true,
          next: flags.next === true,
          fresh: flags.fresh === true,
          retry: flags.retry === true,
          signal,
          progress,
        });
        const models = await modelsOf(result, context);
        return {
          result: { ...result, ...('error' in models ? {} : { models: modelDocument(models) }) },
          text: [...summary(result), '', ...modelLines(models, result, flags.models)].join('\n'),
        };
      }),
    );
};

/** Models of a study, or why there are none, such as a parameter whose values are texts. */
async function modelsOf(
  { directory, expect, overheadPercent }: StudyResult,
  context: CliContext,
): Promise<ModelsReport | { readonly error: KymoError }> {
  try {
    return await makeModels({ paths: [directory], expect, overheadPercent }, context);
  } catch (error) {
    if (!isKymoError(error) || context.signal.aborted) throw error;
    return { error };
  }
}

function modelLines(
  models: ModelsReport | { readonly error: KymoError },
  { directory }: StudyResult,
  most: number,
): readonly string[] {
  if ('error' in models) return [`There are no models: ${models.error.message}`];
  const shown = models.models.filter(({ metric }) => ['time', 'visits'].includes(metric));
  return [modelsText({ ...models, models: shown }, most), `All metrics: kymo model ${directory}`];
}

function summary(result: StudyResult): readonly string[] {
  const { target, done, failed, remaining, points, runs, runSeconds, notes, directory } = result;
  const all = done + failed + remaining;
  const failures = points.flatMap(({ coordinates, failure, planned }) =>
    failure === undefined || !planned
      ? []
      : [
          `Failed at ${pointName(coordinates)}, repetition ${failure.repetition}: ${firstLine(failure.message)}`,
        ],
  );
  return [
    `${target}: ${done} of ${all} points measured${failed > 0 ? `, ${failed} failed` : ''}${remaining > 0 ? `, ${remaining} remaining` : ''}; ${runs} runs of ${formatSeconds(runSeconds)} together.`,
    ...failures,
    ...(failures.length > 0 ? ['The same command with --retry runs failed points again.'] : []),
    ...notes.map((note) => `Note: ${note}`),
    `Study: ${directory}`,
  ];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** `n=100,200,400` */
function valueList(
  text: string,
  before: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  const [[name, list] = ['', '']] = Object.entries(assignment(text));
  const values = list.split(',').map((value) => value.trim());
  if (values.includes('')) throw new InvalidArgumentError('It must be name=value,value,…');
  return { ...before, [name]: values };
}

/** `n=100,ranks=4` */
function pointValues(
  text: string,
  before: readonly Readonly<Record<string, string>>[],
): readonly Readonly<Record<string, string>>[] {
  const point = text
    .split(',')
    .reduce<Readonly<Record<string, string>>>((values, pair) => assignment(pair.trim(), values), {});
  if (Object.values(point).includes('')) throw new InvalidArgumentError('It must be name=value,name=value,…');
  return [...before, point];
}
