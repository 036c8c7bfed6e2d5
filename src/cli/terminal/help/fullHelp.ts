import type { Command } from 'commander';
import { commandTree, isGroup, visibleOptions } from './commandTree';
import { defaultTexts } from './defaults';
import { examples } from './examples';

/** Adds the defaults that come from elsewhere, and examples, to the help of each command. */
export function completeHelp(program: Command): void {
  for (const { path, command } of commandTree(program)) {
    for (const option of visibleOptions(command)) {
      const text = defaultTexts[path]?.[option.long ?? ''];
      const value: unknown = option.defaultValue;
      // Commander would print {} or [] for options that add up what is given.
      if (typeof value === 'object')
        option.defaultValueDescription ||= text?.replace(/^default: /, '') ?? 'none';
      else if (text !== undefined) option.description = `${option.description} (${text})`;
    }
    const own = examples[path] ?? [];
    if (isGroup(command) || own.length === 0) continue;
    const lines = own.flatMap(([line, does]) => [`  kymo ${line}`, `      ${does}`]);
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
}
