import { KymoError } from '../../core/errors';
import { serve } from '../assistants/serve';
import type { RegisterCommand } from '../execution/context';

/** `kymo mcp`: answers the questions of an assistant. */
export const registerMcp: RegisterCommand = (program, run) => {
  program
    .command('mcp')
    .description(
      'serves the results of this folder to an assistant by the Model Context Protocol over standard input and output: what is hot, what was found at a line, what changed, what scales; whatever builds or runs asks the user first',
    )
    .option('--allow-run', 'build and run without a question for clients that cannot ask their user')
    .action((flags: { readonly allowRun?: true }) =>
      run(async (context) => {
        if (context.json)
          throw new KymoError('usage', 'Standard output belongs to the protocol: leave out --json.');
        await serve(context, flags.allowRun === true);
        return { result: undefined, text: '' };
      }),
    );
};
