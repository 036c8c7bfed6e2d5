import type { Command } from 'commander';
import type { Efficiency } from '../../core/efficiency/efficiency';
import { efficiencyBase, efficiencySource, efficiencyTerms, termValues } from '../../core/efficiency/terms';
import { counted, formatPercent, formatSeconds } from '../../core/format';
import { baseText } from '../../core/functions/base';
import { efficiencyReport, type EfficiencyReport, type FunctionEfficiency } from '../../workflows/efficiency';
import { runDoubts } from '../../workflows/studies/runDoubts';
import { asMeasured } from '../../workflows/studies/profileOrigin';
import type { CommandResult, RegisterCommand } from '../terminal/context';
import { readProfileInput } from '../terminal/inputs';
import { wholeNumber } from '../terminal/options';
import { shortened, table } from '../terminal/table';

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
  return { result: report, text: reportText(report, flags.functions) };
}

function reportText({ base, run, phase, functions, notes }: EfficiencyReport, most: number): string {
  const shown = functions.slice(0, most);
  const omitted = functions.length - shown.length;
  return [
    `${counted(run.processes, 'process', 'processes')}, ${counted(run.locations, 'thread')}; ${baseText(base, run.processes > 1 ? ' of the process that takes longest' : '')}.`,
    ...notes,
    '',
    termTable(run),
    ...(phase === undefined
      ? []
      : ['', `Phase ${phase.name}: ${formatSeconds(phase.runSeconds)}.`, '', termTable(phase)]),
    '',
    functionTable(shown),
    ...(omitted > 0 ? [`${omitted} more functions: --functions ${functions.length}`] : []),
    '',
    efficiencyBase,
    `Definitions: ${efficiencySource}.`,
  ].join('\n');
}

function termTable(efficiency: Efficiency): string {
  const rows = termValues(efficiency).map(({ term, value }) => {
    const { label, definition } = efficiencyTerms[term];
    return [formatPercent(value), label, definition];
  });
  return table(['share', 'metric', 'definition'], rows, 1);
}

function functionTable(functions: readonly FunctionEfficiency[]): string {
  const rows = functions.map((row) => [
    formatPercent(row.parallel),
    formatPercent(row.loadBalance),
    formatPercent(row.communication),
    formatSeconds(row.runSeconds),
    shortened(row.slowestRanks, 20),
    shortened(row.name),
    row.file === undefined ? '' : `${row.file}:${row.line ?? 1}`,
  ]);
  const heads = [
    'parallel',
    'balance',
    'communication',
    'time',
    'most work on ranks',
    'function with callees',
    'where',
  ];
  return table(heads, rows, 4);
}
