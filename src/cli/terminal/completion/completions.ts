import type { Command, Option } from 'commander';
import { commandTree, takesValue, visibleCommands, visibleOptions } from '../help/commandTree';

/** A word that a shell offers, and what it means. */
export interface Offer {
  readonly word: string;
  readonly means: string;
}

/** What a shell offers behind a command; the path of the program itself is empty. */
export interface Offers {
  readonly path: string;
  /** Also the words that an argument of it can be. */
  readonly commands: readonly Offer[];
  readonly options: readonly Offer[];
  /** Words that options take; options with none take names of files or anything else. */
  readonly values: readonly { readonly options: readonly string[]; readonly words: readonly string[] }[];
}

/** From the definitions of the commands, so that no completion lacks an option. */
export function completions(program: Command): readonly Offers[] {
  const common = visibleOptions(program);
  return [{ path: '', command: program }, ...commandTree(program)].map(({ path, command }) => {
    const options = [...new Set([...visibleOptions(command), ...(path === '' ? [] : common)])].filter(
      ({ long }, index, all) => all.findIndex((other) => other.long === long) === index,
    );
    const helpTopics = path === '' ? [{ word: 'help', means: 'display help for command' }] : [];
    return {
      path,
      commands: [
        ...visibleCommands(command).map((own) => ({ word: own.name(), means: firstPart(own.description()) })),
        ...helpTopics,
        ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
          argChoices.map((word) => ({ word, means: firstPart(description) })),
        ),
      ],
      options: options.flatMap((option) =>
        names(option).map((word) => ({ word, means: firstPart(option.description) })),
      ),
      values: options.filter(takesValue).map((option) => ({
        options: names(option),
        words: option.argChoices ?? [],
      })),
    };
  });
}

function names({ short, long }: Option): readonly string[] {
  return [short, long].filter((name) => name !== undefined);
}

/** Shells show one line. */
function firstPart(text: string): string {
  const [first = ''] = text.split(/[;:(]/);
  return first.trim();
}

/** Names of all options whose next word is a value, anywhere in the line. */
export function optionsWithValue(all: readonly Offers[]): readonly string[] {
  return [...new Set(all.flatMap(({ values }) => values.flatMap(({ options }) => options)))];
}
