import { present } from '../../core/present';
import { Option, type Command } from 'commander';
import {
  overheadReductions,
  strategies,
  type OverheadReduction,
  type Strategy,
} from '../../core/selection/strategy';
import { refine } from '../../workflows/refine';
import type { RegisterCommand } from '../execution/context';
import { imbalanceSettingNames, imbalanceSettings } from '../terminal/dynamics/imbalanceSettings';
import { modelSettingNames, modelSettings } from '../terminal/models/modelSettings';
import { pointOptions, pointRequest, type PointFlags } from '../arguments/pointOptions';
import {
  assignment,
  nonNegative,
  positiveInteger,
  positiveSeconds,
  positiveIntegers,
} from '../arguments/options';
import { prepareRun, type PreparedRun } from '../arguments/typedRun';
import { refineText } from '../terminal/refine/refineText';

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
          text: refineText(result),
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
