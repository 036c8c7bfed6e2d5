import { present } from '../../core/present';
import { Option, type Command } from 'commander';
import { counted, formatCount, formatPercent, formatSeconds } from '../../core/format';
import { restSentence } from '../terminal/restSentence';
import { baseText, togetherWords } from '../../core/functions/base';
import { shortList } from '../../core/names/shortList';
import {
  overheadReductions,
  strategies,
  type OverheadReduction,
  type Strategy,
} from '../../core/selection/strategy';
import { stopSentence } from '../../core/selection/stopSentence';
import { refine } from '../../workflows/refine';
import { overheadCell } from '../../core/cost/overheadWords';
import type { HotFunction, RefineRound, RefineResult } from '../../workflows/studies/refine.types';
import { countedOverhead, measuredOverhead } from '../terminal/overheadWords';
import type { RegisterCommand } from '../terminal/context';
import { imbalanceSettingNames, imbalanceSettings } from '../terminal/dynamics/imbalanceSettings';
import { modelSettingNames, modelSettings } from '../terminal/models/modelSettings';
import { pointsTable, predictedTable } from '../terminal/models/modelRefinement';
import { pointOptions, pointRequest, type PointFlags } from '../terminal/pointOptions';
import {
  assignment,
  nonNegative,
  positiveInteger,
  positiveSeconds,
  positiveIntegers,
} from '../terminal/options';
import { prepareRun, type PreparedRun } from '../terminal/typedRun';
import { shortened, table } from '../terminal/table';
import { offCostSentence, vanillaSentence } from '../terminal/vanillaSentence';

interface RefineFlags extends PointFlags {
  readonly vanilla?: true;
  readonly fresh?: true;
  readonly more?: number;
  readonly probes: boolean;
  readonly strategy?: Strategy;
  readonly base?: OverheadReduction;
  readonly imbalance?: Readonly<Record<string, string>>;
  readonly model?: Readonly<Record<string, string>>;
  readonly overhead?: number;
  readonly iterations?: number;
  readonly repetitions?: number;
  readonly budget?: number;
  readonly parameter: Readonly<Record<string, string>>;
  readonly ranks?: readonly number[];
  readonly failAbove?: number;
  readonly online?: true;
  readonly yes?: true;
  readonly window?: number;
}

/** `kymo refine`: the main job. */
export const registerRefine: RegisterCommand = (program, run) => {
  program
    .command('refine')
    .argument(
      '[program...]',
      'behind “--”: a program to build and measure, with its arguments and with mpirun or srun in front; without kymo.json, Kymo finds out how it is built, asks and writes one',
    )
    .description(
      'builds once, then measures and selects until the selection no longer changes or a limit is reached',
    )
    .addOption(new Option('--strategy <name>', 'selection strategy').choices(strategies))
    .addOption(
      new Option('--base <name>', 'strategy that makes the black list of agor').choices(overheadReductions),
    )
    .option(
      '--imbalance <name=value>',
      `parameter of the strategy imbalance; repeatable: ${imbalanceSettingNames}`,
      assignment,
    )
    .option(
      '--model <name=value>',
      `parameter of the strategy model; repeatable: ${modelSettingNames}`,
      assignment,
    )
    .addOption(ofModel(pointOptions.values()))
    .addOption(ofModel(pointOptions.threads()))
    .addOption(ofModel(pointOptions.design()))
    .addOption(ofModel(pointOptions.point()))
    .option(
      '--overhead <percent>',
      'target for the overhead; with tor, por, agor and imbalance the limit for each function',
      nonNegative,
    )
    .option('--iterations <count>', 'maximum number of rounds', positiveInteger)
    .option('--repetitions <count>', 'runs per configuration', positiveInteger)
    .option('--budget <seconds>', 'wall time for all runs together', nonNegative)
    .option('--parameter <name=value>', 'value of a parameter of kymo.json; repeatable', assignment, {})
    .option(
      '--ranks <numbers>',
      'number of MPI ranks in place of the one in kymo.json; of several (2,4) the first one decides what is recorded, and the overhead is measured with each; the strategy model measures all',
      positiveIntegers,
    )
    .option('--vanilla', 'also measure the cost of idle patch points')
    .addOption(
      new Option(
        '--online',
        'refine inside one run: functions are switched on and off while the program runs, in rounds of --window seconds',
      ).conflicts(['vanilla', 'more', 'repetitions', 'ranks']),
    )
    .addOption(
      new Option('--window <seconds>', 'length of a round of --online; default: 1')
        .argParser(positiveSeconds)
        .implies({ online: true }),
    )
    .option('--no-probes', 'patchable entries only: no probe sleds in the source text')
    .option('--fresh', 'start over instead of resuming')
    .addOption(
      new Option('--more <count>', 'run this many more rounds of the last study, even if it is complete')
        .argParser(positiveInteger)
        .conflicts(['fresh', 'vanilla', 'iterations']),
    )
    .option('--yes', 'write a kymo.json for [program...] without asking')
    .option('--fail-above <percent>', 'exit with status 3 when the final overhead exceeds this', nonNegative)
    .action(async (words: readonly string[], _: unknown, command: Command) => {
      const flags = command.opts<RefineFlags>();
      await run(async (context) => {
        const { wrote, ...typed }: PreparedRun =
          words.length === 0 ? {} : await prepareRun(context, words, flags.yes === true);
        const result = await refine({
          workspace: context.workspace,
          ...present({ target: context.target }),
          ...typed,
          signal: context.signal,
          progress: context.progress,
          parameters: flags.parameter,
          vanilla: flags.vanilla === true,
          resume: flags.fresh !== true,
          probes: flags.probes,
          ...present({
            strategy: flags.strategy,
            ranks: flags.ranks,
            base: flags.base,
            imbalance: settingsOf(imbalanceSettings, flags.imbalance),
            model: settingsOf(modelSettings, flags.model),
            points: pointRequest(flags),
            moreRounds: flags.more,
            overheadPercent: flags.overhead,
            maximumIterations: flags.iterations,
            repetitions: flags.repetitions,
            budgetSeconds: flags.budget,
            windowSeconds: flags.online === true ? (flags.window ?? usualWindow) : undefined,
          }),
        });
        const overhead = result.iterations.at(-1)?.overheadPercent ?? 0;
        return {
          result: { ...result, ...present({ wrote }) },
          text: report(result),
          limitExceeded: flags.failAbove !== undefined && overhead > flags.failAbove,
        };
      });
    });
};

