import { InvalidArgumentError, Option } from 'commander';
import path from 'node:path';
import { isKymoError, type KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { studyDesigns, type StudyDesign } from '../../core/study/points';
import { pointName, studiedSentence } from '../../core/study/texts';
import { modelDocument } from '../../formats/model-exports/document';
import { makeModels, type ModelsReport } from '../../workflows/models';
import { study, type StudyResult } from '../../workflows/study';
import type { CliContext, RegisterCommand } from '../terminal/context';
import { modelsText } from '../terminal/models';
import { assignment, listItems, positiveInteger, positiveIntegers, wholeNumber } from '../terminal/options';

interface StudyFlags {
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly point: readonly Readonly<Record<string, string>>[];
  readonly ranks?: readonly number[];
  readonly threads?: readonly number[];
  readonly repetitions?: number;
  readonly design?: StudyDesign;
  readonly filter?: string;
  readonly vanilla?: true;
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
    .option(
      '--values <name=list>',
      'values of a parameter of kymo.json, such as n=100,200,400, n=16:256:*2 or n=100:500:+100; repeatable (default: "study" and "parameters" of kymo.json)',
      valueList,
      {},
    )
    .option('--ranks <numbers>', 'numbers of MPI ranks, such as 1,2,4 or 1:16:*2', positiveIntegers)
    .option(
      '--threads <numbers>',
      'numbers of threads (OMP_NUM_THREADS), such as 1,2,4 or 1:16:*2',
      positiveIntegers,
    )
    .addOption(
      new Option(
        '--design <design>',
        'which points: all combinations, one parameter at a time (the others at their smallest), linear (all lists side by side), or the list of --point',
      ).choices(studyDesigns),
    )
    .option('--point <values>', 'point of a list, such as n=100,ranks=4; repeatable', pointValues, [])
    .option('--repetitions <count>', 'number of runs of each point', positiveInteger)
    .option(
      '--filter <file>',
      'functions to record, as of “kymo measure” (default: the accepted selection, else the first selection of a refinement)',
    )
    .option('--vanilla', 'build without Kymo, and measure the time of whole runs only')
    .option('--fresh', 'begin a new study in place of going on with the last one')
    .option('--retry', 'run points again that failed')
    .option(
      '--study <name>',
      'go on with this study (name of its folder) as it was planned; with --point (and --repetitions), measure only these points (so often)',
    )
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
          limitExceeded: result.failed > 0,
          exceededStatus: pointsFailed,
        };
      }),
    );
};

/** Models of a study, or why there are none, such as a parameter whose values are texts. */
async function modelsOf(
  { directory, expect }: StudyResult,
  context: CliContext,
): Promise<ModelsReport | { readonly error: KymoError }> {
  try {
    return await makeModels({ paths: [directory], expect }, context);
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

/** `n=100,200,400`, `n=16:256:*2` */
function valueList(
  text: string,
  before: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  const [[name, list] = ['', '']] = Object.entries(assignment(text));
  const values = listItems(list);
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
