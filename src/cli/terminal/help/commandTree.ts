import type { Command, Option } from 'commander';

/** A command that does something, with the words that name it: `profile show`. */
export interface CommandPath {
  readonly path: string;
  readonly command: Command;
}

/** All commands below `program` with their groups, in the order of the help. Hidden ones are for Kymo itself. */
export function commandTree(program: Command, before = ''): readonly CommandPath[] {
  return visibleCommands(program).flatMap((command) => {
    const path = `${before}${command.name()}`;
    return [{ path, command }, ...commandTree(command, `${path} `)];
  });
}

export function isGroup(command: Command): boolean {
  return command.commands.length > 0;
}

/** Those in the help, without `help` itself. */
export function visibleCommands(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((own) => own.name() !== 'help');
}

export function visibleOptions(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

/** Whether the next word is the value of the option. */
export function takesValue({ required }: Option): boolean {
  return required;
}
