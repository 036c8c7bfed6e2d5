import { Help, type Argument, type Command, type Option } from 'commander';
import { commandTree, isGroup, visibleCommands, visibleOptions } from '../help/commandTree';
import { examples } from '../help/examples';
import { exitStatuses } from '../help/exitStatuses';
import { bold, line, roff } from './roff';

/** A page in roff with the macros of man(7). */
export interface ManPage {
  /** Such as `kymo-profile-show.1`; `man kymo profile show` finds it, too. */
  readonly file: string;
  readonly text: string;
}

/** One page for the program and one for each command, from the definitions of the commands, so that none lacks an option. */
export function manPages(program: Command): readonly ManPage[] {
  const version = program.version() ?? '';
  const tree = commandTree(program);
  const all = [{ path: '', command: program }, ...tree];
  return all.map(({ path, command }) => {
    const name = pageName(path);
    const parts = [
      // Without a date: the same sources make the same pages.
      `.TH ${name.toUpperCase()} 1 "" "Kymo ${roff(version)}" "Kymo"`,
      section('NAME', [`${roff(name)} \\- ${roff(command.description())}`]),
      section('SYNOPSIS', [usage(path, command)]),
      ...list('ARGUMENTS', command.registeredArguments.map(argumentItem)),
      ...list(
        'COMMANDS',
        visibleCommands(command).map((own) => commandItem(path, own)),
      ),
      ...list('OPTIONS', visibleOptions(command).map(optionItem)),
      ...list('COMMON OPTIONS', path === '' ? [] : visibleOptions(program).filter(isCommon).map(optionItem)),
      ...list(
        'EXAMPLES',
        (examples[path] ?? []).map(([typed, does]) => item(`kymo ${typed}`, does)),
      ),
      ...(isGroup(command) && path !== '' ? [] : [exitStatus]),
      ...(path === '' ? [files] : []),
      section('SEE ALSO', [
        seeAlso(
          path,
          tree.map((other) => other.path),
        ),
      ]),
    ];
    return { file: `${name}.1`, text: `${parts.join('\n')}\n` };
  });
}

function pageName(path: string): string {
  return ['kymo', ...path.split(' ').filter((word) => word !== '')].join('-');
}

function section(title: string, lines: readonly string[]): string {
  return [`.SH ${title}`, ...lines].join('\n');
}

function list(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [section(title, items)];
}

/** A paragraph with a term above it. */
function item(term: string, text: string): string {
  return ['.TP', bold(term), line(text === '' ? 'No description.' : text)].join('\n');
}

/** Commander's own text, without its own help command. */
function usage(path: string, command: Command): string {
  return `${bold(`kymo${path === '' ? '' : ` ${path}`}`)} ${roff(command.usage())}`;
}

function argumentItem(argument: Argument): string {
  const choices = argument.argChoices === undefined ? '' : ` Choices: ${argument.argChoices.join(', ')}.`;
  return item(argument.name(), `${argument.description}${choices}`);
}

function commandItem(path: string, command: Command): string {
  return item([...path.split(' '), command.name()].join(' ').trim(), command.description());
}

/** With choices and default, as the help prints them. */
function optionItem(option: Option): string {
  return item(option.flags, new Help().optionDescription(option));
}

function isCommon({ long }: Option): boolean {
  return long !== '--help' && long !== '--version';
}

const exitStatus = list(
  'EXIT STATUS',
  exitStatuses.map(([status, meaning]) => item(status, meaning)),
).join('\n');

const files = list('FILES', [
  item(
    'kymo.json',
    'How the program is built, run and refined; "kymo init" or "kymo refine -- ./program" writes a first one.',
  ),
  item('.kymo/<target>/<study>', 'Results, beside kymo.json.'),
]).join('\n');

function seeAlso(path: string, paths: readonly string[]): string {
  const below = paths.filter((other) => other !== path && (path === '' || other.startsWith(`${path} `)));
  const above = path === '' ? [] : ['', ...paths.filter((other) => path.startsWith(`${other} `))];
  return [...above, ...below].map((other) => `${bold(pageName(other))}(1)`).join(', ');
}
