import { present } from '../../core/present';
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { KymoError } from '../../core/errors';
import type { DynamicsOptions } from '../../core/degradations/model/options';
import { dynamicsReport, reportFormats, type ReportFormat } from '../../formats/dynamics-report';
import { dynamicsDocument } from '../../formats/dynamics-report/document';
import { compareDynamics } from '../../workflows/compareDynamics';
import { runDynamics } from '../../workflows/dynamics';
import { rulesFileName } from '../../workflows/dynamics/rulesFile';
import type { DynamicsRequest } from '../../workflows/dynamics/dynamics.types';
import type { CliContext, CommandResult, RegisterCommand } from '../execution/context';
import { comparisonDocument, comparisonReport, comparisonText } from '../terminal/compare/comparisonText';
import { targetFolder, workspaceRules } from '../terminal/dynamics/dynamicsInputs';
import { settingNames, settingsOf } from '../terminal/dynamics/dynamicsSettings';
import { dynamicsText } from '../terminal/dynamics/dynamicsText';
import { writeWhole } from '../arguments/inputs';
import { wholeNumber } from '../arguments/options';

type Format = ReportFormat | 'text';

interface DynamicsFlags {
  readonly burst?: number;
  readonly duration?: number;
  readonly reportThreshold?: number;
  readonly all?: boolean;
  readonly improvements?: boolean;
  readonly method?: DynamicsOptions['method'];
  readonly callPaths?: boolean;
  readonly inclusive?: boolean;
  readonly phase?: string;
  readonly rules?: string;
  readonly set?: readonly string[];
  readonly explain?: boolean;
  readonly failAbove?: number;
  readonly format?: Format;
  readonly out?: string;
  readonly compare?: string;
  readonly axis?: readonly string[];
}

/** `kymo dynamics`: finds slowdowns across iterations, with their place, extent and cost. */
export const registerDynamics: RegisterCommand = (program, run) => {
  program
    .command('dynamics [input...]')
    .description(
      'reports slowdowns across iterations of a series file, a profile with iterations, an experiment or a study ' +
        '(default: the newest experiment of the target), or repeats a report',
    )
    .option(
      '--burst <iterations>',
      'iterations that are analysed together in long runs: a power of two',
      wholeNumber,
    )
    .option(
      '--duration <iterations>',
      'number of iterations to analyse, from the first (0: all)',
      wholeNumber,
    )
    .option(
      '--report-threshold <share>',
      'smallest problem to report, as a share of the phase time: 0.1 or 10%',
      share,
    )
    .addOption(
      new Option(
        '--method <method>',
        'how changes are found: what explains a series best under the noise that it has, or the published method of Periscope, with its pictures',
      ).choices(['likelihood', 'periscope']),
    )
    .option('--all', 'analyse every series, not only those with problems')
    .option('--improvements', 'also report improvements')
    .option('--call-paths', 'per call path instead of per region')
    .option('--inclusive', 'inclusive times instead of exclusive ones')
    .option('--phase <name>', 'phase whose iterations are analysed, if a profile has several')
    .option(
      '--rules <file>',
      `rules of one's own beside the built-in ones (default: ${rulesFileName} of the workspace, if there is one)`,
    )
    .option('--set <name=value...>', `other settings, here with their defaults: ${settingNames()}`)
    .option('--explain', 'print the evaluated conditions and their numbers')
    .option('--fail-above <percent>', 'exit with status 3 when a property is more severe', percent)
    .addOption(new Option('--format <format>', 'format of the report').choices(['text', ...reportFormats]))
    .option('--compare <other>', 'compare with another run of the same problem, along --axis')
    .option(
      '--axis <name...>',
      'common axis: a series (region or metric) of both runs with the step of each iteration, or a file per run',
    )
    .option(
      '--out <file>',
      'write the report to this file; its extension selects the format unless --format is given',
    )
    .action(async (inputs: readonly string[], _: unknown, command: Command) => {
      await run((context) => dynamics(inputs, command.opts<DynamicsFlags>(), context));
    });
};

