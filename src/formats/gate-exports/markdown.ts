import { counted, formatPercent } from '../../core/format';
import type { GatedSide, GateReport, ReportedEntry } from '../../core/gate/report';
import { allowText, rangeText, signed, subjectOf, valueText, verdictText } from '../../core/gate/words';
import { markdownCell as cell } from '../../core/markdown';
import { relativeTo } from '../property-exports/place';

/** For a merge request: the verdict, then what is worse, open or better; what did not change is a number. */
export function gateMarkdown(report: GateReport, root: string): string {
  const { target, sentence, entries, sides, byTurns, notes, incomparable } = report;
  const told = entries.filter(({ verdict }) => verdict !== 'no-change');
  const same = entries.length - told.length;
  return [
    `## Performance of ${cell(target)}`,
    '',
    `**${cell(sentence)}**`,
    '',
    ...incomparable.map((reason) => `- ${cell(reason)}`),
    ...(incomparable.length > 0 ? [''] : []),
    ...allowText(report).flatMap((text) => [text, '']),
    ...(told.length === 0 ? [] : [...tableOf(told, root), '']),
    ...(same === 0 ? [] : [`${counted(same, 'criterion', 'criteria')} did not change.`, '']),
    `Baseline: ${sideText(sides[0])}. Candidate: ${sideText(sides[1])}.${byTurns ? ' Both were measured by turns.' : ''}`,
    ...notes.flatMap((note) => ['', cell(note)]),
    '',
  ].join('\n');
}

function tableOf(entries: readonly ReportedEntry[], root: string): readonly string[] {
  return [
    '| verdict | what | change | range | baseline | candidate | of the run | where |',
    '| --- | --- | ---: | --- | ---: | ---: | ---: | --- |',
    ...entries.map((entry) => {
      const { criterion, ratio, values, unit, share, place } = entry;
      const file = place?.file === undefined ? '' : relativeTo(root, place.file);
      const columns = [
        verdictText(entry),
        criterion === 'budget' ? `${subjectOf(entry)} (budget)` : subjectOf(entry),
        signed(ratio),
        rangeText(entry),
        ...values.map((value) => valueText(value, unit)),
        share === undefined ? '' : formatPercent(share),
        place?.line === undefined ? file : `${file}:${place.line}`,
      ];
      return `| ${columns.map(cell).join(' | ')} |`;
    }),
  ];
}

function sideText({ name, runs, facts }: GatedSide): string {
  return `${cell(name)}${runs === 0 ? '' : `, ${counted(runs, 'run')}`}${facts === undefined ? '' : `, ${cell(facts.compiler)} on ${cell(facts.host)}`}`;
}
