import path from 'node:path';
import { present } from '../../../core/present';
import { measure } from '../../../workflows/measure';
import { assignment, positiveInteger } from '../../arguments/options';
import type { RegisterCommand } from '../../execution/context';
import { measureText } from '../../terminal/measureText';

interface RunFlags {
  readonly filter?: string;
  readonly parameter: Readonly<Record<string, string>>;
  readonly ranks?: number;
  readonly reduce?: boolean;
}

/** `kymo run`: one run that can be watched. */
export const registerRun: RegisterCommand = (program, run) => {
  program
    .command('run')
    .description(
      'builds and runs the program once, so that it can be watched meanwhile ("kymo watch", or the editor), and stores its profile and iterations',
    )
    .option(
      '--filter <file>',
      'functions to record: a Score-P filter or a list of functions (default: the accepted selection, else the first selection of a refinement)',
    )
    .option('--parameter <name=value>', 'value of a parameter of kymo.json; repeatable', assignment, {})
    .option('--ranks <number>', 'number of MPI ranks in place of the one in kymo.json', positiveInteger)
    .option(
      '--reduce',
      'while it runs, show processes on other hosts as sums over those that do alike (default: when there are more than 64)',
    )
    .option('--no-reduce', 'while it runs, show each process by itself, however many there are')
    .action((flags: RunFlags) =>
      run(
        async ({ workspace, target, signal, progress }) => {
          const result = await measure({
            workspace,
            ...present({
              target,
              filter: flags.filter === undefined ? undefined : path.resolve(flags.filter),
              ranks: flags.ranks,
              reduce: flags.reduce,
            }),
            parameters: flags.parameter,
            watched: true,
            signal,
            progress,
          });
          return { result, text: measureText(result) };
        },
        { outlivesTerminal: true },
      ),
    );
};
