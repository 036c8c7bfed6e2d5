import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { efficiencyOf, hasMpi, refineExample } from '../refineExample';

/** Six threads share two processors here: alone, since what waits in MPI may keep processors from what computes. */
describe('refining an example with ranks and threads', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kymo heat Größe 流れ-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  // Three ranks of two threads share two processors here: again where other work took those of rank 0.
  it.skipIf(!hasMpi)('heat: C with MPI and OpenMP, an imbalance that grows on rank 0', { retry: 5 }, () => {
    const { result } = refineExample(directory, 'heat', { ranks: [2, 3] });
    const { final, iterations } = result;
    expect(iterations.at(-1)).toMatchObject({ clock: 'rank', slowestRank: 0 });
    expect(final.ranks?.map(({ ranks, slowestRank }) => [ranks, slowestRank])).toEqual([
      [2, 0],
      [3, 0],
    ]);
    // All burning cells are those of rank 0: half of the ranks compute nothing there, whatever their threads do.
    expect(efficiencyOf(result, 'burn')).toMatchObject({ slowestRanks: '0' });
    expect(efficiencyOf(result, 'burn')?.loadBalance).toBeLessThan(0.75);
    // The ranks have as many rows each, which their threads take as they go.
    expect(efficiencyOf(result, 'plate_conduct')?.loadBalance).toBeGreaterThan(
      efficiencyOf(result, 'burn')?.loadBalance ?? 1,
    );
    expect(result.properties.find(({ kind }) => kind === 'parallel-efficiency')).toBeDefined();
  });
});
