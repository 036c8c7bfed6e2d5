import { describe, expect, it } from 'vitest';
import { gauss, mulberry32, signals } from '../../../fixtures/dynamics/signals';

const first = (count: number, next: () => number): number[] => Array.from({ length: count }, next);

describe('test signals of appendix B', () => {
  it('the generator gives the published first values', () => {
    const values = first(3, mulberry32(1));
    [0.627073940588, 0.00273572118, 0.52744703996].forEach((value, i) => {
      expect(values[i]).toBeCloseTo(value, 12);
    });
  });

  it('normal deviates are the published ones', () => {
    const values = first(3, gauss(1));
    [1.40433878, 1.21575462, -0.51037688].forEach((value, i) => {
      expect(values[i]).toBeCloseTo(value, 8);
    });
  });

  it('the look-alike of CX3D has the published energies', () => {
    const values = signals.cx();
    const total = values.reduce((sum, value) => sum + value * value, 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect((total - values.length * mean * mean) / total).toBeCloseTo(0.0553, 4);
  });
});
