import { Command } from 'commander';
import type { CommandResult, RegisterCommand } from '../../../../src/cli/execution/context';
import { silent } from '../../../../src/core/progress';

/** Runs one command as the program does, without printing. */
export async function runCommand(
  commands: readonly RegisterCommand[],
  workspace: string,
  words: readonly string[],
  json = true,
): Promise<CommandResult> {
  const program = new Command('kymo').exitOverride();
  let result: CommandResult | undefined;
  for (const register of commands) {
    register(program, async (action) => {
      const { signal } = new AbortController();
      result = await action({ json, workspace, signal, progress: silent });
    });
  }
  await program.parseAsync(words, { from: 'user' });
  if (result === undefined) throw new Error('nothing was run');
  return result;
}
