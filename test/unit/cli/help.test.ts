import { CommanderError, type Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/cli/program';
import { commandTree, isGroup, takesValue, visibleOptions } from '../../../src/cli/terminal/help/commandTree';
import { defaultTexts } from '../../../src/cli/terminal/help/defaults';
import { examples } from '../../../src/cli/terminal/help/examples';
import { helpTopic } from '../../../src/cli/terminal/help/helpTopic';

const program = (): Command => createProgram({ out: () => undefined, error: () => undefined });
const all = commandTree(program()).filter(({ command }) => !isGroup(command));

/** Options that do something only when they are given. */
const onlyWhenGiven = new Set(
  [
    [
      '--from-pira',
      '--model',
      '--imbalance',
      '--more',
      '--fail-above',
      '--fail-on',
      '--from',
      '--record',
      '--leave',
    ],
    [
      '--study',
      '--output',
      '--export',
      '--phase',
      '--compare',
      '--axis',
      '--out',
      '--k-means',
      '--graph',
      '--csv',
    ],
    ['--save'],
    ['--similarity', '--subsumption', '--expect', '--overhead', '--format', '--measurements', '--profile'],
    ['--filter', '--pin', '--exclude', '--names', '--user-region', '--set', '--threshold'],
  ].flat(),
);

describe.each(all.map(({ path, command }) => [path, command] as const))('kymo %s --help', (path, command) => {
  const { help } = helpTopic(program(), path.split(' ')) as { readonly help: string };
  const text = help.replace(/\s+/g, ' ');

  it('has all options, those of all commands too, and at least two examples', () => {
    expect(help).toContain(`Usage: kymo ${path}`);
    for (const { long } of visibleOptions(command)) expect(help).toContain(long);
    for (const common of ['--json', '--target', '--workspace']) expect(help).toContain(common);
    const lines = [...help.matchAll(/^ {2}kymo (.+)$/gm)].map(([, line]) => line);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line?.startsWith(path)).toBe(true);
  });

  it('says what applies where an option with a value is not given', () => {
    expect(text).not.toMatch(/default: (\{|\[)/);
    for (const option of visibleOptions(command).filter(takesValue)) {
      const { long = '', mandatory } = option;
      const defaultValue: unknown = option.defaultValue;
      const isSaid = /default/i.test(option.description) || defaultValue !== undefined;
      expect(isSaid || mandatory || onlyWhenGiven.has(long), `kymo ${path} ${long}`).toBe(true);
    }
  });

  it.each((examples[path] ?? []).map(([line]) => line))('the example is right: kymo %s', async (line) => {
    const [typed = ''] = line.split(/ >/);
    const words = typed.split(' ').map((word) => word.replaceAll('"', ''));
    const parsed = program();
    const ran: string[] = [];
    for (const { path: own, command: each } of commandTree(parsed))
      if (!isGroup(each)) each.action(() => void ran.push(own));
    await parsed.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
      throw error instanceof CommanderError ? new Error(error.message) : error;
    });
    expect(ran).toEqual([path]);
  });
});

it('defaults and examples are of commands and options that exist', () => {
  const paths = new Map(
    all.map(({ path, command }) => [path, visibleOptions(command).map(({ long }) => long ?? '')] as const),
  );
  expect(Object.keys(examples).sort()).toEqual([...paths.keys()].sort());
  for (const [path, options] of Object.entries(defaultTexts))
    for (const option of Object.keys(options))
      expect(paths.get(path) ?? [], `${path} ${option}`).toContain(option);
});

describe('kymo help', () => {
  it('of a command that does not exist names the nearest, or all, and shows no other help', () => {
    expect(helpTopic(program(), ['refin'])).toEqual({
      problem: 'There is no command "refin". Did you mean "refine"?',
    });
    expect(helpTopic(program(), ['nothing'])).toEqual({
      problem: expect.stringMatching(
        /^There is no command "nothing"\. There are: doctor, init, refine/,
      ) as string,
    });
    expect(helpTopic(program(), ['profile', 'shwo'])).toEqual({
      problem: 'There is no command "shwo". Did you mean "show"?',
    });
  });
  it('of a command is its own help', () => {
    expect(helpTopic(program(), ['profile', 'show'])).toEqual({
      help: expect.stringContaining('Examples:') as string,
    });
    expect(helpTopic(program(), [])).toHaveProperty('help', expect.stringContaining('Commands:'));
  });
});
