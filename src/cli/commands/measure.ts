import { InvalidArgumentError, Option } from 'commander';
import path from 'node:path';
import { present } from '../../core/present';
import {
  defaultTraceSettings,
  iterationRange,
  mostTraceMegabytes,
  traceFull,
  type IterationRange,
  type TraceFull,
} from '../../measurement/config/traceSettings';
import { measure, type MeasureOptions } from '../../workflows/measure';
import { assignment, positiveInteger } from '../arguments/options';
import type { RegisterCommand } from '../execution/context';
import { measureText } from '../terminal/measureText';

interface MeasureFlags {
  readonly filter?: string;
  readonly repetitions?: number;
  readonly parameter: Readonly<Record<string, string>>;
  readonly ranks?: number;
  readonly vanilla?: true;
  readonly trace?: true;
  readonly traceMemory?: number;
  readonly traceFull?: TraceFull;
  readonly traceIterations?: IterationRange;
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
    .option('--trace', 'also record all events, and write them as an OTF2 archive beside the profile')
    .option(
      '--trace-memory <MB>',
      `most memory for the events of each process (default: ${defaultTraceSettings.memoryMegabytes})`,
      megabytes,
    )
    .addOption(
      new Option(
        '--trace-full <what>',
        'when the memory is full: stop recording events, or keep the last ones (default: stop)',
      ).choices(traceFull),
    )
    .option(
      '--trace-iterations <range>',
      'record these iterations of the phase only, such as 10-12',
      iterations,
    )
    .action((flags: MeasureFlags) =>
      run(async ({ workspace, target, signal, progress }) => {
        const result = await measure({
          workspace,
          ...(target === undefined ? {} : { target }),
          ...(flags.filter === undefined ? {} : { filter: path.resolve(flags.filter) }),
          ...present({ repetitions: flags.repetitions, ranks: flags.ranks }),
          parameters: flags.parameter,
          vanilla: flags.vanilla === true,
          ...present({ trace: traceOf(flags) }),
          signal,
          progress,
        });
        return { result, text: measureText(result) };
      }),
    );
};

/** An option about the trace wants one. */
function traceOf({
  trace,
  traceMemory: memoryMegabytes,
  traceFull: full,
  traceIterations,
}: MeasureFlags): MeasureOptions['trace'] {
  const given = present({ memoryMegabytes, full, iterations: traceIterations });
  return trace === true || Object.keys(given).length > 0 ? given : undefined;
}

function megabytes(text: string): number {
  const value = positiveInteger(text);
  if (value > mostTraceMegabytes) throw new InvalidArgumentError(`It must be at most ${mostTraceMegabytes}.`);
  return value;
}

function iterations(text: string): IterationRange {
  const range = iterationRange(text);
  if (range === undefined)
    throw new InvalidArgumentError(
      'It must be a range such as 10-12, or one iteration such as 10; the first one is 1.',
    );
  return range;
}
