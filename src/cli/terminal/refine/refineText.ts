import { overheadCell } from '../../../core/cost/overheadWords';
import { counted, formatCount, formatPercent, formatSeconds } from '../../../core/format';
import { baseText, togetherWords } from '../../../core/functions/base';
import { shortList } from '../../../core/names/shortList';
import { stopSentence } from '../../../core/selection/stopSentence';
import type { HotFunction, RefineResult } from '../../../workflows/studies/refine.types';
import { pointsTable, predictedTable } from '../models/modelRefinement';
import { countedOverhead, measuredOverhead } from '../overheadSentence';
import { restSentence } from '../restSentence';
import { decidingTime, roundRows, roundsLegend, withBaseline } from './roundRows';
import { rowsText, shortened, table } from '../table';
import { offCostSentence, vanillaSentence } from '../vanillaSentence';

/** What `kymo refine` prints. */
export function refineText(result: RefineResult): string {
  const parts = [
    rowsText(roundRows(result.iterations)),
    finalSentence(result),
    ranksTable(result),
    pointsTable(result.iterations),
    predictedTable(result.models),
    `${verdictSentence(result)}. ${counted(result.functionsKnown, 'function')} known; ${formatSeconds(result.totalSeconds)} in all, ${formatSeconds(result.buildSeconds)} of it for ${counted(result.builds, 'build')}.`,
    ...(result.offCost === undefined ? [] : [offCostSentence(result.offCost)]),
    ...(result.vanilla === undefined ? [] : [vanillaSentence(result.vanilla)]),
    hotTable(result),
    removedTable(result),
    propertyTable(result),
    ...result.notes.map((note) => `Note: ${note}`),
    `Results: ${result.directory}\nFilter for Score-P: ${result.filter}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The verdict comes first: why no more rounds were run does not say whether the target is met. */
function verdictSentence({ verdict, stopReason }: RefineResult): string {
  const stop = `Stopped: ${stopSentence(stopReason)}`;
  return verdict === undefined ? stop : `${verdict.sentence}\n${stop}`;
}

function finalSentence({ final, iterations, properties }: RefineResult): string {
  const { instrumented, predictedPercent, iteration } = final;
  const isPredicted = !iterations.some(({ window }) => window === true);
  const cost = `predicted overhead ${formatPercent(predictedPercent / 100)}${isPredicted ? ' (before it was measured, from the visits of earlier rounds)' : ''}`;
  const run =
    iteration === undefined
      ? 'not measured, because no run was left'
      : `measured by round ${iteration}${measuredOverhead(iterations, iteration)}${countedOverhead(properties)}`;
  return `${roundsLegend(iterations)}\nFinal selection: ${counted(instrumented, 'function')}, ${cost}; ${run}.`;
}

/** One selection is for all numbers of ranks, and judged with each. */
function ranksTable({ final: { ranks } }: RefineResult): string {
  if (ranks === undefined) return '';
  return [
    'Overhead of the final selection by number of ranks:',
    table(
      ['ranks', 'slowest', 'its time', 'wall time', 'overhead'],
      ranks.map((report) => [
        String(report.ranks),
        report.slowestRank === undefined ? '' : `rank ${report.slowestRank}`,
        decidingTime(report),
        withBaseline(report.medianSeconds, report.baselineSeconds),
        overheadCell(report),
      ]),
      5,
    ),
  ].join('\n');
}

const mostHot = 10;
/** Minimum share of a printed function that only earlier rounds recorded. */
const earlierShare = 0.01;

/** Shares of the last run have one base; each share of an earlier round names its own run. */
function hotTable({ hotFunctions, lastRun }: RefineResult): string {
  const last = hotFunctions.filter(({ earlier }) => earlier === undefined).slice(0, mostHot);
  const before = hotFunctions
    .filter(({ earlier, inclusiveShare }) => earlier === true && inclusiveShare >= earlierShare)
    .slice(0, mostHot);
  const base = last[0]?.base;
  return [
    ...(base === undefined
      ? []
      : [
          `Shares of ${baseText(base, togetherWords(lastRun?.ranks ?? 1, lastRun?.threads ?? 1))}:`,
          hotRows(last, []),
          restSentence(lastRun ?? {}, last),
          containedRows(last),
        ]),
    ...(before.length === 0
      ? []
      : [
          'Not recorded in the last round, with the shares of the last one that did:',
          hotRows(before, ['run']),
        ]),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Lists the functions whose time is part of the hottest functions: they were inlined into them or not recorded. */
function containedRows(functions: readonly HotFunction[]): string {
  const rows = functions.flatMap(({ name, contains }) =>
    contains === undefined ? [] : [[shortened(name), shortList(contains.functions, contains.count)]],
  );
  return rows.length === 0 ? '' : `\n${table(['time of', 'contains, not recorded themselves'], rows, 0)}\n`;
}

function hotRows(functions: readonly HotFunction[], run: readonly 'run'[]): string {
  const waits = functions.some(({ waitingSeconds }) => waitingSeconds !== undefined);
  const heads = ['exclusive', 'inclusive', ...(waits ? ['waiting'] : []), 'visits', ...run];
  return table(
    [...heads, '', 'function', 'place', ...run.map(() => 'its time is in')],
    functions.map((f) => [
      formatPercent(f.exclusiveShare),
      formatPercent(f.inclusiveShare),
      ...(waits ? [f.waitingSeconds === undefined ? '' : formatSeconds(f.waitingSeconds)] : []),
      formatCount(f.visits),
      ...run.map(() => f.base.run),
      f.selected ? (f.timedOneIn === undefined ? 'in' : `in, 1 of ${f.timedOneIn} timed`) : 'out',
      shortened(f.name),
      place(f),
      ...run.map(() => shortList(f.timeIn ?? [], f.timeIn?.length, 3)),
    ]),
    heads.length,
  );
}

const mostRemoved = 10;

/** The functions that recording would distort, and what else to do about them. */
function removedTable({ removed = [] }: RefineResult): string {
  if (removed.length === 0) return '';
  const more = removed.length - mostRemoved;
  return [
    `Not recorded, because recording adds too much to their own time (${formatCount(removed.length)}). Small functions that are called so often are worth inlining or optimising themselves:`,
    table(
      ['adds', 'in its time', 'visits', 'function', 'place'],
      removed
        .slice(0, mostRemoved)
        .map((f) => [
          addedPercent(f.totalPercent),
          addedPercent(f.prologPercent),
          formatCount(f.visits),
          shortened(f.name),
          place(f),
        ]),
      3,
    ),
    ...(more > 0 ? [`… and ${formatCount(more)} more (--json has all).`] : []),
  ].join('\n');
}

function addedPercent(percent: number): string {
  return percent > 100_000 ? 'nothing but cost' : formatPercent(percent / 100);
}

function propertyTable({ properties }: RefineResult): string {
  if (properties.length === 0) return 'No properties above the thresholds.';
  return table(
    ['severity', 'property', 'place'],
    properties
      .slice(0, 10)
      .map((p) => [
        p.severity === undefined ? '' : formatPercent(p.severity),
        shortened(p.title, 96),
        p.region === undefined ? '' : place(p.region),
      ]),
    1,
  );
}

function place({ file, line }: { readonly file?: string; readonly line?: number }): string {
  if (file === undefined) return '';
  return line === undefined ? file : `${file}:${line}`;
}
