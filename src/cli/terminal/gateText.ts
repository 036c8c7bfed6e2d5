import { counted, formatPercent } from '../../core/format';
import { signed, subjectOf, valueText, verdictWords } from '../../core/gate/words';
import type { GateReport, ReportedEntry } from '../../core/gate/report';
import { printable, shortened, table } from './table';

/** The verdict, for people: first in a sentence, then what was judged, the worst first. */
export function gateText({ sentence, entries, incomparable, notes, sides, byTurns }: GateReport): string {
  const [baseline, candidate] = sides;
  return [
    `${printable(baseline.name)} (${counted(baseline.runs, 'run')}) → ${printable(candidate.name)} (${counted(candidate.runs, 'run')})${byTurns ? ', measured by turns' : ''}`,
    sentence,
    ...incomparable.map((reason) => `- ${printable(reason)}`),
    ...(entries.length === 0
      ? []
      : [
          '',
          table(
            [
              'verdict',
              'what',
              'change',
              'range',
              'baseline',
              'candidate',
              'of the run',
              'repetitions',
              'where',
            ],
            entries.map(row),
            1,
          ),
        ]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n');
}

function row(entry: ReportedEntry): readonly string[] {
  const { verdict, criterion, ratio, interval, values, unit, share, place, repetitions } = entry;
  return [
    verdictWords[verdict],
    shortened(criterion === 'budget' ? `${subjectOf(entry)} (budget)` : subjectOf(entry)),
    signed(ratio),
    interval === undefined ? '' : `${signed(interval[0])} to ${signed(interval[1])}`,
    ...values.map((value) => valueText(value, unit)),
    share === undefined ? '' : formatPercent(share),
    verdict !== 'cannot-tell' ? '' : repetitions === undefined ? 'would not tell' : String(repetitions),
    place?.file === undefined ? '' : `${place.file}:${place.line ?? 1}`,
  ];
}
