import { InvalidArgumentError, type Command } from 'commander';
import { KymoError } from '../../core/errors';
import { formatCount, formatSeconds } from '../../core/format';
import { compareInputs, type CompareInput, type CompareReport } from '../../workflows/compare';
import { asMeasured } from '../../workflows/studies/profileOrigin';
import type { CommandResult, RegisterCommand } from '../terminal/context';
import { nameAmong, readProfileInputs } from '../terminal/inputs';
import { counted } from '../terminal/profileText';
import { shortened, table } from '../terminal/table';

interface CompareFlags {
  readonly sensitivity: number;
}

/** `kymo compare`: what is different between builds, inputs or machines, and where in the source. */
export const registerCompare: RegisterCommand = (program, run) => {
  program
    .command('compare <input...>')
    .description(
      'what changed from one measurement to the next: functions that are slower or faster beyond the noise of the repetitions, calls that are new, gone or more frequent; of profiles, experiments, rounds or studies (all repetitions of the last round)',
    )
    .option('--sensitivity <percent>', 'smaller changes are none', percent, 5)
    .action(async (inputs: readonly string[], _: unknown, command: Command) => {
      await run(() => compare(inputs, command.opts<CompareFlags>()));
    });
};

function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1000))
    throw new InvalidArgumentError('It must be a number from 0 to 1000.');
  return value;
}

async function compare(given: readonly string[], { sensitivity }: CompareFlags): Promise<CommandResult> {
  if (given.length < 2)
    throw new KymoError('usage', 'Give two inputs at least: kymo compare BEFORE AFTER.', {});
  const inputs: CompareInput[] = [];
  for (const input of given) {
    const profiles = await readProfileInputs(input);
    inputs.push({
      name: nameAmong(input, given),
      runs: profiles.map(({ profile, origin }) => asMeasured(profile, origin)),
    });
  }
  const report = compareInputs(inputs, { sensitivity: sensitivity / 100 });
  return { result: report, text: compareText(report) };
}

const mostRows = 40;

function compareText({ inputs, differences, notes, pairs }: CompareReport): string {
  const shown = differences.slice(0, mostRows);
  return [
    ...notes,
    ...pairs.map(
      ({ matched, added, deleted }) =>
        `${counted(matched, 'call path')} in both, ${formatCount(added)} added, ${formatCount(deleted)} removed.`,
    ),
    '',
    differences.length === 0
      ? `No function differs beyond the noise of ${inputs.map(({ runs }) => counted(runs, 'run')).join(' and ')}.`
      : table(
          ['seconds', 'kind', 'what'],
          shown.map(({ kind, sides, sentence, consequence }) => {
            const [a, b] = sides.flatMap((side) => (side === null ? [] : [side.seconds]));
            const stake = b === undefined ? (a ?? 0) : Math.abs(b - (a ?? 0));
            return [
              formatSeconds(stake),
              kind,
              `${consequence === true ? '↳ ' : ''}${shortened(sentence, 200)}`,
            ];
          }),
          1,
        ),
    ...(differences.length > mostRows
      ? [`${counted(differences.length - mostRows, 'more difference')}: --json`]
      : []),
  ].join('\n');
}
