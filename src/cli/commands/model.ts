import { InvalidArgumentError, Option, type Command } from 'commander';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { singleModelers, type SingleModelerName } from '../../core/modeling/extrap/options';
import { measures, type Measure, type ParameterMeasurements } from '../../core/modeling/measurements';
import { scalings, type Scaling } from '../../core/modeling/profilesAsMeasurements';
import { present } from '../../core/present';
import { modelDocument } from '../../formats/model-exports/document';
import { modelExport, modelExports, type ModelExport } from '../../formats/model-exports';
import { measurementsFor } from '../../formats/extrap/write/file';
import { makeModels, type ModelsReport } from '../../workflows/models';
import { expectedModels } from '../../workflows/expectedModels';
import type { CliContext, CommandResult, RegisterCommand } from '../execution/context';
import { writeWhole } from '../arguments/inputs';
import { ComparedModels } from '../terminal/compare/comparedModels';
import { modelsText } from '../terminal/models/models';
import { nonNegative, wholeNumber } from '../arguments/options';

interface ModelFlags {
  readonly mode: 'probable' | 'extra-p';
  readonly modeler: SingleModelerName;
  readonly measure: Measure;
  readonly scaling?: Scaling;
  readonly predict: readonly Readonly<Record<string, number>>[];
  readonly metric?: string;
  readonly callPath?: string;
  readonly expect?: Readonly<Record<string, string>>;
  readonly overhead?: number;
  readonly models: number;
  readonly compare?: string;
  readonly format?: ModelExport;
  readonly out?: string;
  readonly measurements?: string;
}

/** `kymo model`: how measured values grow with parameters. */
export const registerModel: RegisterCommand = (program, run) => {
  program
    .command('model <input...>')
    .description(
      'performance models: how times and counts grow with parameters, from files of Extra-P (text, JSON, JSON Lines, Talpas, .extra-p), ' +
        'folders with profiles such as app.p4n100.r1, or studies',
    )
    .addOption(
      new Option('--mode <mode>', 'the most probable formula, or what Extra-P chooses')
        .choices(['probable', 'extra-p'])
        .default('probable'),
    )
    .addOption(
      new Option('--modeler <name>', 'search of Extra-P for one parameter')
        .choices(singleModelers)
        .default('default'),
    )
    .addOption(
      new Option('--measure <name>', 'statistic of the repetitions').choices(measures).default('mean'),
    )
    .addOption(
      new Option(
        '--scaling <kind>',
        'how locations of a profile become one value: the mean of those that take part (weak-threaded), of all (weak, the default of --mode extra-p), or their sum (strong)',
      ).choices(scalings),
    )
    .option(
      '--predict <point>',
      'point to predict, such as p=1000,n=64; may be repeated (default: ten times the largest values)',
      point,
      [],
    )
    .option('--metric <name>', 'only this metric')
    .option('--call-path <text>', 'only call paths that contain this text')
    .option(
      '--expect <function=growth>',
      'how a function may grow at most, such as "solve=O(n log n)"; may be repeated',
      expectation,
    )
    .option(
      '--overhead <percent>',
      'what recording may cost at the predicted point: names functions to leave out when it costs more',
      nonNegative,
    )
    .option('--models <n>', 'maximum number of models of each metric in the table', wholeNumber, 20)
    .option('--compare <input>', 'show the models of other measurements beside these, matched by call path')
    .addOption(new Option('--format <format>', 'write the models in this format').choices(modelExports))
    .option('--out <file>', 'write to this file')
    .option(
      '--measurements <file>',
      'also write the measurements for Extra-P, as .extra-p, .json or .txt by the end of the name',
    )
    .action(async (inputs: readonly string[], _: unknown, command: Command) => {
      await run((context) => model(inputs, command.opts<ModelFlags>(), context));
    });
};

async function model(
  inputs: readonly string[],
  flags: ModelFlags,
  context: CliContext,
): Promise<CommandResult> {
  const { mode, modeler, measure, scaling, predict, metric, callPath, expect, format, out } = flags;
  const { compare, measurements } = flags;
  if (mode === 'extra-p' && expect !== undefined)
    throw new KymoError(
      'usage',
      'Models of Extra-P have no probability: --expect is for the mode “probable”.',
    );
  if (compare !== undefined && format !== undefined)
    throw new KymoError(
      'usage',
      'A format is that of the models of one input: leave out --format or --compare.',
    );
  const how = {
    measure,
    ...present({ scaling, metric, callPath, overheadPercent: flags.overhead }),
    ...(mode === 'extra-p' ? { extrap: { single: modeler } } : {}),
  };
  const request = {
    ...how,
    paths: inputs.map((input) => path.resolve(input)),
    predict,
    ...present({ expect }),
  };
  const made = await (expect === undefined ? expectedModels : makeModels)(request, context);
  const lacking = measurements === undefined ? [] : writeMeasurements(measurements, measured(made));
  const report = { ...made, notes: [...lacking, ...made.notes] };
  const compared =
    compare === undefined
      ? undefined
      : new ComparedModels(
          report,
          await makeModels({ ...how, paths: [path.resolve(compare)] }, context),
          compare,
        );
  const result = { ...modelDocument(report), ...(compared && { compared: compared.document() }) };
  const text =
    format === undefined
      ? (compared?.text(flags.models) ?? modelsText(report, flags.models))
      : modelExport(report.models, report.parameters, format);
  if (out === undefined) return { result, text };
  writeWhole(out, [text]);
  return { result, text: `Written to ${out}.` };
}

/** @returns what the file lacks, in a sentence */
function writeMeasurements(file: string, measurements: ParameterMeasurements): readonly string[] {
  const { content, leftOut } = measurementsFor(file, measurements);
  writeWhole(file, [content]);
  const [first] = leftOut;
  if (first === undefined) return [];
  const more = leftOut.length === 1 ? '' : ` and ${leftOut.length - 1} more`;
  return [
    `${file} lacks “${first.metric}” of “${first.callPath}”${more}: text cannot hold what has no values at some points. As .json or .extra-p it is written whole.`,
  ];
}

/** What the models were made of. */
function measured({ parameters, models }: ModelsReport): ParameterMeasurements {
  const series = models.map((model) => ({
    callPath: model.callPath,
    metric: model.metric,
    points: model.measured,
  }));
  return { parameters, series };
}

/** `p=1000,n=64` */
function point(
  text: string,
  before: readonly Readonly<Record<string, number>>[],
): readonly Readonly<Record<string, number>>[] {
  const pairs = text.split(',').map((pair) => {
    const separator = pair.lastIndexOf('=');
    const value = Number(pair.slice(separator + 1));
    if (separator < 1 || pair.slice(separator + 1).trim() === '' || !Number.isFinite(value))
      throw new InvalidArgumentError('It must be values of parameters, such as p=1000,n=64.');
    return [pair.slice(0, separator).trim(), value] as const;
  });
  return [...before, Object.fromEntries(pairs)];
}

/** `solve=O(n log n)`; names of functions may contain the sign. */
function expectation(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const separator = text.lastIndexOf('=');
  if (separator < 1)
    throw new InvalidArgumentError('It must be function=growth, such as "solve=O(n log n)".');
  return { ...before, [text.slice(0, separator).trim()]: text.slice(separator + 1) };
}
