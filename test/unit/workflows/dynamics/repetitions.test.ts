import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDynamics } from '../../../../src/workflows/dynamics';
import type { DynamicsRun } from '../../../../src/workflows/dynamics/dynamics.types';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo repetitions ü '));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly unit?: string;
  readonly ranks?: readonly number[];
  readonly seconds?: number;
  readonly iterations?: number;
}

function file(
  name: string,
  { unit = 's', ranks = [0, 1], seconds = 1, iterations = 20 }: Given = {},
): string {
  const series = ranks.flatMap((rank) =>
    ['<phase>', 'solve'].map((region) => ({
      ...{ region, metric: 'time', rank, thread: 0 },
      values: Array.from({ length: iterations }, () => seconds),
    })),
  );
  const target = path.join(folder, `${name}.ndjson`);
  const lines = [{ kymoSeries: 1, unit, phase: 'step' }, ...series].map((line) => JSON.stringify(line));
  writeFileSync(target, `${lines.join('\n')}\n`);
  return target;
}

const run = (...inputs: readonly string[]): Promise<DynamicsRun> =>
  runDynamics({ inputs }, { workspace: folder });

describe('series files that are given together', () => {
  it('are one run where their ranks differ, and repetitions where these are the same', async () => {
    const [first, second] = [file('a0', { ranks: [0] }), file('a1', { ranks: [1] })];
    const parts = await run(first, second);
    expect(parts.result.notes.join()).not.toContain('repetitions');
    expect(parts.result.rows.map(({ ranks }) => ranks)).toEqual(['0-1']);
    const again = [file('b0', { ranks: [0], seconds: 2 }), file('b1', { ranks: [1], seconds: 2 })];
    const { result } = await run(first, second, ...again);
    expect(result.notes[0]).toMatch(/^2 repetitions together/);
    expect(result.series.map(({ impact }) => impact)).toEqual([20, 20]);
  });

  it('end with the shortest repetition, which is said', async () => {
    const { result } = await run(file('long'), file('short', { iterations: 15, seconds: 1.1 }));
    expect(result.iterations).toBe(15);
    expect(result.notes).toContain(
      'The repetitions have different numbers of iterations: the first 15, which all of them have, are analysed.',
    );
    const csv = (name: string, count: number): string => {
      const target = path.join(folder, `${name}.csv`);
      const lines = Array.from({ length: count }, (_, i) => `${i + 1},1,0.${count}`);
      writeFileSync(target, ['iteration,phase,solve', ...lines, ''].join('\n'));
      return target;
    };
    expect((await run(csv('x', 12), csv('y', 20))).result.notes.join()).toContain('the first 12, which all');
    expect((await run(csv('x', 12), csv('z', 13))).result.iterations).toBe(12);
  });

  it('are refused in different units, whichever file has another one', async () => {
    const given = [file('s1'), file('s2', { seconds: 2 }), file('ms', { unit: 'ms', seconds: 3 })];
    await expect(run(...given)).rejects.toMatchObject({ reason: 'series-conflict' });
  });

  it('are refused where they are neither: some ranks are in both', async () => {
    await expect(run(file('all'), file('some', { ranks: [1], seconds: 2 }))).rejects.toMatchObject({
      reason: 'series-conflict',
      message: expect.stringMatching(/not the same ranks and series/) as string,
    });
  });

  it('are refused where one is a copy of another one', async () => {
    await expect(run(file('one'), file('copy'))).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringMatching(/have the same content/) as string,
    });
    await expect(run(file('one'), file('one'))).rejects.toThrow(/is given twice/);
  });
});

describe('a file with a second clock', () => {
  it('says how long the phase was pre-empted, with the share of the time on the wall', async () => {
    const target = path.join(folder, 'clocks.csv');
    const lines = Array.from({ length: 20 }, (_, i) => `${i + 1},4,1,1`);
    writeFileSync(target, ['iteration,phase,solve,phase metric=processor', ...lines, ''].join('\n'));
    const { rows } = (await run(target)).result;
    expect(rows.find(({ kind }) => kind === 'pre-empted')).toMatchObject({
      title: 'Pre-empted by other programs',
      severity: 0.75,
    });
  });
});
