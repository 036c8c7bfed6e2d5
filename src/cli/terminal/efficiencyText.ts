import type { Efficiency } from '../../core/efficiency/efficiency';
import { efficiencyBase, efficiencySource, efficiencyTerms, termValues } from '../../core/efficiency/terms';
import { counted, formatPercent, formatSeconds } from '../../core/format';
import { baseText } from '../../core/functions/base';
import type { EfficiencyReport, FunctionEfficiency } from '../../workflows/efficiency';
import { longestName, rowsText, type Rows } from './table';

/** What `kymo efficiency` prints. @param most number of functions */
export function efficiencyText(
  { base, run, phase, functions, notes }: EfficiencyReport,
  most: number,
): string {
  const shown = functions.slice(0, most);
  const omitted = functions.length - shown.length;
  return [
    efficiencyHead({ base, run }),
    ...notes,
    '',
    rowsText(termRows(run)),
    ...(phase === undefined ? [] : ['', phaseHead(phase), '', rowsText(termRows(phase))]),
    '',
    rowsText(functionRows(shown)),
    ...(omitted > 0 ? [`${omitted} more functions: --functions ${functions.length}`] : []),
    '',
    ...efficiencyDefinitions,
  ].join('\n');
}

/** The size of the run, and what 100 % is. */
export function efficiencyHead({ base, run }: Pick<EfficiencyReport, 'base' | 'run'>): string {
  const whose = run.processes > 1 ? ' of the process that takes longest' : '';
  return `${counted(run.processes, 'process', 'processes')}, ${counted(run.locations, 'thread')}; ${baseText(base, whose)}.`;
}

export function phaseHead({ name, runSeconds }: FunctionEfficiency): string {
  return `Phase ${name}: ${formatSeconds(runSeconds)}.`;
}

/** Where the metrics come from. */
export const efficiencyDefinitions: readonly string[] = [efficiencyBase, `Definitions: ${efficiencySource}.`];

export function termRows(efficiency: Efficiency): Rows {
  const cells = termValues(efficiency).map(({ term, value }) => {
    const { label, definition } = efficiencyTerms[term];
    return [formatPercent(value), label, definition];
  });
  return { heads: ['share', 'metric', 'definition'], cells, numbers: 1 };
}

/** Those that lose most first. */
export function functionRows(functions: readonly FunctionEfficiency[]): Rows {
  const cells = functions.map((row) => [
    formatPercent(row.parallel),
    formatPercent(row.loadBalance),
    formatPercent(row.communication),
    formatSeconds(row.runSeconds),
    row.slowestRanks,
    row.name,
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
  const longest = { 'most work on ranks': 20, 'function with callees': longestName };
  return { heads, cells, numbers: 4, longest };
}
