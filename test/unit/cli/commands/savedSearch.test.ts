import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerDiagnose } from '../../../../src/cli/commands/diagnose';
import type { CommandResult } from '../../../../src/cli/execution/context';
import { writeSearch } from '../../../../src/formats/kymo-search/searchFile';
import { live } from '../../../webview/diagnosis/searches';
import { useCommandFolder } from './commandFolder';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/cube4');
const mpi = path.join(fixtures, 'lulesh-mpi.cubex');
const { run, inFolder, file } = useCommandFolder('saved-search');
const kymo = (...words: string[]): Promise<CommandResult> =>
  run([registerDiagnose], ['diagnose', ...words], false);
let search = '';
beforeAll(() => {
  search = inFolder('search.json');
});

describe('kymo diagnose of an exported search', () => {
  test.each([[['lulesh-mpi.cubex']], [['tiny.cubex']], [['lulesh-mpi.cubex', 'lulesh-mpi.cubex']]])(
    'prints what the search of %j printed, as text, tree and JSON',
    async (names) => {
      const inputs = names.map((name) => path.join(fixtures, name));
      await kymo(...inputs, '--export', search);
      for (const words of [[], ['--tree']]) {
        const [measured, saved] = [await kymo(...inputs, ...words), await kymo(search, ...words)];
        expect(saved.text).toBe(measured.text);
        expect(saved.result).toEqual(measured.result);
      }
    },
  );

  test('--fail-on and --fail-above are of what it found', async () => {
    await kymo(mpi, '--export', search);
    const exceeded = async (...words: string[]): Promise<boolean | undefined> =>
      (await kymo(search, ...words)).limitExceeded;
    expect(await exceeded('--fail-on', 'ExcessiveSyncWaitingTime')).toBe(true);
    expect(await exceeded('--fail-on', 'LateSender')).toBe(false);
    expect(await exceeded('--fail-above', '5')).toBe(true);
    expect(await exceeded('--fail-above', '100')).toBe(false);
    await expect(exceeded('--fail-on', 'LateSendr')).rejects.toMatchObject({ reason: 'unknown-hypothesis' });
  });

  test('it cannot be searched again: other inputs, thresholds and hypotheses need a measurement', async () => {
    await kymo(mpi, '--export', search);
    for (const words of [
      [search, mpi],
      [mpi, search],
      [search, '--threshold', 'CPUBound=0.1'],
      [search, '--hypotheses', 'published'],
    ])
      await expect(kymo(...words)).rejects.toMatchObject({
        reason: 'usage',
        message: expect.stringContaining('search.json is a saved search') as string,
      });
  });

  test('of a running program: strategy, state, clock, and what is stale', async () => {
    const shown = inFolder('live.json');
    file('live.json', writeSearch(live()));
    const { text } = await kymo(shown, '--tree');
    expect(text.split('\n').slice(0, 3)).toEqual([
      'Run mpirun -np 4 solver.',
      'Searched while it ran (one search of the whole program, and each host its own part, with Deep Start): still searching, 48.2 s by the wall clock.',
      expect.stringMatching(/^1 result of \d+ is stale: the agent that measured there was lost\.$/),
    ]);
    expect(text).toMatch(/\n {3}Late sender .* · stale\n/);
    expect(text).toMatch(/\n *\+ LateSender <[^\n]*> [\d.]+ % > [\d.]+ % \(stale\)/);
    expect(text).toMatch(/\n\d+\. Computing in sweep takes 46\.0 % of the time of 3 processes\n/);
    expect(text).toContain('The search is slowed: measuring reaches the cost limit.');
    expect((await kymo(shown)).result).toMatchObject({
      strategy: 'partially distributed',
      state: 'searching',
    });
  });

  test('a hostile file is refused with its place, or why it cannot be read', async () => {
    await kymo(mpi, '--export', search);
    const text = readFileSync(search, 'utf8');
    const refused = async (content: string): Promise<unknown> => {
      file('hostile.json', content);
      return kymo(inFolder('hostile.json')).catch((error: unknown) => error);
    };
    expect(await refused(text.replace('"id": 3', '"id": 33'))).toMatchObject({ reason: 'search-invalid' });
    expect(await refused(text.replace('/Machine/', '/Code/'))).toMatchObject({ reason: 'search-invalid' });
    expect(await refused(text.slice(0, -9))).toMatchObject({ reason: 'search-invalid' });
    expect(await refused(text.replace('"kymoSearch": 1', '"kymoSearch": 2'))).toMatchObject({
      reason: 'search-newer',
    });
    expect(await refused('{}')).toMatchObject({ reason: 'search-invalid' });
    await expect(kymo(inFolder('none.json'))).rejects.toMatchObject({ reason: 'file-missing' });
    // What is shown moves no cursor and hides nothing.
    file(
      'names.json',
      text.replaceAll('lulesh.cc', 'l\\u001b[2J\\u202e.cc').replaceAll('"run": "', '"run": "\\u001b]0;'),
    );
    const { text: shown } = await kymo(inFolder('names.json'), '--tree');
    // oxlint-disable-next-line no-control-regex -- that is what is looked for
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});
