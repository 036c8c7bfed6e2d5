import { CommanderError } from 'commander';
import { KymoError } from '../core/errors';
import type { RegisterCommand } from './execution/context';
import { createProgram } from './program';
import { helpTopic, type HelpTopic } from './terminal/help/helpTopic';
import { reportError } from './execution/report';
import { survivePipes } from './execution/pipes';

/** `--json` applies wherever it is given, also if the rest of the line is wrong. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).includes('--json');
}

/** The words behind `help`; undefined for another command. */
function topicOf(words: readonly string[]): readonly string[] | undefined {
  const [first, ...topic] = words.filter((word) => !word.startsWith('-'));
  return first === 'help' ? topic : undefined;
}

function showTopic(topic: HelpTopic, json: boolean): void {
  if ('help' in topic) {
    process.stdout.write(json ? `${JSON.stringify(topic)}\n` : topic.help);
    return;
  }
  // Without the help of another command, below which nobody reads that there is none of this name.
  reportError(new KymoError('usage', topic.problem), json);
  process.exitCode = 2;
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
    const program = createProgram(
      { out: (text) => void (help += text), error: (text) => void (complaint += text) },
      registered,
    );
    const topic = topicOf(words);
    if (topic === undefined) await program.parseAsync([...words], { from: 'user' });
    else showTopic(helpTopic(program, topic), json);
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
