import { InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync, realpathSync } from 'node:fs';
import type { ComparedPer } from '../../core/compare/sides';
import { KymoError } from '../../core/errors';
import { compareInputs, type CompareInput } from '../../workflows/compare';
import { partOf, partText, type Part } from '../../workflows/comparing/part';
import { compareInput, readRuns, type MeasuredRun } from '../../workflows/comparing/readRuns';
import { compareText } from '../terminal/compare/compareText';
import { comparedTraces, hasTraces } from '../terminal/compare/comparedTraces';
import type { CommandResult, RegisterCommand } from '../execution/context';
import { nameAmong } from '../arguments/inputs';
import { iterationRanges, partsOf, rankRanges } from '../arguments/partOptions';

interface CompareFlags {
  readonly sensitivity: number;
  readonly metric: string;
  readonly per?: ComparedPer;
  readonly ranks?: ReturnType<typeof rankRanges>;
  readonly iterations?: Part['iterations'][];
  readonly phase?: string;
  readonly relativePartners?: true;
}

/** `kymo compare`: what is different between builds, inputs or machines, and where in the source. */
export const registerCompare: RegisterCommand = (program, run) => {
  program
    .command('compare <input...>')
    .description(
      'what changed from one measurement to the next: functions that are slower or faster beyond the noise of the repetitions, calls that are new, gone or more frequent; of profiles, experiments, rounds or studies (all repetitions of the last round); several measurements of one build joined by commas; of traces (OTF2, .mvtrace) also what changed of messages and of the order of calls',
    )
    .option('--sensitivity <percent>', 'smaller changes are none', percent, 5)
    .option('--metric <name>', 'time, instructions, or any metric of the profiles that adds up', 'time')
    .option('--ranks <ranges>', 'these ranks only: 0-3,7; or other ones of each input: 1:2', rankRanges)
    .option(
      '--iterations <range>',
      'these iterations of the phase only, from 1: 10-20; or other ones of each input: 10:12',
      iterationRanges,
    )
    .addOption(
      new Option(
        '--per <what>',
        'compare values and visits of all processes together, or of the mean process (default: all, and process where the numbers of processes differ)',
      ).choices(['all', 'process']),
    )
    .option(
      '--phase <function>',
      'of traces: each call of it is an iteration (default: the marks of the trace)',
    )
    .option(
      '--relative-partners',
      'of traces: partners of messages as distances from the own rank (default: of several processes)',
    )
    .action(async (inputs: readonly string[], _: unknown, command: Command) => {
      const flags = command.opts<CompareFlags>();
      const isMetricGiven = command.getOptionValueSource('metric') !== 'default';
      await run(async (context) =>
        hasTraces(inputs)
          ? comparedTraces(inputs, { ...flags, isMetricGiven }, context)
          : compare(inputs, flags),
      );
    });
};

function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1000))
    throw new InvalidArgumentError('It must be a number from 0 to 1000.');
  return value;
}

async function compare(given: readonly string[], flags: CompareFlags): Promise<CommandResult> {
  const { sensitivity, metric, per, phase, relativePartners } = flags;
  if (phase !== undefined)
    throw new KymoError(
      'usage',
      '--phase is about traces: iterations of measurements are those of the phase that they were measured with. Leave it out.',
    );
  if (relativePartners === true)
    throw new KymoError(
      'usage',
      '--relative-partners is about traces: profiles have no messages. Leave it out.',
    );
  const parts = partsOf(given, flags);
  if (parts.length < 2)
    throw new KymoError(
      'usage',
      'Give two inputs at least: kymo compare BEFORE AFTER. Of one input, two parts can be compared: --ranks 1:2 or --iterations 10:12.',
      {},
    );
  const read = new Map<string, Promise<readonly MeasuredRun[]>>();
  const inputs: CompareInput[] = [];
  for (const { input, part } of parts) {
    const runs = await (read.get(input) ?? remember(read, input, readAll(input)));
    const name = `${joinedName(input, given)}${partText(part)}`;
    inputs.push(
      await compareInput(
        name,
        runs,
        runs.map((one) => partOf(one, part)),
      ),
    );
  }
  const report = compareInputs(inputs, {
    ...{ sensitivity: sensitivity / 100, metric },
    ...(per === undefined ? {} : { per }),
  });
  const notes = [...sameInputNotes(parts, inputs), ...report.notes];
  return { result: { ...report, notes }, text: compareText({ ...report, notes }) };
}

/** Measurements of one build that were made by turns with those of another one are joined by commas. */
function filesOf(input: string): readonly string[] {
  return existsSync(input) ? [input] : input.split(',');
}

async function readAll(input: string): Promise<readonly MeasuredRun[]> {
  const runs: MeasuredRun[] = [];
  for (const file of filesOf(input)) runs.push(...(await readRuns(file)));
  return runs;
}

function joinedName(input: string, given: readonly string[]): string {
  const [first = '', ...more] = filesOf(input);
  const name = nameAmong(first, [...new Set(given.flatMap(filesOf))]);
  return more.length === 0 ? name : `${name} and ${more.length} more`;
}

function remember<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value);
  return value;
}

/** Somebody who compares a measurement with itself mistyped its name, most likely. */
function sameInputNotes(
  parts: readonly { readonly input: string; readonly part: Part }[],
  inputs: readonly CompareInput[],
): readonly string[] {
  const keys = parts.map(({ input, part }) =>
    JSON.stringify([filesOf(input).map((file) => realpathSync(file)), part]),
  );
  return keys.flatMap((key, at) =>
    at > 0 && keys[at - 1] === key
      ? [`${inputs[at]?.name ?? ''} is given twice: a measurement does not differ from itself.`]
      : [],
  );
}
