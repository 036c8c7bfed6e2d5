import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { registerProfile } from '../../../../src/cli/commands/profile';
import type { CommandResult } from '../../../../src/cli/execution/context';
import { readCube } from '../../../../src/formats/cube4/read';
import { profileJson, type ProfileJson } from '../../../../src/formats/exports/json';
import { useCommandFolder } from './commandFolder';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/cube4');
const tiny = path.join(fixtures, 'tiny.cubex');
const mpi = path.join(fixtures, 'lulesh-mpi.cubex');
const { inFolder, file: newFile, run } = useCommandFolder('profile');
const kymo = (...words: string[]): Promise<CommandResult> =>
  run([registerProfile], ['profile', ...words], false);

describe('kymo profile show', () => {
  test('--json prints the profile', async () => {
    const profile = readCube(readFileSync(tiny), tiny);
    expect((await kymo('show', tiny)).result).toMatchObject(profileJson(profile));
    expect((await kymo('show', tiny, '--per-location')).result).toMatchObject(
      profileJson(profile, { perLocation: true }),
    );
  });

  test('--json has the flat profile, with what its shares are of', async () => {
    const { base, functions } = (await kymo('show', tiny)).result as Required<ProfileJson>;
    expect(base).toMatchObject({ run: 'tiny.cubex', clock: 'wall', leftOut: [] });
    expect(functions.reduce((sum, { exclusiveShare }) => sum + exclusiveShare, 0)).toBeCloseTo(1, 9);
  });

  test('--ranks has what each rank spends its time for, and the ranks with least and most computation', async () => {
    const { result, text } = await kymo('show', mpi, '--ranks', '--top', '3');
    const { ranks, functions } = result as {
      ranks: readonly { rank: number; host: string; computingSeconds: number; movingSeconds: number }[];
      functions: readonly {
        name: string;
        ranks?: { leastSeconds: number; mostSeconds: number; mostRanks: string };
      }[];
    };
    expect(ranks.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    // The root has the whole run below it.
    const [main] = functions
      .flatMap((own) => own.ranks ?? [])
      .sort((first, second) => second.mostSeconds - first.mostSeconds);
    const most = Math.max(...ranks.map(({ computingSeconds }) => computingSeconds));
    const least = Math.min(...ranks.map(({ computingSeconds }) => computingSeconds));
    expect(main?.mostSeconds).toBeCloseTo(most, 9);
    expect(main?.leastSeconds).toBeCloseTo(least, 9);
    expect(main?.mostRanks.split(/[,-]/).map(Number)).toContain(
      ranks.findIndex(({ computingSeconds }) => computingSeconds === most),
    );
    expect(text).toMatch(/rank {2}computation +in MPI +other waiting {2}host\n +0 /);
    expect(text).toContain('least on ranks');
    expect(text).toMatch(/more functions \(--top \d+ shows all\)/);
    expect((await kymo('show', mpi)).result).not.toHaveProperty('ranks');
    await expect(kymo('show', tiny, '--ranks')).rejects.toMatchObject({ reason: 'no-ranks' });
  });

  test('people get the regions that matter', async () => {
    const { text } = await kymo('show', tiny, '--top', '2');
    expect(text).toContain('Time 729 ms, 50 call paths of 31 regions, 1 location in 1 rank');
    const [, base, , head = '', first = '', second = '', rest = ''] = text.split('\n');
    expect(base).toBe('Shares of 729 ms run time in run tiny.cubex.');
    expect(head.trim().split(/ {2,}/)).toEqual([
      'exclusive',
      'inclusive',
      'exclusive time',
      'inclusive time',
      'visits',
      'exclusive/visit',
      'region',
      'place',
    ]);
    expect(first.trim()).toMatch(
      /^15\.4 % +63\.\d % +113 ms +462 ms +534 k +211 ns +void Finder::relax.* \/home\/.*finder\.cc:10$/,
    );
    expect(second).toContain('void Heap::down(int)');
    expect(rest).toBe('… and 27 more regions (--top 29 shows all)');
  });

  test('--per-location adds how ranks differ', async () => {
    const { text } = await kymo('show', mpi, '--per-location', '--top', '1');
    expect(text).toMatch(/least +mean +most +at rank:thread/);
  });
});

describe('kymo profile convert', () => {
  test.each(['cubex', 'json', 'speedscope.json', 'csv'])('.%s', async (ending) => {
    const out = inFolder('new folder', `x.${ending}`);
    const { result } = await kymo('convert', tiny, out);
    const bytes = readFileSync(out);
    expect(result).toMatchObject({ format: ending, callPaths: 50, bytes: bytes.length });
    if (ending === 'cubex') expect(readCube(bytes, out)).toEqual(readCube(readFileSync(tiny), tiny));
    if (ending === 'json')
      expect((await kymo('show', tiny)).result).toMatchObject(JSON.parse(bytes.toString()));
    expect(readdirSync(path.dirname(out)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('what cannot be done is said', () => {
  test.each([
    ['file-missing', ['show', 'missing.cubex'], /“missing.cubex” cannot be read: there is no such file/],
    ['file-missing', ['show', 'profile.txt'], /“profile.txt” cannot be read: there is no such file/],
    [
      'no-profile',
      ['show', path.join(import.meta.dirname, 'profile.test.ts')],
      /give a .cubex file, or the folder of/,
    ],
    ['no-profile', ['show', fixtures], /has no profile: give a .cubex file, the folder of an experiment/],
    ['usage', ['show', tiny, '--top', 'many'], /--top needs a whole number/],
    ['usage', ['convert', tiny, 'x.xlsx'], /names no format. Use .speedscope.json, .json, .cubex, .csv/],
    ['usage', ['convert', tiny, tiny], /is the input itself/],
    ['file-unusable', ['convert', tiny, '/dev/null/x.csv'], /cannot be written/],
  ])('%s: %s', async (reason, args, message) => {
    await expect(kymo(...args)).rejects.toMatchObject({
      reason,
      message: expect.stringMatching(message) as string,
    });
  });

  test('files that are no profiles', async () => {
    const file = newFile('text.cubex', 'no profile');
    await expect(kymo('show', file)).rejects.toMatchObject({ reason: 'not-a-cube' });
  });
});
