import { expect, test } from 'vitest';
import { profileOfLocations } from '../../../../src/core/profile/ofLocations';
import { runOf } from '../problems/runs';

test('a profile of some locations has their values only: whole numbers exactly, and all parts of those with several', () => {
  const run = runOf(
    { region: { name: 'main' }, seconds: [1, 2, 3], calls: [{ region: { name: 'f' }, seconds: [4, 5, 6] }] },
    3,
  );
  const cells = Float64Array.of(10, 11, 12, 13, 14, 15);
  const whole = {
    ...run,
    exact: new Map([['visits', BigInt64Array.from(cells, BigInt)]]),
    components: new Map([['time', [cells, cells]]]),
    topologies: [{ dimensions: [], coordinates: new Map() }],
  };
  const part = profileOfLocations(whole, Uint32Array.of(0, 2));
  expect(part.locations.map(({ rank }) => rank)).toEqual([0, 2]);
  expect(part.stored.get('time')).toEqual(Float64Array.of(5, 9, 4, 6));
  expect(part.exact?.get('visits')).toEqual(BigInt64Array.of(10n, 12n, 13n, 15n));
  const own = Float64Array.of(10, 12, 13, 15);
  expect(part.components?.get('time')).toEqual([own, own]);
  // Those are of all processes.
  expect([part.topologies, part.communication]).toEqual([undefined, undefined]);
  expect(part.callPaths).toBe(whole.callPaths);
});
