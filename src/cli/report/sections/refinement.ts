import { overheadCell } from '../../../core/cost/overheadWords';
import { counted, formatCount, formatPercent } from '../../../core/format';
import { decisionText, type FunctionRow } from '../../../core/functions/functionRow';
import { stopSentence } from '../../../core/selection/stopSentence';
import { functionRows } from '../../../workflows/studies/functionsFile';
import type { StudyFile } from '../../../workflows/studies/study';
import { pointRows } from '../../terminal/models/modelRefinement';
import { roundRows, roundsLegend } from '../../terminal/refine/roundRows';
import type { Rows } from '../../terminal/table';
import { offCostSentence, vanillaSentence } from '../../terminal/vanillaSentence';
import { tableBlock, texts, type Block, type Chart, type Section } from '../base/document';
import type { Reported } from '../base/reported';

const mostRecorded = 40;
const mostLeftOut = 10;

/** Rounds, overhead and selection of a refinement; undefined for anything else. */
export async function refinementSection({ input, study }: Reported): Promise<Section | undefined> {
  if (study === undefined || study.kind === 'measurement' || study.iterations.length === 0) return undefined;
  const { iterations, verdict, offCost, vanilla } = study;
  const points = pointRows(iterations);
  return {
    id: 'refinement',
    title: 'Refinement',
    blocks: [
      ...texts([verdict?.sentence ?? '', endSentence(study)]),
      ...(iterations.length > 1 ? [{ kind: 'chart' as const, chart: overheadChart(study) }] : []),
      ...tableBlock('Rounds', roundRows(iterations)),
      ...texts([roundsLegend(iterations)]),
      ...(points === undefined ? [] : tableBlock('Overhead of the last round by point', points)),
      ...texts([
        ...(offCost === undefined ? [] : [offCostSentence(offCost)]),
        ...(vanilla === undefined ? [] : [vanillaSentence(vanilla)]),
      ]),
      ...(await selectionBlocks(input)),
    ],
  };
}

function endSentence({ state, stopReason, failure, iterations }: StudyFile): string {
  const rounds = counted(iterations.length, 'round');
  switch (state) {
    case 'complete':
      return `Stopped after ${rounds}: ${stopSentence(stopReason ?? 'complete')}.`;
    case 'failed':
      return `An error ended the refinement after ${rounds}: ${failure ?? 'it is not known which'}.`;
    case 'running':
      return `The refinement has not ended: these are its first ${rounds}.`;
  }
}

function overheadChart({ iterations, overheadPercent: target }: StudyFile): Chart {
  const points = iterations.map(({ index, overheadPercent, noisePercent = 0 }) => ({
    x: index,
    y: overheadPercent,
    low: overheadPercent - noisePercent,
    high: overheadPercent + noisePercent,
  }));
  const ends = [iterations[0]?.index ?? 0, iterations.at(-1)?.index ?? 0];
  const values = iterations.map((round) => `round ${round.index}: ${overheadCell(round)}`).join('; ');
  return {
    title: 'Overhead of recording by round',
    description: `${values}.${target === undefined ? '' : ` The target is ${formatPercent(target / 100)}.`}`,
    x: { label: 'Round', format: String, whole: true },
    y: { label: 'Overhead', format: (value) => formatPercent(value / 100) },
    lines: [
      { name: 'measured, with the noise of the runs', style: 'both', points },
      ...(target === undefined
        ? []
        : [{ name: 'target', style: 'dashes' as const, points: ends.map((x) => ({ x, y: target })) }]),
    ],
  };
}

/** Which functions the next run records, and why; none where the list of functions is missing. */
async function selectionBlocks(directory: string): Promise<readonly Block[]> {
  const all = await functionRows(directory).catch(() => []);
  const recorded = all.filter(({ selected }) => selected);
  const leftOut = all.filter(({ selected, hasSite }) => !selected && hasSite);
  const inlined = all.length - recorded.length - leftOut.length;
  return [
    ...(all.length === 0
      ? []
      : texts([
          `Of ${counted(all.length, 'function')}, the final selection records ${formatCount(recorded.length)}; ${formatCount(leftOut.length)} others have patch points, and ${formatCount(inlined)} have none: they were inlined, or built without Kymo.`,
        ])),
    ...decisions('Recorded', recorded, mostRecorded),
    ...decisions('Not recorded, with patch points', leftOut, mostLeftOut),
  ];
}

function decisions(title: string, all: readonly FunctionRow[], most: number): readonly Block[] {
  const rows = [...all].sort(byShare).slice(0, most);
  const caption =
    all.length > rows.length ? `${title}: the first ${rows.length} of ${formatCount(all.length)}` : title;
  return tableBlock(caption, decisionRows(rows));
}

function byShare(a: FunctionRow, b: FunctionRow): number {
  return (b.exclusiveShare ?? -1) - (a.exclusiveShare ?? -1) || (b.visits ?? 0) - (a.visits ?? 0);
}

function decisionRows(functions: readonly FunctionRow[]): Rows {
  return {
    heads: ['exclusive', 'visits', 'predicted overhead', 'function', 'decision', 'place'],
    cells: functions.map((row) => [
      row.exclusiveShare === undefined ? '–' : formatPercent(row.exclusiveShare),
      row.visits === undefined ? '–' : formatCount(row.visits),
      row.overheadPercent === undefined ? '–' : formatPercent(row.overheadPercent / 100),
      row.name,
      decisionText(row.decision),
      row.file === undefined ? '' : `${row.file}:${row.line ?? 1}`,
    ]),
    numbers: 3,
  };
}
