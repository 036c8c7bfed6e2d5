import { Help, type Command } from 'commander';
import { commandTree, isGroup, visibleCommands, visibleOptions } from '../help/commandTree';
import { examples } from '../help/examples';
import { exitStatuses } from '../help/exitStatuses';

/** A page in Markdown with every command, its arguments, options and examples, from the same definitions as the help and the manual pages. */
export function commandReference(program: Command): string {
  const parts = [
    '# Commands',
    `This page has the help of \`kymo\` ${program.version() ?? ''}; \`kymo help COMMAND\` prints the same in a terminal.`,
    '## Common options',
    table(['option', 'meaning'], visibleOptions(program).map(optionRow)),
    '## Exit status',
    table(['status', 'meaning'], exitStatuses),
    ...commandTree(program).flatMap(({ path, command }) => commandParts(path, command)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function commandParts(path: string, command: Command): readonly string[] {
  return [
    `## kymo ${path}`,
    sentence(command.description()),
    ...(isGroup(command) ? [] : [`\`\`\`text\nkymo ${path} ${command.usage()}\n\`\`\``]),
    ...optionalTable(
      ['command', 'meaning'],
      visibleCommands(command).map((own) => [code(`kymo ${path} ${own.name()}`), prose(own.description())]),
    ),
    ...optionalTable(
      ['argument', 'meaning'],
      command.registeredArguments.map((argument) => [
        code(argument.name()),
        prose(new Help().argumentDescription(argument)),
      ]),
    ),
    ...optionalTable(['option', 'meaning'], visibleOptions(command).filter(isOwn).map(optionRow)),
    ...optionalTable(
      ['example', 'what it does'],
      (examples[path] ?? []).map(([typed, does]) => [code(`kymo ${typed}`), prose(does)]),
    ),
  ];
}

function optionRow(option: Command['options'][number]): readonly [string, string] {
  return [code(option.flags), prose(new Help().optionDescription(option))];
}

function isOwn({ long }: Command['options'][number]): boolean {
  return long !== '--help';
}

function optionalTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : [table(head, rows)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

/** Text in code style in a cell of a table. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

/** Text that is no Markdown, HTML or template, whatever is in it. */
function prose(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|#]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function sentence(description: string): string {
  const text = prose(description);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
