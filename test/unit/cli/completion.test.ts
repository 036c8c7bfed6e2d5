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

describe.skipIf(!has('fish'))('in a real fish', () => {
  it('offers commands and options', () => {
    const offers = execFileSync(
      'fish',
      ['-c', `source '${file('fish')}'; complete -C 'kymo refine --over'`],
      {
        encoding: 'utf8',
      },
    );
    expect(offers).toContain('--overhead');
  });
});
