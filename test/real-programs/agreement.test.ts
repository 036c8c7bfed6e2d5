import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../bench/programs/agreement';
import { onlyInFull } from '../volume';

/** Of the corpus of `npm run bench programs`, what takes the least time: C by make and by Autotools, and C++ of very many tiny calls. */
const names = ['bzip2', ...onlyInFull(['gzip']), 'minisat2'];

interface Result {
  readonly name: string;
  readonly failure?: string;
  readonly contradictions?: readonly string[];
  /** Absent where `perf` cannot sample. */
  readonly functions?: readonly Comparison[];
}

// As a user would do it: `kymo init`, its target as found, `kymo refine`; and beside it `perf` on a build without Kymo.
describe('programs that nobody tuned it for', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-agreement-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('have the shares that perf sees, or say where the time is, and nothing contradicts itself', (context) => {
    const file = path.join(folder, 'results.json');
    const bench = path.resolve(import.meta.dirname, '../../bench/programs/run.mjs');
    const run = spawnSync(process.execPath, [bench, '--json', file, '--shares-only', ...names], {
      encoding: 'utf8',
    });
    process.stderr.write(run.stdout);
    expect(run.status, run.stderr).toBe(0);
    const results = readResults(file);
    if (results.length === 0) context.skip('package sources cannot be reached');
    for (const { name, failure, contradictions } of results)
      expect([name, failure, contradictions]).toEqual([name, undefined, []]);
    const compared = results.flatMap(({ functions = [] }) => functions);
    expect(compared.filter(({ state }) => state === 'missing')).toEqual([]);
    // The machine's own noise moves single shares by more than three points.
    expect(compared.filter(({ state }) => state === 'differs').length).toBeLessThanOrEqual(
      compared.length / 10,
    );
  });
});

function readResults(file: string): readonly Result[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly Result[];
  } catch {
    return [];
  }
}
