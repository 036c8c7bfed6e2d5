import { counted, formatPercent } from '../../core/format';
import { allowText, rangeText, signed, subjectOf, valueText, verdictWords } from '../../core/gate/words';
import type { GatedSide, GateReport, ReportedEntry } from '../../core/gate/report';
import { printable, shortened, table } from './table';

/** The verdict, for people: first in a sentence, then what was judged, the worst first. */
export function gateText(report: GateReport): string {
  const { sentence, entries, incomparable, notes, sides, byTurns } = report;
  const [baseline, candidate] = sides;
  return [
    `${sideText(baseline)} → ${sideText(candidate)}${byTurns ? ', measured by turns' : ''}`,
    sentence,
    ...incomparable.map((reason) => `- ${printable(reason)}`),
    ...allowText(report),
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
  const { verdict, criterion, ratio, values, unit, share, place, repetitions } = entry;
  return [
    verdictWords[verdict],
    shortened(criterion === 'budget' ? `${subjectOf(entry)} (budget)` : subjectOf(entry)),
    signed(ratio),
    rangeText(entry),
    ...values.map((value) => valueText(value, unit)),
    share === undefined ? '' : formatPercent(share),
    verdict !== 'cannot-tell' || entry.growth !== undefined
      ? ''
      : repetitions === undefined
        ? 'would not tell'
        : String(repetitions),
    place?.file === undefined ? '' : `${place.file}:${place.line ?? 1}`,
  ];
}

function sideText({ name, runs }: GatedSide): string {
  return `${printable(name)}${runs === 0 ? '' : ` (${counted(runs, 'run')})`}`;
}
