import type { CubeMetric } from '../../../src/core/views/cubePieces';

/** Combines two values. Minima and maxima ignore 0, which stands for "not visited". */
export function together(combine: CubeMetric['combine'], a: number, b: number): number {
  if (combine === 'sum') return a + b;
  if (a === 0 || b === 0) return a + b;
  return combine === 'minimum' ? Math.min(a, b) : Math.max(a, b);
}
