import { CommanderError } from 'commander';
import { KymoError } from '../core/errors';
import type { RegisterCommand } from './terminal/context';
import { createProgram } from './program';
import { reportError } from './terminal/report';
import { survivePipes } from './terminal/pipes';

/** `--json` applies wherever it is given, also if the rest of the line is wrong. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).includes('--json');
}

/**
 * Runs the command line once: takes the words after the program's name, and returns the exit status.
 * @param registered the commands; tests have their own
 */
export async function runMain(
  words: readonly string[],
  registered?: readonly RegisterCommand[],
): Promise<void> {
  survivePipes();
  const json = wantsJson(words);
  let help = '';
  let complaint = '';
  try {
    await createProgram(
      { out: (text) => void (help += text), error: (text) => void (complaint += text) },
      registered,
    ).parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      reportError(error, json);
      process.exitCode = 1;
    } else if (error.exitCode === 0) {
      process.stdout.write(json ? `${JSON.stringify({ help })}\n` : help);
    } else {
      // Without a command, commander's message is the whole help text.
      const bare = error.code === 'commander.help';
      const message = bare ? `which command? Choose one of those listed by "kymo --help".` : complaint.trim();
      if (bare && !json) process.stderr.write(`${complaint}\n`);
      reportError(new KymoError('usage', message.replace(/^error: /, '')), json);
      process.exitCode = 2;
    }
  }
}
