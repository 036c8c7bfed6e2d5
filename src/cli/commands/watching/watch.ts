import { Option } from 'commander';
import path from 'node:path';
import { changeWords } from '../../../core/views/liveRun';
import { changeNamed } from '../../../workflows/watch/changeRecording';
import { followRun, hasResult, runUnderWay, suspendRun, type RunUpdate } from '../../../workflows/watch';
import type { CliContext, CommandResult, RegisterCommand } from '../../execution/context';
import { nonNegative } from '../../arguments/options';
import { endSentence, liveText } from '../../terminal/liveText';
import { printable } from '../../terminal/table';

interface WatchFlags {
  readonly interval: number;
  readonly once?: true;
  readonly suspend?: true;
  readonly resume?: true;
  readonly record?: readonly string[];
  readonly leave?: readonly string[];
}

/** Options that a change of what is recorded does not go with. */
const others = ['once', 'suspend', 'resume'];

/** `kymo watch`: what a run that is under way shows so far. */
export const registerWatch: RegisterCommand = (program, run) => {
  program
    .command('watch')
    .description(
      'follows a run that "kymo run" started, in this or another terminal or editor: its processes, iterations, hot functions and slowdowns so far',
    )
    .option('--interval <seconds>', 'time between two reports', nonNegative, 5)
    .option('--once', 'print one report and end')
    .addOption(
      new Option('--suspend', 'let the program wait at the end of its next iteration').conflicts('resume'),
    )
    .option('--resume', 'let a suspended program go on')
    .addOption(
      new Option(
        '--record <names...>',
        'record these functions, too, from now on: names as profiles show them, mangled names, or patterns such as "solve*"; repeatable',
      ).conflicts(others),
    )
    .addOption(new Option('--leave <names...>', 'leave these functions out from now on').conflicts(others))
    .action((flags: WatchFlags) => run((context) => watch(flags, context)));
};

async function watch(flags: WatchFlags, context: CliContext): Promise<CommandResult> {
  const { workspace, target, signal, progress } = context;
  const { folder, live } = await runUnderWay({ workspace, target }, { signal });
  if (flags.suspend === true || flags.resume === true) {
    await suspendRun(folder, flags.suspend === true);
    const text = flags.suspend === true ? 'will wait at the end of its next iteration' : 'will go on';
    return { result: { folder, live }, text: `${live.target} ${text}.` };
  }
  const { record = [], leave = [] } = flags;
  if (record.length > 0 || leave.length > 0) {
    const { live: now, change, notes } = await changeNamed(folder, { record, leave }, { signal });
    const text = [changeWords({ ...change, problems: [] }), ...notes.map((note) => `Note: ${note}`)];
    return { result: { folder, live: now, change, notes }, text: text.map(printable).join('\n') };
  }
  let last: RunUpdate = { live };
  for await (const update of followRun({ folder, workspace, interval: flags.interval }, { signal })) {
    last = { ...last, ...update };
    const text = liveText(update, workspace);
    if (flags.once === true) return { result: resultOf(folder, last), text };
    progress.log(text);
  }
  const isComplete = await hasResult(folder);
  return { result: resultOf(folder, last), text: endSentence(folder, last.live, isComplete) };
}

function resultOf(folder: string, { live, functions, dynamics }: RunUpdate): object {
  return {
    folder: path.resolve(folder),
    ...live,
    ...(functions === undefined ? {} : { base: functions.base, functions: functions.rows }),
    ...(dynamics === undefined ? {} : { properties: dynamics.properties }),
  };
}
