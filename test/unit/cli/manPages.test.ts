import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { pages } from '../../../src/cli/pages';
import { createProgram } from '../../../src/cli/program';
import { commandTree, visibleOptions } from '../../../src/cli/terminal/help/commandTree';
import { examples } from '../../../src/cli/terminal/help/examples';
import { manPages } from '../../../src/cli/terminal/man/manPages';
import { line } from '../../../src/cli/terminal/man/roff';

const program = createProgram({ out: () => undefined, error: () => undefined });
const all = new Map(manPages(program).map(({ file, text }) => [file, text]));
const pageOf = (path: string): string => all.get(`kymo-${path.replaceAll(' ', '-')}.1`) ?? '';
const has = (name: string): boolean => spawnSync(name, ['--version']).status === 0;
const needs = (name: string): boolean => {
  if (has(name)) return true;
  console.warn(`${name} is not installed, so the manual pages are not tried with it.`);
  return false;
};

/** What a reader sees of a page, without the breaks of lines, and what the tool complains about. */
function shown(page: string, device = 'utf8'): { readonly text: string; readonly complaints: string } {
  const { stdout, stderr } = spawnSync(
    'groff',
    ['-man', '-ww', '-k', `-T${device}`, '-P-cbou', '-rLL=2000n'],
    {
      input: page,
      encoding: 'utf8',
    },
  );
  return { text: stdout, complaints: stderr };
}

describe('manual pages', () => {
  it('are of every command and of the program, and of nothing else', () => {
    const names = commandTree(program).map(({ path }) => `kymo-${path.replaceAll(' ', '-')}.1`);
    expect([...all.keys()].sort()).toEqual(['kymo.1', ...names].sort());
    expect(pageOf('agent')).toBe('');
  });

  it.skipIf(!needs('groff'))(
    'show every option and example of their command, and are right',
    () => {
      for (const { path, command } of commandTree(program)) {
        const { text, complaints } = shown(pageOf(path));
        expect(complaints, path).toBe('');
        expect(text).toContain(command.description().replace(/\s+/g, ' '));
        for (const { flags } of [
          ...visibleOptions(command),
          ...program.options.filter(({ long }) => long !== '--version'),
        ])
          expect(text, path).toContain(flags);
        for (const { name } of command.registeredArguments.map((argument) => ({ name: argument.name() })))
          expect(text, path).toMatch(new RegExp(`ARGUMENTS[^]*\\n +${name}\\b`));
        for (const [typed] of examples[path] ?? []) expect(text, path).toContain(`kymo ${typed}`);
        expect(text, path).toMatch(/SEE ALSO\n.*kymo\(1\)/);
        expect(shown(pageOf(path), 'ascii').complaints, path).toBe('');
      }
      const { text, complaints } = shown(all.get('kymo.1') ?? '');
      expect(complaints).toBe('');
      for (const { path, command } of commandTree(program)) {
        expect(text).toContain(`kymo-${path.replaceAll(' ', '-')}(1)`);
        if (!path.includes(' ')) expect(text).toContain(command.description().replace(/\s+/g, ' '));
      }
    },
    120_000,
  );

  it.skipIf(!needs('man'))(
    'are read by man without a warning',
    () => {
      const warnings = (page: string): string =>
        spawnSync('man', ['--warnings', '--encoding=UTF-8', '--troff-device=utf8', '-l', '-'], {
          input: page,
          encoding: 'utf8',
          env: { ...process.env, LC_ALL: 'C.UTF-8', MANPAGER: 'cat', PAGER: 'cat' },
        }).stderr;
      expect(warnings('.TH A 1\n.SH NAME\na \\- b\n.NOTHING\n')).toContain('warning');
      for (const [file, text] of all) expect(warnings(text), file).toBe('');
    },
    120_000,
  );

  it.skipIf(!needs('groff'))('take any text for text', () => {
    const texts = [
      '.so /etc/passwd',
      "'br of an apostrophe",
      '\\fBno font\\fR, \\n(.l and \\*[x]',
      'a\\',
      '"quoted" and `quoted` – “so”, it’s ^~ 100 % …'.replace('…', '...'),
      '--option=${cc} <name> [x|y] #1 @2 $3 & n² ≤ 4',
      'two\nlines\t.TP',
    ];
    const { text, complaints } = shown(
      ['.TH A 1', '.SH A', ...texts.flatMap((each) => ['.PP', line(each)])].join('\n'),
    );
    expect(complaints).toBe('');
    for (const each of texts) expect(text).toContain(each.replace(/\s+/g, ' '));
  });
});

it('pages of the command line are manual pages and completions under the names that shells look for', () => {
  const names = Object.keys(pages());
  expect(names.filter((name) => name.startsWith('man/'))).toHaveLength(all.size);
  expect(names.filter((name) => !name.startsWith('man/'))).toEqual(
    expect.arrayContaining(['completions/kymo.bash', 'completions/_kymo', 'completions/kymo.fish']),
  );
  for (const text of Object.values(pages()))
    expect(text).toMatch(/^(\.TH KYMO|# Completion of kymo|#compdef kymo)/);
});
