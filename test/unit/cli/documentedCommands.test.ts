import { CommanderError, type Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { scripts } from '../../../package.json';
import { createProgram } from '../../../src/cli/program';
import {
  documentedCommands,
  documents,
  readDocument,
  type DocumentedCommand,
} from '../../documentedCommands';

/** The real command line, whose commands do nothing. */
function idleProgram(): Command {
  const program = createProgram({ out: () => undefined, error: () => undefined });
  const silence = (command: Command): void => {
    command.action(() => undefined);
    command.commands.filter(({ commands }) => commands.length === 0).forEach(silence);
  };
  program.commands.forEach((command) => {
    if (command.commands.length === 0) silence(command);
    else command.commands.forEach(silence);
  });
  return program;
}

/** A sentence may name a command without what it works on. */
const allowedInSentences = new Set([
  'commander.help',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
]);

/** What is wrong with a command line, or nothing. */
async function complaint({ words, where, line, isBlock }: DocumentedCommand): Promise<readonly string[]> {
  try {
    await idleProgram().parseAsync([...words], { from: 'user' });
    return [];
  } catch (error) {
    const { code, message } = error as CommanderError;
    if (error instanceof CommanderError && error.exitCode === 0) return [];
    return !isBlock && allowedInSentences.has(code) ? [] : [`${where}: ${line}: ${message}`];
  }
}

describe('commands in the documentation', () => {
  it.each(documents())('of %s are accepted by the command line', async (file) => {
    const complaints = await Promise.all(documentedCommands(file).map(complaint));
    expect(complaints.flat()).toEqual([]);
  });
  it('that are wrong would be noticed', async () => {
    const of = (...words: readonly string[]): DocumentedCommand => ({
      where: 'x',
      line: 'kymo',
      words,
      isBlock: true,
    });
    expect(await complaint(of('measure', '--nonsense'))).toEqual([expect.stringContaining('--nonsense')]);
    expect(await complaint(of('filter', 'chek', 'a.filter'))).toHaveLength(1);
    expect(await complaint(of('compare'))).toHaveLength(1);
    expect(await complaint(of('study', '--design', 'nonsense'))).toHaveLength(1);
  });
  it('are found in README and guides', () => {
    const found = documents().flatMap(documentedCommands);
    expect(found.filter(({ isBlock }) => isBlock).length).toBeGreaterThan(40);
    expect(found.length).toBeGreaterThan(120);
  });
  it('that start a script of npm name one that exists', () => {
    for (const file of documents())
      for (const [, name = ''] of readDocument(file).matchAll(/npm run (?:--silent )?([\w:]+)/g))
        expect(Object.keys(scripts), `${file}: npm run ${name}`).toContain(name);
  });
});

describe('docs/INTERFACES.md', () => {
  const table =
    readDocument('docs/INTERFACES.md').split('## The command line')[1]?.split('\nKinds of ')[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const named = (row: string): readonly string[] =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([a-z-]+)/g)].map(([, name = '']) => name);

  it('has every command, and no other one', () => {
    const existing = new Set(idleProgram().commands.map((command) => command.name()));
    const absent = rows.filter((row) => named(row).some((name) => !existing.has(name)));
    expect(absent.flatMap(named)).toEqual([]);
    const documented = new Set(rows.flatMap(named));
    // Agents are started by `kymo run` on other hosts, and by nobody else.
    expect([...existing].filter((name) => !documented.has(name) && name !== 'agent')).toEqual([]);
  });
});
