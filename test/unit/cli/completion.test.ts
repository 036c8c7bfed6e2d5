import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/cli/program';
import { completions } from '../../../src/cli/terminal/completion/completions';
import { completionScript, shells, type Shell } from '../../../src/cli/terminal/completion/shells';
import { commandTree, visibleOptions } from '../../../src/cli/terminal/help/commandTree';

const program = createProgram({ out: () => undefined, error: () => undefined });
const folder = mkdtempSync(path.join(tmpdir(), 'kymo completion '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const scripts = new Map<Shell, string>();
for (const shell of shells) {
  const file = path.join(folder, shell);
  writeFileSync(file, completionScript(shell, completions(program)));
  scripts.set(shell, file);
}
const file = (shell: Shell): string => scripts.get(shell) ?? '';
const has = (name: string): boolean => spawnSync(name, ['-c', 'exit 0']).status === 0;

/** What a real bash offers for the last word. */
function bashOffers(...words: readonly string[]): readonly string[] {
  const lines = execFileSync(
    'bash',
    [
      '--norc',
      '-c',
      'source "$1"; shift; COMP_WORDS=(kymo "$@"); COMP_CWORD=$#; _kymo; printf "%s\\n" "${COMPREPLY[@]}"',
      'bash',
      file('bash'),
      ...words,
    ],
    { encoding: 'utf8' },
  );
  return lines.split('\n').filter((line) => line !== '');
}

describe('in a real bash', () => {
  it('offers commands, and what is below them', () => {
    expect(bashOffers('ref')).toEqual(['refine']);
    expect(bashOffers('')).toEqual(expect.arrayContaining(['doctor', 'refine', 'filter', 'help']));
    expect(bashOffers('')).not.toContain('agent');
    expect(bashOffers('filter', '')).toEqual(['check', 'match', 'convert', 'format', 'diff']);
  });
  it('offers options of the command and those of all, and the words that they take', () => {
    expect(bashOffers('refine', '--over')).toEqual(['--overhead']);
    expect(bashOffers('refine', '--works')).toEqual(['--workspace']);
    expect(bashOffers('refine', '--strategy', '')).toEqual(expect.arrayContaining(['hotspot', 'imbalance']));
    expect(bashOffers('trace', 'convert', 'traces.otf2', '--to', 'ch')).toEqual(['chrome']);
  });
  it('takes the value of an option for no command, and leaves files to the shell', () => {
    expect(bashOffers('--target', 'refine', 'fil')).toEqual(['filter']);
    expect(bashOffers('measure', '--filter', '')).toEqual([]);
    expect(bashOffers('filter', 'check', '')).toEqual([]);
  });
  it('offers the words of arguments, and leaves what follows -- to the shell', () => {
    expect(bashOffers('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(bashOffers('refine', '--yes', '--', '--over')).toEqual([]);
    expect(bashOffers('refine', '--', './solver', '')).toEqual([]);
  });
  it('knows every option of every command', () => {
    for (const { path: command, command: defined } of commandTree(program)) {
      const offered = bashOffers(...command.split(' '), '--');
      for (const { long } of visibleOptions(defined)) expect(offered, command).toContain(long);
    }
  }, 60_000);
});

describe.each(['zsh', 'fish'] as const)('for %s', (shell) => {
  it.skipIf(!has(shell))('is read without an error', () => {
    expect(spawnSync(shell, ['-n', file(shell)], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
  it('names every command and its options', () => {
    const text = completionScript(shell, completions(program));
    for (const { command } of commandTree(program)) expect(text).toContain(command.name());
    expect(text).toContain('overhead');
  });
});

/** The line that a real zsh makes of another one, when Tab is pressed at its end. */
function zshCompletes(line: string): string {
  // The second key prints the line, so that nothing depends on time.
  const setUp = [
    'PS1= RPS1=',
    'autoload -Uz compinit',
    'compinit -u -D',
    `source '${file('zsh')}'`,
    `cd '${folder}'`,
    'shown() { zle -I; print -r -- "<$BUFFER>"; }',
    'zle -N shown',
    'bindkey "^G" shown',
    'print -r rea""dy',
  ];
  const driver = [
    'zmodload zsh/zpty',
    'zpty shell zsh -f -i',
    'zpty -w shell "$2"',
    "zpty -r shell seen '*ready*'",
    'zpty -w -n shell "$1"$\'\\t\\a\'',
    "zpty -r shell seen '*<*>*'",
    'print -r -- "$seen"',
    'zpty -d shell',
  ];
  const { stdout } = spawnSync('zsh', ['-f', '-c', driver.join('\n'), 'zsh', line, setUp.join('; ')], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return /<(kymo.*?)\s*>/.exec(stdout)?.[1] ?? stdout;
}

describe.skipIf(!has('zsh'))('in a real zsh', () => {
  it.each([
    ['kymo refi', 'kymo refine'],
    ['kymo refine --overh', 'kymo refine --overhead'],
    ['kymo refine --works', 'kymo refine --workspace'],
    ['kymo refine --strategy hots', 'kymo refine --strategy hotspot'],
    ['kymo trace conv', 'kymo trace convert'],
    ['kymo --target refine comple', 'kymo --target refine completion'],
    ['kymo completion fi', 'kymo completion fish'],
    ['kymo refine -- ./ba', 'kymo refine -- ./bash'],
    ['kymo refine -- ./x --overh', 'kymo refine -- ./x --overh'],
  ])('%s becomes %s', (line, completed) => expect(zshCompletes(line)).toBe(completed));
});

/** What a real fish offers for the end of a line. */
function fishOffers(line: string): readonly string[] {
  const script = `cd '${folder}'; source '${file('fish')}'; complete -C '${line}'`;
  const lines = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((offer) => (offer === '' ? [] : [offer.split('\t')[0] ?? '']));
}

describe.skipIf(!has('fish'))('in a real fish', () => {
  it('offers commands, options and their words', () => {
    expect(fishOffers('kymo refi')).toEqual(['refine']);
    expect(fishOffers('kymo refine --over')).toEqual(['--overhead']);
    expect(fishOffers('kymo refine --strategy hots')).toEqual(['hotspot']);
    expect(fishOffers('kymo --target refine comple')).toEqual(['completion']);
    expect(fishOffers('kymo completion fi')).toContain('fish');
  });
  it('leaves what follows -- to the shell', () => {
    expect(fishOffers('kymo refine -- ./ba')).toEqual(['./bash']);
    expect(fishOffers('kymo refine -- ./x --overh')).toEqual([]);
  });
  it('knows every option of every command', () => {
    for (const { path: command, command: defined } of commandTree(program)) {
      const offered = fishOffers(`kymo ${command} -`);
      for (const { long } of visibleOptions(defined)) expect(offered, command).toContain(long);
    }
  }, 60_000);
});
