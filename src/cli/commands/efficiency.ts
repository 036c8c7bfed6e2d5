import type { Command } from 'commander';
import { efficiencyReport } from '../../workflows/efficiency';
import { runDoubts } from '../../workflows/studies/runDoubts';
import { asMeasured } from '../../workflows/studies/profileOrigin';
import type { CommandResult, RegisterCommand } from '../execution/context';
import { efficiencyText } from '../terminal/efficiencyText';
import { readProfileInput } from '../arguments/inputs';
import { wholeNumber } from '../arguments/options';

interface EfficiencyFlags {
  readonly functions: number;
}

/** `kymo efficiency`: POP metrics of a run of several processes or threads. */
export const registerEfficiency: RegisterCommand = (program, run) => {
  program
    .command('efficiency <input>')
    .description(
      'parallel efficiency, load balance and communication efficiency (POP metrics) of a profile, an experiment or a study',
    )
    .option('--functions <n>', 'maximum number of functions in the table', wholeNumber, 20)
    .action(async (input: string, _: unknown, command: Command) => {
      await run(() => efficiency(input, command.opts<EfficiencyFlags>()));
    });
};

async function efficiency(given: string, flags: EfficiencyFlags): Promise<CommandResult> {
  const { profile, origin } = await readProfileInput(given);
  const measured = efficiencyReport(asMeasured(profile, origin));
  const { experiment } = origin;
  const report = { ...measured, notes: [...runDoubts(experiment), ...measured.notes] };
  return { result: report, text: efficiencyText(report, flags.functions) };
}
