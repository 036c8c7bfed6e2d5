import { describe, expect, test } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { CubeValues } from '../../../../src/formats/cube4/cubeValues';
import { limitsFor, type CubeLimits } from '../../../../src/formats/cube4/archive/limits';
import { openExpanded, readCube } from '../../../../src/formats/cube4/read';
import { bytesSource } from '../../../../src/formats/byteSource';
import { attacks } from './attacks';

/** Why a file is refused; `read` if it is not. */
function outcome(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    if (error instanceof KymoError) return `${String(error.reason)}: ${error.message}`;
    throw error;
  }
}

/** The limits of a larger file for its size: tests are quick, and the least amounts are for the smallest files. */
function strict(bytes: Uint8Array): CubeLimits {
  const { length } = bytes;
  const large = limitsFor(2 ** 28);
  const part = (amount: number): number => Math.floor((amount / 2 ** 28) * length);
  return {
    cells: length * 2,
    tableCells: part(large.tableCells),
    anchorBytes: length * 14,
    definitionBytes: part(large.definitionBytes),
    inflatedBytes: part(large.inflatedBytes),
  };
}

describe('small files that ask for much are read or refused with a reason', () => {
  // What is refused, and why; all others are read.
  const refused: Readonly<Record<string, RegExp>> = {
    'regions, gzip': /definitions take more/,
    'call paths, gzip': /definitions take more|anchor.xml has more than/,
    'locations, gzip': /definitions take more/,
    'system nodes': /definitions take more/,
    'system nodes, gzip': /anchor.xml has more than/,
    topologies: /definitions take more/,
    'metrics without names': /“” twice/,
    'an anchor of blanks, gzip': /anchor.xml has more than/,
    'metrics times call paths, no files': /\d+ metrics at \d+ call paths/,
    'metrics that share their files': /one metric with the id 0/,
    'wide values': /“m” alone has/,
    'call paths times locations': /“m” alone has \d+ values/,
    'rows of one number, zlib': /“m” alone has \d+ values/,
  };
  test.each(Object.keys(attacks))('%s', (name) => {
    const bytes = attacks[name]?.(100_000) ?? new Uint8Array();
    expect(outcome(() => readCube(bytes, 'small.cubex', strict(bytes)))).toMatch(refused[name] ?? /^read$/);
  });
});

test('what a file may ask for grows with it', () => {
  const of = (size: number): CubeLimits => limitsFor(size);
  expect(of(0)).toEqual(of(1000));
  for (const key of ['cells', 'tableCells', 'anchorBytes', 'definitionBytes', 'inflatedBytes'] as const) {
    expect(of(2 ** 25)[key]).toBeGreaterThan(of(2 ** 24)[key]);
    expect(of(1 << 20)[key]).toBeLessThanOrEqual(2 ** 28);
  }
  expect(limitsFor(1, { inflatedBytes: 5 }).inflatedBytes).toBe(5);
});

test('more metrics than any tool writes', () => {
  const bytes = attacks.metrics?.(600_000) ?? new Uint8Array();
  expect(outcome(() => readCube(bytes, 'many.cubex'))).toMatch(/more than 10000 metrics/);
});

test('more compressed values than a file of its size has', () => {
  const bytes = attacks['rows of zeros, zlib']?.(20_000) ?? new Uint8Array();
  expect(outcome(() => readCube(bytes, 'zeros.cubex'))).toBe('read');
  expect(outcome(() => readCube(bytes, 'zeros.cubex', { inflatedBytes: 2 ** 17 }))).toMatch(
    /compressed values, up to those of “m”, stand for \d+ bytes/,
  );
});

test('a view of one metric is bounded, too', () => {
  const bytes = attacks['wide values']?.(100_000) ?? new Uint8Array();
  const values = new CubeValues(openExpanded(bytesSource(bytes), 'wide.cubex'));
  expect(outcome(() => values.combined(['m']))).toMatch(/“m” over all locations has \d+ values/);
});

test('rows that are far apart are found in every order', () => {
  const bytes = attacks['metrics times call paths, with values']?.(20_000) ?? new Uint8Array();
  const cube = openExpanded(bytesSource(bytes), 'sparse.cubex');
  expect(cube.row('m1', 0)[0]).toBe(1);
  expect(cube.rowParts('m1', 1)).toBeUndefined();
});
