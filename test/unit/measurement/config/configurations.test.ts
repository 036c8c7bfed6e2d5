import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  configurations,
  onePoint,
  plainText,
  rankCounts,
  withRanks,
} from '../../../../src/measurement/config/configurations';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import { file, withTarget } from './configText';

describe('numbers of ranks', () => {
  const targetWith = (launcher: object) =>
    parseConfig(withTarget({ run: { launcher } }), file).config.targets[0]!;
  it('are those of the launcher, each once; the first one is measured', () => {
    const target = targetWith({ kind: 'mpirun', ranks: [4, 2, 4] });
    expect(rankCounts(target)).toEqual([4, 2]);
    expect(onePoint(target).ranks).toBe(4);
    expect(rankCounts(targetWith({ kind: 'local' }))).toEqual([1]);
  });
  it('of the command line replace them', () => {
    const target = targetWith({ kind: 'slurm', ranks: 4, arguments: ['-v'] });
    expect(withRanks(target, undefined)).toBe(target);
    expect(withRanks(target, [8, 16]).run.launcher).toEqual({
      kind: 'slurm',
      ranks: [8, 16],
      arguments: ['-v'],
    });
    expect(() => withRanks(targetWith({ kind: 'local' }), [2])).toThrow(/"launcher" .*"mpirun", "ranks": 2/);
  });
});

describe('parameters', () => {
  it('make every combination, with ranks', () => {
    const target = parseConfig(
      withTarget({
        parameters: { n: [1, 1e21], s: ['x', 0.5] },
        run: { launcher: { kind: 'mpirun', ranks: [2, 4] } },
      }),
      file,
    ).config.targets[0];
    const points = configurations(target!);
    expect(points).toHaveLength(8);
    expect(points[3]).toEqual({ parameters: { n: '1000000000000000000000', s: '0.5' }, ranks: 2 });
    expect(points[7]?.ranks).toBe(4);
  });
  it('are written without exponents', () => {
    expect([1, 0.5, 1e21, 1e-7, 1.5e-9, -3].map(plainText)).toEqual([
      '1',
      '0.5',
      '1000000000000000000000',
      '0.0000001',
      '0.0000000015',
      '-3',
    ]);
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e25, max: 1e25 }),
        (value) => Number(plainText(value)) === value || Math.abs(value) < 1e-80,
      ),
    );
  });
});
