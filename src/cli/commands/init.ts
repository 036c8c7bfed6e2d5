import { present } from '../../core/present';
import { Option, type Command } from 'commander';
import path from 'node:path';
import { initWorkspace } from '../../workflows/init';
import type { ProposedLauncher } from '../../measurement/config/config';
import type { RegisterCommand } from '../execution/context';

interface InitFlags {
  readonly force?: boolean;
  readonly fromPira?: string;
  readonly executable?: string;
  readonly launcher?: ProposedLauncher;
  readonly run: boolean;
}

export const registerInit: RegisterCommand = (program: Command, run) => {
  program
    .command('init')
    .description('writes a first kymo.json for the build system of the folder')
    .option('--force', 'replace an existing kymo.json')
    .option('--from-pira <file>', 'import a PIRA configuration (version 1 or 2)')
    .option('--executable <path>', 'program that the build produces, relative to the workspace')
    .addOption(
      new Option('--launcher <kind>', 'how the program is started').choices(['local', 'mpirun', 'slurm']),
    )
    .option('--no-run', 'only read files: do not start CMake, Meson, configure or make')
    .action((options: InitFlags) =>
      run(
        async ({ workspace, signal, progress }) => {
          const { executable, launcher, fromPira } = options;
          const result = await initWorkspace({
            workspace,
            signal,
            progress,
            run: options.run,
            force: options.force === true,
            ...present({ executable, launcher }),
            ...(fromPira === undefined ? {} : { pira: path.resolve(fromPira) }),
          });
          const text = [
            `Wrote ${result.file} with ${result.targets.length === 1 ? 'the target' : 'the targets'} ${result.targets.join(', ')}.`,
            ...result.notes.map((note) => `– ${note}`),
            'Next: check it, especially "run.arguments", then "kymo refine".',
          ].join('\n');
          return { result, text };
        },
        { searchesParents: false },
      ),
    );
};
