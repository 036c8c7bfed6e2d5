import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import type { Metric, Profile } from '../../../../src/core/profile/profile';
import { combineOfDtype } from '../../../../src/core/profile/metrics';
import { readCube } from '../../../../src/formats/cube4/read';
import { valueType, type Part } from '../../../../src/formats/cube4/values/valueTypes';
import { writeCube } from '../../../../src/formats/cube4/write';
import { arbitraryProfile } from '../../core/profile/profiles';

const integer = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constant(0), fc.integer({ min, max }));
const ofPart: Readonly<Record<Part, fc.Arbitrary<number>>> = {
  f64: fc.oneof(fc.constantFrom(0, -0, Number.NaN, Infinity, -Infinity, Number.MIN_VALUE), fc.double()),
  // Doubles that a 64-bit integer holds; what wrapped is negative.
  u64: fc.oneof(
    integer(0, 2 ** 31 - 1),
    fc.constantFrom(2 ** 53, 2 ** 53 + 2, 2 ** 62, -1, -2048, -(2 ** 63)),
  ),
  i64: fc.oneof(
    integer(-(2 ** 31), 2 ** 31 - 1),
    fc.constantFrom(-(2 ** 53), -(2 ** 63), 2 ** 62, 2 ** 40 + 1),
  ),
  u32: fc.oneof(integer(0, 2 ** 31 - 1), fc.constant(2 ** 32 - 1)),
  i32: integer(-(2 ** 31), 2 ** 31 - 1),
  u16: integer(0, 2 ** 16 - 1),
  i16: integer(-(2 ** 15), 2 ** 15 - 1),
  u8: integer(0, 255),
  i8: integer(-128, 127),
};
const dtypes =
  'DOUBLE FLOAT MINDOUBLE MAXDOUBLE UINT64 INT64 INTEGER UINT32 INT32 UINT16 INT16 UINT8 CHAR INT8 TAU_ATOMIC COMPLEX RATE HISTOGRAM(3) NDOUBLES(2) SCALE_FUNC'.split(
    ' ',
  );
const kinds = ['inclusive', 'exclusive', 'simple'] as const;

/** A metric of any type, with values in some cells; nothing stored when all are 0. */
function arbitraryColumn(
  cells: number,
  name: string,
): fc.Arbitrary<{ metric: Metric; parts: readonly Float64Array[] }> {
  return fc
    .record({ dtype: fc.constantFrom(...dtypes), stored: fc.constantFrom(...kinds), ghost: fc.boolean() })
    .chain(({ dtype, stored, ghost }) => {
      const metric: Metric = {
        name,
        displayName: name,
        unit: '',
        dtype,
        stored,
        combine: combineOfDtype(dtype),
        description: '',
        ...(ghost ? { ghost } : {}),
      };
      const parts = valueType(dtype)?.parts ?? [];
      return fc
        .tuple(...parts.map((part) => fc.array(ofPart[part], { minLength: cells, maxLength: cells })))
        .map((columns) => ({ metric, parts: columns.map((column) => Float64Array.from(column)) }));
    });
}

const arbitraryTyped: fc.Arbitrary<Profile> = arbitraryProfile
  .filter(({ callPaths }) => callPaths.count < 8)
  .chain((profile) => {
    const cells = profile.callPaths.count * profile.locations.length;
    return fc.tuple(arbitraryColumn(cells, 'a'), arbitraryColumn(cells, 'b')).map((columns) => {
      const some = columns.filter(({ parts }) =>
        parts.some((part) => part.some((value) => !Object.is(value, 0))),
      );
      const shown = ({ metric, parts }: (typeof columns)[number]): Float64Array =>
        parts[valueType(metric.dtype)?.shown ?? 0] ?? new Float64Array();
      const components = some.filter(({ parts }) => parts.length > 1);
      return {
        ...profile,
        metrics: columns.map(({ metric }) => metric),
        stored: new Map(some.map((column) => [column.metric.name, shown(column)])),
        ...(components.length === 0
          ? {}
          : { components: new Map(components.map(({ metric, parts }) => [metric.name, parts])) }),
      };
    });
  });

function without(object: object, ...keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

test('profiles with metrics of all types and kinds are the same after writing and reading', () => {
  fc.assert(
    fc.property(arbitraryTyped, (profile) => {
      const bytes = writeCube(profile);
      const again = readCube(bytes, 'p.cubex');
      // What reading adds: exact values of large integers, and which types are not shown.
      const metrics = again.metrics.map((metric) => without(metric, 'note', 'unsupported'));
      assert.deepStrictEqual(without({ ...again, metrics }, 'exact'), profile);
      assert.deepStrictEqual(writeCube(again), bytes);
    }),
    { numRuns: 300 },
  );
});
