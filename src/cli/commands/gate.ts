import { InvalidArgumentError, Option } from 'commander';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { formatBytes } from '../../core/format';
import { differences, type DifferenceOfSides } from '../../core/gate/differences';
import type { GateReport } from '../../core/gate/report';
import { present } from '../../core/present';
import { gateEndings, gateText as exportedText } from '../../formats/gate-exports';
import { gate, saveBaseline } from '../../workflows/gate';
import type { CliContext, CommandResult, RegisterCommand } from '../execution/context';
import { gateText } from '../terminal/gateText';
import { writeWhole } from '../arguments/inputs';
import { positiveInteger } from '../arguments/options';
import { printable } from '../terminal/table';

/** `noise`: what cannot be told because runs differ too much passes. */
const allowances = [...differences, 'noise'] as const;

interface GateFlags {
  readonly baseline?: string;
  readonly candidate?: string;
  readonly repetitions?: number;
  readonly change?: number;
  readonly filter?: string;
  readonly allow?: readonly (typeof allowances)[number][];
  readonly out?: readonly string[];
  readonly save?: string;
}

/** Exit status where nothing is known to be worse, and something may be. */
const unknownStatus = 4;

/** `kymo gate`: whether a change made the program slower, for CI. */
export const registerGate: RegisterCommand = (program, run) => {
  program
    .command('gate')
    .description(
      'judges whether the program became worse than a baseline: time of each function and in total, memory, imbalance of ranks, budgets of kymo.json; exit status 0: no, 3: yes, 4: cannot be told',
    )
    .option(
      '--baseline <what>',
      'a git revision (built and measured by turns with the workspace), the folder of a measurement, or a file that --save wrote (default: that of kymo.json)',
    )
    .option(
      '--candidate <what>',
      'the folder of a measurement, or a file that --save wrote (default: the workspace is built and measured)',
    )
    .option(
      '--repetitions <count>',
      'number of runs of each side that is measured (default: 10)',
      positiveInteger,
    )
    .option('--change <percent>', 'from which change on it matters (default: 3)', percent)
    .option(
      '--filter <file>',
      'functions to record, as of "kymo measure" (default: the accepted selection, else that of a refinement)',
    )
    .addOption(
      new Option(
        '--allow <what...>',
        'compare in spite of another machine, compiler, input or program; noise: what cannot be told because of it passes (default: nothing)',
      ).choices(allowances),
    )
    .option(
      '--out <file...>',
      `also write the verdict, by the end of the name: ${gateEndings.join(', ')} (.xml: JUnit)`,
    )
    .option(
      '--save <file>',
      'measure (or take --candidate), and write it as a baseline that can be committed; nothing is judged',
    )
    .action(async (flags: GateFlags) => {
      await run((context) =>
        flags.save === undefined ? judge(flags, context) : save(flags.save, flags, context),
      );
    });
};

function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value <= 1000))
    throw new InvalidArgumentError('It must be a number above 0 and up to 1000.');
  return value;
}

async function judge({ out = [], ...flags }: GateFlags, context: CliContext): Promise<CommandResult> {
  for (const file of out)
    if (!gateEndings.some((ending) => file.toLowerCase().endsWith(ending)))
      throw new KymoError(
        'usage',
        `“${printable(file)}” has no known ending. Choose one of ${gateEndings.join(', ')}.`,
      );
  const { baseline, candidate, repetitions, change, filter, allow = [] } = flags;
  const { workspace, target, signal, progress } = context;
  const report = await gate({
    ...{ workspace, signal, progress },
    ...present({
      target,
      repetitions,
      baseline: baseline !== undefined && existsSync(baseline) ? path.resolve(baseline) : baseline,
      candidate: resolved(candidate),
      filter: resolved(filter),
    }),
    ...present({ minimumChange: change === undefined ? undefined : change / 100 }),
    allow: allow.filter((one): one is DifferenceOfSides => one !== 'noise'),
  });
  for (const file of out) writeWhole(path.resolve(file), [exportedText(report, file, workspace) ?? '']);
  return { result: report, text: gateText(report, workspace), ...statusOf(report, allow.includes('noise')) };
}

/** What is typed is relative to the current folder; what is in kymo.json, to that of the file. */
function resolved(file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.resolve(file);
}

/** Sides that cannot be compared never pass. */
function statusOf(
  { verdict, incomparable }: GateReport,
  passesNoise: boolean,
): Pick<CommandResult, 'limitExceeded' | 'status'> {
  if (verdict === 'regression') return { limitExceeded: true };
  const passes = verdict !== 'cannot-tell' || (passesNoise && incomparable.length === 0);
  return passes ? {} : { status: unknownStatus };
}

async function save(file: string, flags: GateFlags, context: CliContext): Promise<CommandResult> {
  const given = Object.keys(flags).filter((name) => ['baseline', 'change', 'allow', 'out'].includes(name));
  if (given.length > 0)
    throw new KymoError(
      'usage',
      `--save writes a baseline and judges nothing: leave out --${given.join(', --')}.`,
    );
  if (!file.toLowerCase().endsWith('.json'))
    throw new KymoError('usage', `The name of a baseline ends in .json: --save ${printable(file)}.json`);
  const { workspace, target, signal, progress } = context;
  const result = await saveBaseline(path.resolve(file), {
    ...{ workspace, signal, progress },
    ...present({
      target,
      candidate: resolved(flags.candidate),
      repetitions: flags.repetitions,
      filter: resolved(flags.filter),
    }),
  });
  return {
    result,
    text: `Wrote ${printable(file)} (${formatBytes(result.bytes)}): ${result.runs} runs, ${result.functions} functions. Commit it, and compare with it: kymo gate --baseline ${printable(file)}`,
  };
}
