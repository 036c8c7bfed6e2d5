import type { Command } from 'commander';
import { nearestName } from '../../../core/nearest';
import { visibleCommands } from './commandTree';

/** What `kymo help …` shows: the help of a command, or why there is none. */
export type HelpTopic = { readonly help: string } | { readonly problem: string };

/** @param words what follows `help`, such as `profile show` */
export function helpTopic(program: Command, words: readonly string[]): HelpTopic {
  let command = program;
  for (const word of words) {
    const known = visibleCommands(command);
    if (known.length === 0) break;
    const names = known.map((own) => own.name());
    const next = known.find((own) => own.name() === word);
    if (next === undefined) {
      const near = nearestName(word, names);
      const hint = near === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${near}"?`;
      return { problem: `There is no command ${JSON.stringify(word)}. ${hint}` };
    }
    command = next;
  }
  return { help: fullHelp(command) };
}

/** With the examples, which commander adds only when it prints. */
function fullHelp(command: Command): string {
  let text = '';
  const before = command.configureOutput();
  command.configureOutput({ ...before, writeOut: (piece) => void (text += piece) });
  command.outputHelp();
  command.configureOutput(before);
  return text;
}
