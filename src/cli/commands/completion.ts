import { Argument } from 'commander';
import { completions } from '../terminal/completion/completions';
import { completionScript, shells, type Shell } from '../terminal/completion/shells';
import type { RegisterCommand } from '../execution/context';

/** `kymo completion`: prints what a shell needs to complete the names of commands and options. */
export const registerCompletion: RegisterCommand = (program, run) => {
  program
    .command('completion')
    .description('prints a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action((shell: Shell) =>
      run(() => {
        const script = completionScript(shell, completions(program));
        return Promise.resolve({ result: { shell, script }, text: script });
      }),
    );
};
