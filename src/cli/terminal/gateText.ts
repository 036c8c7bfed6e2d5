import { counted, formatPercent } from '../../core/format';
import { allowText, rangeText, signed, subjectOf, valueText, verdictText } from '../../core/gate/words';
import { mayBeRegression } from '../../core/gate/gate';
import type { GatedSide, GateReport, ReportedEntry } from '../../core/gate/report';
import { relativeTo } from '../../formats/property-exports/place';
import { printable, shortened, table } from './table';

/**
 * The verdict, for people: first in a sentence, then what was judged, the worst first.
 * @param root absolute path of the workspace: paths of files in it are relative to it
 */
export function gateText(report: GateReport, root: string): string {
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
            entries.map((entry) => row(entry, root)),
            1,
          ),
        ]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n');
}

function row(entry: ReportedEntry, root: string): readonly string[] {
  const { criterion, ratio, values, unit, share, place, repetitions } = entry;
  return [
    verdictText(entry),
    shortened(criterion === 'budget' ? `${subjectOf(entry)} (budget)` : subjectOf(entry)),
    signed(ratio),
    rangeText(entry),
    ...values.map((value) => valueText(value, unit)),
    share === undefined ? '' : formatPercent(share),
    !mayBeRegression(entry) || entry.growth !== undefined
      ? ''
      : repetitions === undefined
        ? 'would not tell'
        : String(repetitions),
    place?.file === undefined ? '' : `${relativeTo(root, place.file)}:${place.line ?? 1}`,
  ];
}

function sideText({ name, runs }: GatedSide): string {
  return `${printable(name)}${runs === 0 ? '' : ` (${counted(runs, 'run')})`}`;
}
