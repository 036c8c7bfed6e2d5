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
import { differences, ofRanks, pepcTable, teraTable } from '../../../fixtures/dynamics/publishedRows';

type Method = DynamicsOptions['method'];

function report(study: Study, burst: number, reportThreshold: number, method: Method): DynamicsResult {
  const analysis = new DynamicsAnalysis({ method, reportThreshold });
  for (const one of burstsOf(study, burst)) analysis.addBurst(one);
  return analysis.finish();
}

const tera = (made: Made, method: Method): DynamicsResult => report(teraTf(made), 64, 0.1, method);

/** Ranks of each row of the tables: the likelihood method takes longer. */
const teraRanks = [0, 1, 4, 5, 9, 12, 15, 23, 26, 27];
const pepcRanks = [0, 1, 2, 3, 4, 5, 9, 13, 18, 22, 25, 26, 32, 45, 54];
/** All of most rows, and a dozen of the one with 47 ranks, which are as many as make a cluster. */
const manyPepcRanks = [...pepcRanks, ...rankList('6-8,10-12,14-17,19-21,28,37')];

/** The shortest, a middle and the longest fall, each noise once, and no seed twice. */
const made: readonly Made[] = [
  { seed: 1, fall: 5, noise: 0.2 },
  { seed: 3, fall: 20, noise: 0.15 },
  { seed: 5, fall: 60, noise: 0.1 },
];

describe('published studies, rebuilt from printed intervals and severities', () => {
  it.each(made)(
    'tera_tf: 128 series become the eight published rows, and one for rank 0 (seed $seed, fall $fall, noise $noise)',
    (one) => {
      const result = tera({ ...one, ranks: teraRanks }, 'likelihood');
      expect(differences(result, ofRanks(teraTable, teraRanks), one)).toEqual([]);
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

  it('PEPC: the twelve published rows with a fall of 20 iterations and noise of 10 %', () => {
    const one = { seed: 2, fall: 20, noise: 0.1 };
    const result = report(pepc({ ...one, ranks: pepcRanks }), 1024, 0.05, 'likelihood');
    expect(differences(result, ofRanks(pepcTable, pepcRanks), one)).toEqual([]);
  });

  it('PEPC: 600 series become twelve rows with the published rank sets, by the published method', () => {
    const result = report(pepc({ ranks: manyPepcRanks }), 1024, 0.05, 'periscope');
    expect(differences(result, ofRanks(pepcTable, manyPepcRanks))).toEqual([]);
    // No rank is lost, and rank 13 has no trend.
    const covered = new Set(result.rows.flatMap(({ ranks }) => rankList(ranks)));
    expect(covered).toEqual(new Set(manyPepcRanks));
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
