import { counted, formatCount, formatPercent, formatValue } from '../../../core/format';
import type { CompareReport, ReportedDifference } from '../../../workflows/compare';
import { shortened, table } from '../table';

const mostRows = 40;

/** What changed, for people: the whole first, then the differences with what is at stake, how sure they are, and where. */
export function compareText(report: CompareReport): string {
  const { inputs, differences, notes, pairs } = report;
  return [
    ...notes,
    ...pairs.map(({ a, b, matched, added, deleted, changed }) => {
      const of = pairs.length === 1 ? 'both' : `${inputs[a]?.name ?? ''} and ${inputs[b]?.name ?? ''}`;
      return `${counted(matched, 'call path')} in ${of} (${formatCount(changed)} changed), ${formatCount(added)} added, ${formatCount(deleted)} removed.`;
    }),
    '',
    differences.length === 0
      ? `No function differs by more than the noise of ${inputs.map(({ runs }) => counted(runs, 'run')).join(' and ')}, and of the machine.`
      : table(
          ['at stake', 'kind', 'by chance', 'where', 'what'],
          differences.slice(0, mostRows).map((difference) => row(report, difference)),
          1,
        ),
    ...(differences.length > mostRows
      ? [`${counted(differences.length - mostRows, 'more difference')}: --json`]
      : []),
  ].join('\n');
}

function row({ metric }: CompareReport, difference: ReportedDifference): readonly string[] {
  const { kind, consequence, stake, significance, region, sentence } = difference;
  return [
    formatValue(stake, metric.unit),
    kind,
    significance === undefined ? '' : chance(significance),
    placeText(region),
    `${consequence === true ? '↳ ' : ''}${shortened(sentence, 200)}`,
  ];
}

function chance(significance: number): string {
  return significance < 0.0001 ? '< 0.01 %' : formatPercent(significance);
}

function placeText({ file, line }: ReportedDifference['region']): string {
  if (file === undefined) return '';
  const name = file.slice(file.lastIndexOf('/') + 1);
  return line === undefined ? name : `${name}:${line}`;
}
