import path from 'node:path';
import { isKymoError, type KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { pointName, studiedSentence } from '../../core/study/texts';
import { modelDocument } from '../../formats/model-exports/document';
import { makeModels, type ModelsReport } from '../../workflows/models';
import { study, type StudyResult } from '../../workflows/study';
import type { CliContext, RegisterCommand } from '../execution/context';
import { modelsText } from '../terminal/models/models';
import { positiveInteger, positiveIntegers, wholeNumber } from '../arguments/options';
import { pointOptions, pointRequest, type PointFlags } from '../arguments/pointOptions';

interface StudyFlags extends PointFlags {
  readonly ranks?: readonly number[];
  readonly repetitions?: number;
  readonly filter?: string;
  readonly vanilla?: true;
  readonly next?: true;
  readonly fresh?: true;
  readonly retry?: true;
  readonly study?: string;
  readonly models: number;
}

/** Exit status of a study with models, some of whose points failed. */
const pointsFailed = 4;

/** `kymo study`: measurements over parameters and numbers of processes, and models of them. */
export const registerStudy: RegisterCommand = (program, run) => {
  program
    .command('study')
    .description(
      'measures a target at several values of its parameters and numbers of processes, and shows how its functions grow; the same command goes on with a study that was stopped',
    )
    .addOption(pointOptions.values())
    .option('--ranks <numbers>', 'numbers of MPI ranks, such as 1,2,4 or 1:16:*2', positiveIntegers)
    .addOption(pointOptions.threads())
    .addOption(pointOptions.design())
    .addOption(pointOptions.point())
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
    .option(
      '--study <name>',
      'go on with this study (name of its folder) as it was planned; with --point (and --repetitions), measure only these points (that many times)',
    )
    .option('--models <n>', 'maximum number of models of each metric in the table', wholeNumber, 20)
    .action((flags: StudyFlags) =>
      run(async (context) => {
        const { workspace, target, signal, progress } = context;
        const { filter, ranks, repetitions } = flags;
        const result = await study({
          workspace,
          ...present({ target, ranks, repetitions }),
          ...pointRequest(flags),
          ...present({ filter: filter === undefined ? undefined : path.resolve(filter) }),
          vanilla: flags.vanilla === true,
          next: flags.next === true,
          fresh: flags.fresh === true,
          retry: flags.retry === true,
          ...present({ study: flags.study }),
          signal,
          progress,
        });
        const models = await modelsOf(result, context);
        return {
          result: { ...result, ...('error' in models ? {} : { models: modelDocument(models) }) },
          text: [...summary(result), '', ...modelLines(models, result, flags.models)].join('\n'),
          ...(result.failed > 0 ? { status: pointsFailed } : {}),
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
  const { points, notes, directory } = result;
  const failures = points.flatMap(({ coordinates, failure, planned }) =>
    failure === undefined || !planned
      ? []
      : [
          `Failed at ${pointName(coordinates)}, repetition ${failure.repetition}: ${firstLine(failure.message)}`,
        ],
  );
  return [
    studiedSentence(result),
    ...failures,
    ...(failures.length > 0 ? ['The same command with --retry runs failed points again.'] : []),
    ...notes.map((note) => `Note: ${note}`),
    `Study: ${directory}`,
  ];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
