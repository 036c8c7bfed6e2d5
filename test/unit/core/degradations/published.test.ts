import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import type { DynamicsOptions } from '../../../../src/core/degradations/model/options';
import type { DynamicsResult } from '../../../../src/core/degradations/model/result';
import {
  burstsOf,
  cx3d,
  pepc,
  rankList,
  teraTf,
  type Made,
  type Study,
} from '../../../fixtures/dynamics/published';
import { differences, pepcTable, teraTable } from '../../../fixtures/dynamics/publishedRows';

type Method = DynamicsOptions['method'];

function report(study: Study, burst: number, reportThreshold: number, method: Method): DynamicsResult {
  const analysis = new DynamicsAnalysis({ method, reportThreshold });
  for (const one of burstsOf(study, burst)) analysis.addBurst(one);
  return analysis.finish();
}

const tera = (made: Made, method: Method): DynamicsResult => report(teraTf(made), 64, 0.1, method);

/** Each fall with each noise once, and no seed twice. */
const square: readonly Required<Made>[] = [
  { seed: 1, fall: 5, noise: 0.2 },
  { seed: 2, fall: 10, noise: 0.1 },
  { seed: 3, fall: 20, noise: 0.15 },
  { seed: 4, fall: 40, noise: 0.2 },
  { seed: 5, fall: 60, noise: 0.1 },
];

describe('published studies, rebuilt from printed intervals and severities', () => {
  it.each(square)(
    'tera_tf: 128 series become the eight published rows, and one for rank 0 (seed $seed, fall $fall, noise $noise)',
    (made) => {
      expect(differences(tera(made, 'likelihood'), teraTable)).toEqual([]);
    },
  );

  it.each([1, 2, 3])('tera_tf: the published method finds the same where noise is 5 % (seed %i)', (seed) => {
    expect(differences(tera({ seed }, 'periscope'), teraTable)).toEqual([]);
  });

  it('late rank: rank 0 lacks the peaks that all others have, and is named', () => {
    const result = tera({}, 'periscope');
    const late = result.properties.find(({ kind }) => kind === 'late-rank');
    expect(late).toMatchObject({ ranks: '0', region: { name: 'MPI_Allreduce' } });
    expect(late?.title).toBe(
      'Rank 0 has none of the peaks of MPI_Allreduce in iterations 5–7, 51–57, 67–69, 118–120 that the others have: they wait for it',
    );
    const parent = result.properties.find(({ id }) => id === late?.refines);
    expect(parent).toMatchObject({ kind: 'degradation-peaks', ranks: '1-31' });
  });

  it.each([
    [{}, 'periscope'],
    [{ seed: 2, fall: 20, noise: 0.1 }, 'likelihood'],
  ] as const)('PEPC: 1,280 series become twelve rows with the published rank sets (%o, %s)', (made, method) => {
    const result = report(pepc(made), 1024, 0.05, method);
    expect(differences(result, pepcTable)).toEqual([]);
    // No rank is lost, and rank 13 has no trend.
    const covered = new Set(result.rows.flatMap(({ ranks }) => rankList(ranks)));
    expect([...covered].sort((a, b) => a - b)).toEqual(rankList('0-63'));
  });

  it('CX3D: the hot spot, its rise and its peak; not that it varies', () => {
    const { rows } = report(cx3d(), 64, 0.1, 'periscope');
    expect(rows.map(({ title }) => title)).toEqual([
      'Hot spot',
      'Degradation trend in time',
      'Degradation peak in time',
    ]);
    expect(rows[0]?.severity).toBeCloseTo(0.86, 2);
    const [from, to] = rows[2]?.iterations[0] ?? [];
    expect(from).toBeLessThanOrEqual(14);
    expect(to).toBeGreaterThanOrEqual(21);
  });
});