async function dynamics(
  inputs: readonly string[],
  flags: DynamicsFlags,
  context: CliContext,
): Promise<CommandResult> {
  if (flags.compare !== undefined || flags.axis !== undefined) return compared(inputs, flags, context);
  const { workspace, signal, progress } = context;
  const format = formatOf(flags);
  const { result, log } = await runDynamics(await requestOf(inputs, flags, context), {
    workspace,
    signal,
    progress,
  });
  const explain = flags.explain === true;
  const text = dynamicsText(result, { explain });
  const report = format === 'text' ? text : format && dynamicsReport(result, log, format);
  if (flags.out !== undefined && report !== undefined) writeWhole(flags.out, [report]);
  const limit = flags.failAbove;
  return {
    // The document is only made for --json: with 100,000 ranks it would take half a gigabyte.
    result: context.json ? dynamicsDocument(result, log, { trace: explain }) : undefined,
    text: flags.out === undefined ? (report ?? text) : `${text}\n\nWritten to ${flags.out}.`,
    limitExceeded:
      limit !== undefined && result.properties.some(({ severity = 0 }) => severity * 100 > limit),
  };
}

async function compared(
  inputs: readonly string[],
  flags: DynamicsFlags,
  context: CliContext,
): Promise<CommandResult> {
  const { compare, axis, phase, failAbove, out } = flags;
  const [first, ...others] = inputs;
  if (compare === undefined || axis === undefined || others.length > 0)
    throw new KymoError(
      'usage',
      'Two runs are compared with: kymo dynamics RUN --compare OTHER --axis NAME.',
    );
  const format = formatOf(flags);
  if (format === 'csv' || failAbove !== undefined)
    throw new KymoError(
      'usage',
      `${format === 'csv' ? 'CSV' : '--fail-above'} is for one run. A comparison is written as JSON or Markdown.`,
    );
  const runs = await compareDynamics(
    {
      inputs: [
        first === undefined ? await targetFolder(context) : path.resolve(first),
        path.resolve(compare),
      ],
      axis,
      ...(phase === undefined ? {} : { phase }),
    },
    context,
  );
  const text = comparisonText(runs);
  const report = format === 'text' ? text : format && comparisonReport(runs, format);
  if (out !== undefined && report !== undefined) writeWhole(out, [report]);
  return {
    result: comparisonDocument(runs),
    text: out === undefined ? (report ?? text) : `${text}\n\nWritten to ${out}.`,
  };
}

async function requestOf(
  inputs: readonly string[],
  flags: DynamicsFlags,
  context: CliContext,
): Promise<DynamicsRequest> {
  const { burst, duration, reportThreshold, all, improvements, callPaths, inclusive, phase, rules, method } =
    flags;
  const options: Partial<DynamicsOptions> = {
    ...present({ burst, duration, reportThreshold, all, improvements, method }),
    ...settingsOf(flags.set ?? []),
  };
  const files =
    inputs.length === 0 ? [await targetFolder(context)] : inputs.map((file) => path.resolve(file));
  const rulesFile = rules === undefined ? await workspaceRules(files, context) : path.resolve(rules);
  return {
    inputs: files,
    options,
    ...present({ callPaths, inclusive, phase, rules: rulesFile }),
  };
}

const endings: Readonly<Record<string, ReportFormat>> = { '.json': 'json', '.csv': 'csv', '.md': 'markdown' };

function formatOf({ format, out }: DynamicsFlags): Format | undefined {
  if (format !== undefined || out === undefined) return format;
  const named = endings[path.extname(out).toLowerCase()];
  if (named !== undefined) return named;
  throw new KymoError(
    'usage',
    `The ending of ${path.basename(out)} names no format. Use ${Object.keys(endings).join(', ')}, or give the format with --format.`,
    { file: out },
  );
}

/** Parses `0.1`, `10%` or `10`: numbers from 1 on are percent. */
function share(text: string): number {
  const match = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*(%?)\s*$/.exec(text);
  const value = Number(match?.[1] ?? Number.NaN);
  const given = match?.[2] === '%' || value >= 1 ? value / 100 : value;
  if (given >= 0 && given <= 1) return given;
  throw new InvalidArgumentError('It must be a share such as 0.1 or 10%.');
}

function percent(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number of percent from 0 on.');
}
