import { describe, expect, it } from 'vitest';
import { analyseByLikelihood } from '../../../../src/core/detect/detectedSeries';
import { detect } from '../../../../src/core/detect/detect';

/** Two levels that are taken for a short while each, in noise; a ramp and a step beside them. */
function shortLevels(seed: number): Float64Array {
  let state = seed * 7919;
  const random = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  const length = 200 + Math.floor(random() * 1000);
  const kind = Math.floor(random() * 5);
  const [a = 0, b = 0, c = 0, d = 0, late = 0] = Array.from({ length: 6 }, () =>
    Math.floor(random() * length),
  ).sort((left, right) => left - right);
  const slope = random() < 0.5 ? 0 : ((random() - 0.3) * 3) / length;
  const ramp = Math.floor(random() * length);
  return Float64Array.from({ length }, (_, i) => {
    const level = (i >= a && i < b) || (i >= c && i < d) ? 2 * random() + 1 : 0;
    const rise = (i > ramp ? slope * (i - ramp) : 0) + (kind > 2 && i > late ? 1 : 0);
    const value = 1 + level + rise + 0.1 * (random() + random() - 1);
    return value < 0 ? 0.01 : value;
  });
}

describe('levels that are taken for a short while', () => {
  it.each([188, 323])('begin before they end (%i)', (seed) => {
    const values = shortLevels(seed);
    for (const { from, to } of analyseByLikelihood(values).patterns) expect(to).toBeGreaterThanOrEqual(from);
    const places = detect(values).changes.map(({ from }) => from);
    expect(places).toEqual([...places].sort((left, right) => left - right));
  });
});
