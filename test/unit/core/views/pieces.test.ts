import { describe, expect, it } from 'vitest';
import { samplingAttribute } from '../../../../src/core/profile/metrics';
import { profilePiece } from '../../../../src/core/views/profilePieces';
import { recordingCost } from '../../../../src/core/cost/regionCost';
import type { PairCost, PairCosts } from '../../../../src/core/cost/pairCost';

const columns = {
  parent: Int32Array.of(-1, 0, 1),
  region: Uint32Array.of(5, 6, 7),
  inclusive: [Float64Array.of(3, 2, 1)],
  exclusive: [Float64Array.of(1, 1, 1)],
};

describe('a piece of a profile', () => {
  it('has what was asked for, in memory of its own', () => {
    const piece = profilePiece(columns, 1, 2);
    expect(piece).toEqual({
      first: 1,
      parent: Int32Array.of(0, 1),
      region: Uint32Array.of(6, 7),
      inclusive: [Float64Array.of(2, 1)],
      exclusive: [Float64Array.of(1, 1)],
    });
    expect(piece.inclusive[0]?.buffer.byteLength).toBe(16);
  });

  it('ends where the profile ends', () => {
    expect(profilePiece(columns, 2, 100).parent).toHaveLength(1);
    expect(profilePiece(columns, 3, 100).parent).toHaveLength(0);
  });
});

describe('what recording a visit costs', () => {
  const cost = (pairSeconds: number): PairCost => ({
    pairSeconds,
    insideSeconds: pairSeconds / 2,
    outsideSeconds: pairSeconds / 2,
    sampled: { countedSeconds: 1, pairSeconds: 101, insideSeconds: 50 },
  });
  const costs: PairCosts = { probe: cost(10), entry: cost(30) };
  const region = { name: 'f', paradigm: 'compiler', role: 'function' };

  it('depends on the kind of the site; one that nobody knows is an entry', () => {
    expect(recordingCost(region, costs, 'probe')).toBe(10);
    expect(recordingCost(region, costs, 'entry')).toBe(30);
    expect(recordingCost(region, costs)).toBe(30);
  });

  it('is less when most visits are only counted', () => {
    const sampled = { ...region, attributes: new Map([[samplingAttribute, '100']]) };
    expect(recordingCost(sampled, costs, 'probe')).toBe(2);
  });

  it('is none for what has no site', () => {
    for (const paradigm of ['mpi', 'openmp', 'measurement'])
      expect(recordingCost({ ...region, paradigm }, costs)).toBe(0);
  });
});
