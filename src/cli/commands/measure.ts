import path from 'node:path';
import { formatCount, formatSeconds } from '../../core/format';
import { present } from '../../core/present';
import { overheadWords } from '../../core/cost/overheadWords';
import { measure, type MeasureResult } from '../../workflows/measure';
import { assignment, positiveInteger } from '../terminal/options';
import type { RegisterCommand } from '../terminal/context';
import { vanillaSentence } from '../terminal/vanillaSentence';

interface MeasureFlags {
  readonly filter?: string;
  readonly repetitions?: number;
  readonly parameter: Readonly<Record<string, string>>;
  readonly ranks?: number;
  readonly vanilla?: true;
}

export const registerMeasure: RegisterCommand = (program, run) => {
  program
    .command('measure')
    .description(
      'performs one experiment: builds, runs with the functions that a filter selects, stores the profile',
    )
    .option(
      '--filter <file>',
      'functions to record: a Score-P filter or a list of functions (CaPI, PIRA, TAU, plain) (default: the accepted selection, else the first selection of a refinement)',
    )
    .option('--repetitions <count>', 'number of runs with, and of runs without recording', positiveInteger)
    .option('--parameter <name=value>', 'value of a parameter of kymo.json; repeatable', assignment, {})
    .option('--ranks <number>', 'number of MPI ranks in place of the one in kymo.json', positiveInteger)
    .option('--vanilla', 'also measure the cost of idle patch points')
    .action((flags: MeasureFlags) =>
      run(async ({ workspace, target, signal, progress }) => {
        const result = await measure({
          workspace,
          ...(target === undefined ? {} : { target }),
          ...(flags.filter === undefined ? {} : { filter: path.resolve(flags.filter) }),
          ...present({ repetitions: flags.repetitions, ranks: flags.ranks }),
          parameters: flags.parameter,
          vanilla: flags.vanilla === true,
          signal,
          progress,
        });
        return { result, text: report(result) };
      }),
    );
};

function report(result: MeasureResult): string {
  const { vanilla, iterations } = result;
  return [
    `${result.target}: ${formatSeconds(result.medianSeconds)} (median of ${result.seconds.length}), ${formatSeconds(result.baselineSeconds)} with nothing recorded; ${overheadWords(result)}${ofSlowestRank(result)}; ${formatCount(result.instrumented)} functions recorded.`,
    ...(vanilla === undefined ? [] : [vanillaSentence(vanilla)]),
    ...result.notes.map((note) => `Note: ${note}`),
    `Profile: ${result.profile}`,
    ...(iterations === undefined
      ? []
      : [
          `Iterations: ${formatCount(iterations.count)} of ${iterations.phase}; “kymo dynamics ${path.dirname(iterations.file)}” shows what changes from one to the next.`,
        ]),
  ].join('\n');
}

/** ` of the computing time of the slowest rank (mostly rank 3: 1.05 s, 1.00 s with nothing recorded)` */
function ofSlowestRank({ clock, slowestRank, rankSeconds, baselineRankSeconds }: MeasureResult): string {
  if (clock !== 'rank' || rankSeconds === undefined || baselineRankSeconds === undefined) return '';
  return ` of the computing time of the slowest rank (mostly rank ${String(slowestRank ?? 0)}: ${formatSeconds(rankSeconds)}, ${formatSeconds(baselineRankSeconds)} with nothing recorded)`;
}
