import { Option, type Command } from 'commander';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { silent } from '../../core/progress';
import type { ProcessRanges } from '../../core/views/ranks/processRanges';
import { convertTrace, traceFormats, type CsvRows, type TraceFormat } from '../../workflows/trace/convert';
import { traceEvents } from '../../workflows/trace/events';
import type { TraceContext } from '../../workflows/trace/openTrace';
import { traceReport } from '../../workflows/trace/report';
import type { CliContext, CommandResult, RegisterCommand } from '../execution/context';
import { writePieces } from '../arguments/inputs';
import { nonNegative, positiveInteger, rankRanges } from '../arguments/options';
import { notesText } from '../terminal/trace/notes';
import { eventsText } from '../terminal/trace/eventsText';
import { traceText } from '../terminal/trace/traceText';
import { printable } from '../terminal/table';

/** `kymo trace show` and `kymo trace convert`. */
export const registerTrace: RegisterCommand = (program: Command, run) => {
  const trace = program.command('trace').description('shows and converts OTF2 traces');
  trace
    .command('show <file>')
    .description(
      'prints what is in a trace (traces.otf2): the program, its locations, events by kind, functions with visits and times, messages, metrics, parameters, and what is missing or damaged',
    )
    .option('--ranks <ranks>', 'only these: 0-3,7', rankRanges)
    .option('--top <rows>', 'rows of each table', positiveInteger, 20)
    .option('--events', 'list the events instead, in the order of their times')
    .option('--from <seconds>', 'with --events: from this time on', nonNegative)
    .option('--until <seconds>', 'with --events: up to this time', nonNegative)
    .addOption(new Option('--to <seconds>', 'the same as --until').argParser(nonNegative).hideHelp())
    .option('--most <events>', 'with --events: number of events; default: 1000', mostEvents)
    .action((file: string, flags: ShowFlags) => run((context) => show(file, flags, context)));
  trace
    .command('convert <file>')
    .description(
      'writes a trace for Chrome and Perfetto (https://ui.perfetto.dev), for speedscope, or as CSV with one line for each call or message',
    )
    .addOption(new Option('--to <format>', 'format').choices(traceFormats).makeOptionMandatory())
    .option(
      '--output <file>',
      'default: traces.json, traces.speedscope.json or traces.csv in the current folder',
    )
    .addOption(new Option('--what <rows>', 'rows of CSV').choices(['calls', 'messages']))
    .option('--ranks <ranks>', 'only these: 0-3,7', rankRanges)
    .option('--from <seconds>', 'from this time on: calls are cut there', nonNegative)
    .option('--until <seconds>', 'up to this time: calls are cut there', nonNegative)
    .action((file: string, flags: ConvertFlags) => run((context) => convert(file, flags, context)));
};

/** Events are listed in memory. */
const mostListed = 1_000_000;
const usualListed = 1000;

function mostEvents(text: string): number {
  return Math.min(mostListed, positiveInteger(text));
}

interface ShowFlags {
  readonly ranks?: ProcessRanges;
  readonly top: number;
  readonly events?: boolean;
  readonly from?: number;
  readonly until?: number;
  readonly to?: number;
  readonly most?: number;
}

async function show(file: string, flags: ShowFlags, cli: CliContext): Promise<CommandResult> {
  const { ranks, top, events, from, to = flags.until, most } = flags;
  const context = readingContext(cli);
  if (events === true) {
    requireOrder(from, to);
    const list = await traceEvents(
      file,
      { ...present({ ranks, from, to }), most: most ?? usualListed },
      context,
    );
    return { result: list, text: eventsText(list) };
  }
  if (from !== undefined || to !== undefined || most !== undefined)
    throw new KymoError('usage', '--from, --until and --most choose among events: give --events, too.');
  const report = await traceReport(file, present({ ranks }), context);
  return { result: report, text: traceText(report, top) };
}

interface ConvertFlags {
  readonly to: TraceFormat;
  readonly output?: string;
  readonly what?: CsvRows;
  readonly ranks?: ProcessRanges;
  readonly from?: number;
  readonly until?: number;
}

const endings: Readonly<Record<TraceFormat, string>> = {
  chrome: 'json',
  speedscope: 'speedscope.json',
  csv: 'csv',
};

async function convert(given: string, flags: ConvertFlags, cli: CliContext): Promise<CommandResult> {
  const { to: format, what, ranks, from, until } = flags;
  if (what !== undefined && format !== 'csv')
    throw new KymoError('usage', `--what chooses the rows of CSV; the format is ${format}.`);
  requireOrder(from, until);
  const output = flags.output ?? `traces.${endings[format]}`;
  requireOther(given, output);
  let bytes = 0;
  const options = { format, ...present({ what, ranks, from, to: until }) };
  const converted = await convertTrace(
    given,
    options,
    async (pieces, between) => {
      bytes = await writePieces(output, pieces, between);
    },
    readingContext(cli),
  );
  const { calls, messages, notes } = converted;
  const rows = calls === undefined ? `${messages ?? 0} messages` : `${calls} calls`;
  return {
    result: { ...converted, out: output, bytes },
    text: [`${printable(output)}: ${rows}, ${bytes} bytes`, ...notesText(notes)].join('\n'),
  };
}

/** @throws KymoError `usage` where the range is empty */
function requireOrder(from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined && from > to)
    throw new KymoError('usage', `--from ${from} is behind --until ${to}: give a range that is not empty.`);
}

/** @throws KymoError `usage` where a file of the trace would be overwritten */
function requireOther(given: string, output: string): void {
  const anchor = path.resolve(given);
  const name = anchor.replace(/\.otf2$/i, '');
  const target = path.resolve(output);
  if (target === anchor || target === `${name}.def` || target.startsWith(`${name}${path.sep}`))
    throw new KymoError('usage', `“${output}” is a file of the trace; give another file to write to.`, {
      file: output,
    });
}

/** Progress is for people who wait at a terminal. */
function readingContext({ signal, progress }: CliContext): TraceContext {
  return { signal, progress: process.stderr.isTTY ? progress : silent };
}