function ofModel(option: Option): Option {
  option.description = `strategy model: ${option.description}`;
  return option;
}

/** Checked at once, applied to what kymo.json has. */
function settingsOf<Settings>(
  read: (given: Readonly<Record<string, string>>, configured?: Settings) => Settings,
  given: Readonly<Record<string, string>> | undefined,
): ((configured: Settings) => Settings) | undefined {
  if (given === undefined) return undefined;
  read(given);
  return (configured) => read(given, configured);
}

/** Seconds. */
const usualWindow = 1;

function report(result: RefineResult): string {
  const parts = [
    roundTable(result.iterations),
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

function roundTable(iterations: readonly RefineRound[]): string {
  const { clock, points } = iterations.at(-1) ?? {};
  const processor = clock === 'rank' ? 'slowest rank' : 'CPU time';
  const time = points === undefined ? processor : 'computing time';
  return table(
    ['round', 'functions', 'executed', 'changed', 'visits', time, 'wall time', 'predicted', 'overhead'],
    iterations.map((i) => [
      String(i.index),
      String(i.instrumented),
      String(i.executed),
      String(i.changed),
      formatCount(i.visits),
      i.points === undefined ? decidingTime(i) : accumulatedTime(i, i.points),
      withBaseline(i.medianSeconds, i.baselineSeconds),
      i.predictedPercent === undefined ? '' : formatPercent(i.predictedPercent / 100),
      overheadCell(i),
    ]),
    9,
  );
}

/** By the clock that overheads are of, if it is not the wall's. */
function decidingTime(
  times: Pick<RefineRound, 'rankSeconds' | 'baselineRankSeconds' | 'cpuSeconds' | 'baselineCpuSeconds'>,
): string {
  const { rankSeconds, baselineRankSeconds, cpuSeconds, baselineCpuSeconds } = times;
  return withBaseline(rankSeconds ?? cpuSeconds, baselineRankSeconds ?? baselineCpuSeconds);
}

/** Of all points, each by its own clock. The overhead is that of this sum; sums of medians would differ from it. */
function accumulatedTime(
  { overheadPercent }: RefineRound,
  points: NonNullable<RefineRound['points']>,
): string {
  const baseline = points.reduce(
    (sum, { baselineRankSeconds, baselineCpuSeconds, baselineSeconds }) =>
      sum + (baselineRankSeconds ?? baselineCpuSeconds ?? baselineSeconds),
    0,
  );
  return withBaseline(baseline * (1 + overheadPercent / 100), baseline);
}

/** `1.05 s (1.00 s)`: the time in brackets is that of the run with nothing recorded. */
function withBaseline(seconds: number | undefined, baseline: number | undefined): string {
  if (seconds === undefined || baseline === undefined) return 'unknown';
  return `${formatSeconds(seconds)} (${formatSeconds(baseline)})`;
}

function finalSentence({ final, iterations, properties }: RefineResult): string {
  const { instrumented, predictedPercent, iteration } = final;
  const isPredicted = !iterations.some(({ window }) => window === true);
  const cost = `predicted overhead ${formatPercent(predictedPercent / 100)}${isPredicted ? ' (before it was measured, from the visits of earlier rounds)' : ''}`;
  const run =
    iteration === undefined
      ? 'not measured, because no run was left'
      : `measured by round ${iteration}${measuredOverhead(iterations, iteration)}${countedOverhead(properties)}`;
  const turns = iterations.some(({ paired }) => paired === true)
    ? ' Runs with and without recording took turns on one processor, so that wall times are about twice those of runs alone.'
    : iterations.some(({ window }) => window === true)
      ? ' Rounds are parts of one run; what they would take with nothing recorded follows from the visits and the calibrated cost of each, and visits that began before a round are no part of it.'
      : '';
  const lacking = iterations.flatMap(({ index, unpredicted }) =>
    unpredicted === undefined ? [] : [`${unpredicted} in round ${index}`],
  );
  const unknown =
    lacking.length === 0
      ? ''
      : ` Predictions exclude functions without any earlier measurement: ${lacking.join(', ')}.`;
  return `In brackets: with nothing recorded. ${clockSentence(iterations.at(-1))}${turns}${unknown}\nFinal selection: ${counted(instrumented, 'function')}, ${cost}; ${run}.`;
}

/** What overheads are of. */
function clockSentence(round: RefineRound | undefined): string {
  if (round?.points !== undefined)
    return 'Times are those of all points together, visits those of the point that takes longest. Overheads are of the accumulated computing time, by rank the slowest one’s.';
  switch (round?.clock) {
    case 'rank':
      return `Overheads are of the computation of the slowest rank (mostly rank ${String(round.slowestRank ?? 0)}): its computing time outside MPI; MPI calls are recorded in all runs.`;
    case 'cpu':
      return 'Overheads are of CPU time.';
    case 'wall':
    case undefined:
      return 'Overheads are of wall time, for CPU time is unknown.';
  }
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
