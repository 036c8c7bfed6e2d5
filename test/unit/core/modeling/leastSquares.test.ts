import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dot, leastSquares, LineFit } from '../../../../src/core/modeling/leastSquares';

const value = fc.double({ min: -1e3, max: 1e3, noNaN: true });
const column = fc.array(value, { minLength: 7, maxLength: 7 }).map((values) => Float64Array.from(values));

test('what least squares miss is orthogonal to all columns', () => {
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 4 }), column, (columns, y) => {
      const { coefficients, rank } = leastSquares(columns, y);
      if (rank < columns.length) return;
      const missed = y.map(
        (target, i) =>
          target - columns.reduce((sum, one, k) => sum + (coefficients[k] ?? 0) * (one[i] ?? 0), 0),
      );
      for (const one of columns) {
        const scale = Math.sqrt(dot(one, one)) * Math.sqrt(dot(y, y)) + 1e-300;
        expect(Math.abs(dot(one, missed)) / scale).toBeLessThan(1e-6);
      }
    }),
  );
});

test('of dependent columns the shortest solution is taken', () => {
  const ones = new Float64Array(4).fill(1);
  const { coefficients, rank } = leastSquares([ones, ones], Float64Array.of(2, 2, 2, 2));
  expect(rank).toBe(1);
  expect([...coefficients].map((coefficient) => Number(coefficient.toFixed(12)))).toEqual([1, 1]);
});

test('a constant beside a column that is 10^17 times longer is cut off, as LAPACK does', () => {
  const long = Float64Array.of(1e17, 2e17, 3e17);
  expect(leastSquares([new Float64Array(3).fill(1), long], Float64Array.of(1, 2, 3)).rank).toBe(1);
});

test('a line without a point is the line of the others', () => {
  fc.assert(
    fc.property(column, column, fc.integer({ min: 0, max: 6 }), (shape, y, omitted) => {
      const others = (values: Float64Array) => values.filter((_, i) => i !== omitted);
      const line = new LineFit(y.length);
      line.fit(shape, y, omitted);
      const { coefficients } = leastSquares([new Float64Array(6).fill(1), others(shape)], others(y));
      const scale = Math.max(1, ...coefficients.map(Math.abs));
      expect(Math.abs(line.constant - (coefficients[0] ?? NaN)) / scale).toBeLessThan(1e-6);
      expect(Math.abs(line.coefficient - (coefficients[1] ?? NaN)) / scale).toBeLessThan(1e-6);
    }),
  );
});
