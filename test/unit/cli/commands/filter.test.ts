import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerFilter } from '../../../../src/cli/commands/filter';
import type { CommandResult } from '../../../../src/cli/execution/context';
import { sharedData } from '../../../shared';
import { useCommandFolder } from './commandFolder';

const { inFolder, file, run } = useCommandFolder('filter');
const kymo = (...words: string[]): Promise<CommandResult> => run([registerFilter], ['filter', ...words]);

const region = (body: string): string => `SCOREP_REGION_NAMES_BEGIN\n${body}\nSCOREP_REGION_NAMES_END\n`;
const rules = region('  EXCLUDE *\n  INCLUDE MANGLED _Z1fi main');

describe('kymo filter check', () => {
  it('reports places', async () => {
    const { result, status, text } = await kymo('check', file('bad.filter', region('  foo')));
    expect([status, text.split('\n').at(-1)]).toEqual([1, '0 rules, 1 error, 0 warnings']);
    expect(result).toMatchObject({ valid: false, diagnostics: [{ severity: 'error', line: 2, column: 3 }] });
    const good = await kymo('check', file('good.filter', rules));
    expect(good.status).toBeUndefined();
    expect(good.result).toMatchObject({
      valid: true,
      rules: 3,
      diagnostics: [],
    });
  });

  it('says how to make a filter of a selection of another tool', async () => {
    const foreign = file('select.tau', 'BEGIN_EXCLUDE_LIST\nvoid foo(int)#\nEND_EXCLUDE_LIST\n');
    const { status, text } = await kymo('check', foreign);
    expect(status).toBe(1);
    expect(text).toContain(
      `selection in another format. Make a Score-P filter of it: kymo filter convert ${foreign} OUT.filter`,
    );
    expect((await kymo('check', file('bad2.filter', region('  EXLUDE *')))).text).not.toContain(
      'another format',
    );
  });

  it('tells which rules have no effect on the functions of a program', async () => {
    const names = file('known.txt', 'main\nother\n');
    const { result } = await kymo('check', file('f.filter', rules), '--names', names);
    expect(result).toMatchObject({
      functions: 2,
      instrumented: 1,
      diagnostics: [{ code: 'matches-nothing', line: 3, column: 19 }],
      effects: [
        { line: 2, matches: 2, wins: 1 },
        { line: 3, matches: 0, wins: 0 },
        { line: 3, matches: 1, wins: 1 },
      ],
    });
  });

  const profile = sharedData('scorep/lulesh-serial-unfiltered/lulesh.s10.unfiltered/profile.cubex');
  it.skipIf(profile === undefined)('knows the functions of a profile', async () => {
    const score = sharedData('scorep/filters/lulesh-scorep-score-g.filter')!;
    const { result } = await kymo('check', score, '--names', profile!);
    expect(result).toMatchObject({ valid: true, diagnostics: [], functions: 21, instrumented: 18 });
    const folderOf = await kymo('check', score, '--names', path.dirname(profile!));
    expect(folderOf.result).toEqual(result);
  });
});

describe('kymo filter match', () => {
  it('tells the verdict and the rule of each name', async () => {
    const names = file('names.txt', 'main\n_Z1fi\n_Z1gv\nother\n_Z1hi\tvoid h(int)\t/a.cc\n');
    const { result } = await kymo('match', file('f.filter', rules), '--names', names);
    expect(result).toEqual([
      { name: 'main', instrumented: true, rule: { line: 3 } },
      { name: '_Z1fi', instrumented: true, rule: { line: 3 } },
      { name: '_Z1gv', instrumented: false, rule: { line: 2 } },
      { name: 'other', instrumented: false, rule: { line: 2 } },
      { name: '_Z1hi', instrumented: false, rule: { line: 2 } },
    ]);
  });

  it('knows what the compiler leaves out by itself', async () => {
    const names = file('inline.txt', '_Z1fi\tint f(int)\t/a.h\tinline\n');
    const filter = file('star.filter', region('INCLUDE *'));
    const verdict = async (when: string) =>
      (await kymo('match', filter, '--names', names, '--when', when)).result;
    expect(await verdict('run-time')).toMatchObject([{ instrumented: true }]);
    expect(await verdict('compile-time')).toMatchObject([{ instrumented: false }]);
    await expect(kymo('match', filter, '--names', names, '--when', 'now')).rejects.toMatchObject({
      reason: 'usage',
    });
  });

  it('no name steers the terminal', async () => {
    const names = file('evil.txt', 'a\u001b[2Jb\n');
    const { text } = await kymo('match', file('f.filter', rules), '--names', names);
    expect(text).not.toContain('\u001b');
  });
});

describe('kymo filter convert', () => {
  it('goes through all forms and back', async () => {
    const start = file('start.filter', rules);
    const steps = ['a.json', 'b.txt', 'c.filter'].map((name) => inFolder(name));
    await kymo('convert', start, steps[0]!);
    await kymo('convert', steps[0]!, steps[1]!);
    const { result } = await kymo('convert', steps[1]!, steps[2]!, '--user-region', 'step');
    expect(result).toMatchObject({ format: 'scorep', functions: 2 });
    expect(readFileSync(steps[1]!, 'utf8')).toBe('_Z1fi\nmain\n');
    expect(readFileSync(steps[2]!, 'utf8')).toContain('  INCLUDE step\n  INCLUDE MANGLED _Z1fi\n');
    await expect(kymo('convert', start, start)).rejects.toMatchObject({ reason: 'usage' });
  });
});

describe('kymo filter format', () => {
  it('prints the layout, or writes it', async () => {
    const untidy = file('untidy.filter', 'SCOREP_REGION_NAMES_BEGIN EXCLUDE *\r\nINCLUDE a b');
    const tidy = region('  EXCLUDE *\n  INCLUDE a\n  INCLUDE b');
    expect((await kymo('format', untidy)).result).toEqual({ file: untidy, changed: true, text: tidy });
    expect((await kymo('format', untidy, '--write')).result).toEqual({ file: untidy, changed: true });
    expect(readFileSync(untidy, 'utf8')).toBe(tidy);
    expect((await kymo('format', untidy, '--write')).result).toMatchObject({ changed: false });
    await expect(kymo('format', file('bad.filter', 'x'))).rejects.toMatchObject({ reason: 'filter-invalid' });
  });
});

describe('kymo filter diff', () => {
  it('tells functions and lines', async () => {
    const before = file('before.filter', rules);
    const after = file('after.filter', region('  EXCLUDE *\n  INCLUDE MANGLED main _Z1gv'));
    const { result } = await kymo('diff', before, after);
    expect(result).toMatchObject({ added: ['_Z1gv'], removed: ['_Z1fi'], unchanged: 1 });
    expect((result as { patch: string }).patch).toContain('-  INCLUDE MANGLED _Z1fi main\n');
    const names = file('program.txt', 'main\n_Z1gv\nx\n');
    expect((await kymo('diff', before, after, '--names', names)).result).toMatchObject({
      added: ['_Z1gv'],
      removed: [],
      unchanged: 2,
    });
  });
});
