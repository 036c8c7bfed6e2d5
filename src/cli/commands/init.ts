import type { Command } from 'commander';
import path from 'node:path';
import { initWorkspace } from '../../workflows/init';
import type { RegisterCommand } from '../context';

/** `kymo init` */
export const registerInit: RegisterCommand = (program: Command, run) => {
  program
    .command('init')
    .description('writes a first kymo.json for the build system found here')
    .option('--force', 'replace an existing kymo.json')
    .option('--from-pira <file>', 'import a PIRA configuration (version 1 or 2)')
    .action((options: { force?: boolean; fromPira?: string }) =>
      run(async ({ workspace }) => {
        const result = await initWorkspace({
          workspace,
          force: options.force === true,
          ...(options.fromPira === undefined ? {} : { pira: path.resolve(options.fromPira) }),
        });
        const text = [
          `Wrote ${result.file} with ${result.targets.length === 1 ? 'the target' : 'the targets'} ${result.targets.join(', ')}.`,
          ...result.notes.map((note) => `– ${note}`),
          'Next: look through it (the arguments of the run above all), then "kymo refine".',
        ].join('\n');
        return { result, text };
      }),
    );
};
