import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { namedBytes } from '../../../../src/formats/byteSource';
import { openTrace, readEvents } from '../../../../src/formats/kymo-trace/traceFile';
import { enter, leave, other, traceBytes, type TraceBytes } from '../../measurement/results/trace/traceBytes';

function events(trace: TraceBytes, base = 0n): readonly (readonly unknown[])[] {
  const source = namedBytes('x.trace', traceBytes(trace));
  const read: (readonly unknown[])[] = [];
  for (const thread of openTrace(source).threads) {
    const pages = readEvents(source, thread, base, {
      enter: (time, slot) => void read.push(['enter', time, slot]),
      leave: (time, slot) => void read.push(['leave', time, slot]),
      fiber: (time, slot, resumes) => void read.push(['fiber', time, slot, resumes]),
      other: (time, code, words) => void read.push(['other', time, code, [...words]]),
    });
    while (pages.next().done !== true);
  }
  return read;
}

const reasonOf = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error instanceof KymoError ? error.reason : error;
  }
  return undefined;
};

describe('the trace of a process', () => {
  it('has events, in pages; places that were not filled are skipped', () => {
    const pages = [
      [
        2000n,
        [enter(2000n, 5), 0n, enter(2010n, 6), ...other(2011n, 8, 1n, 2n, 3n, 400n), 0n, leave(2020n, 6)],
      ],
      [2030n, [leave(2030n, 5)]],
    ] as const;
    expect(events({ threads: [{ end: 3000n, pages }] }, 1000n)).toEqual([
      ['enter', 1000, 5],
      ['enter', 1010, 6],
      ['other', 1011, 8, [1, 2, 3, 400]],
      ['leave', 1020, 6],
      ['leave', 1030, 5],
    ]);
  });

  it('has times beyond the bits of a record, also of machines that run for weeks', () => {
    const start = (9_000_000n << 40n) - 5n; // above 2^53
    const page = [
      start,
      [enter(start, 1), ...other(start + 10n, 1, start + 10n), leave(start + 10n, 1), enter(start + 11n, 2)],
    ] as const;
    expect(events({ threads: [{ end: start + 20n, pages: [page] }] }, start)).toEqual([
      ['enter', 0, 1],
      ['leave', 10, 1],
      ['enter', 11, 2],
    ]);
  });

  it('has times that do not go backwards where a signal handler came in between', () => {
    const page = [100n, [enter(100n, 1), enter(120n, 2), leave(130n, 2), leave(115n, 1)]] as const;
    expect(events({ threads: [{ end: 200n, pages: [page] }] }).map(([, time]) => time)).toEqual([
      100, 120, 130, 130,
    ]);
  });

  it('has fibers and communicators', () => {
    const page = [1n, [...other(1n, 2, 9n), ...other(2n, 3, 9n)]] as const;
    const trace = {
      threads: [{ end: 9n, pages: [page] }],
      definitions: [7, 1, 2, 0, 0, 1, 8, 0, 1, 2, 0, 1, 2, 9, 2, 1, 0, 5],
    };
    expect(events(trace)).toEqual([
      ['fiber', 1, 9, true],
      ['fiber', 2, 9, false],
    ]);
    expect(openTrace(namedBytes('x', traceBytes(trace))).communicators).toEqual([
      { id: 7, kind: 'world', ranks: [0, 1] },
      { id: 8, kind: 'other', ranks: [0], remote: [1, 2] },
      { id: 9, kind: 'self', ranks: [5] },
    ]);
  });

  it('is refused where it is none, or is damaged', () => {
    const good = traceBytes({
      definitions: [7, 1, 1, 0, 0],
      threads: [{ end: 9n, pages: [[1n, [enter(1n, 1)]]] }],
    });
    const open = (bytes: Uint8Array) => () => openTrace(namedBytes('x.trace', bytes));
    expect(reasonOf(open(good))).toBeUndefined();
    expect(reasonOf(open(good.slice(0, 100)))).toBe('not-a-trace');
    expect(reasonOf(open(good.slice(0, good.length - 1)))).toBe('invalid-trace');
    expect(reasonOf(open(good.slice(0, 270)))).toBe('invalid-trace');
    for (const at of [112, 264, 268, 280]) {
      const bad = Uint8Array.from(good);
      bad[at + 3] = 0x7f;
      expect(reasonOf(open(bad)), `byte ${at}`).toBe('invalid-trace');
    }
    for (const ticksPerSecond of [0, -1, NaN, Infinity, 1e300])
      expect(reasonOf(open(traceBytes({ ticksPerSecond }))), `${ticksPerSecond}`).toBe('invalid-trace');
    const cut = [1n, [...Array.from({ length: 4093 }, () => 0n), other(1n, 8, 1n, 2n)[0]!]] as const;
    expect(reasonOf(() => events({ threads: [{ end: 9n, pages: [cut] }] }))).toBe('invalid-trace');
  });

  it.each([
    ['definitions', 120],
    ['threads', 20],
    ['pages of a thread', 256 + 4],
  ])('is refused with 4294967295 %s, and nothing is read that is not there', (_, offset) => {
    const bytes = Buffer.from(traceBytes({ threads: [{ end: 9n }] }));
    bytes.writeUInt32LE(0xffff_ffff, offset);
    const read = (from: number, length: number): Uint8Array => {
      expect(from + length).toBeLessThanOrEqual(bytes.length);
      return bytes.subarray(from, from + length);
    };
    const source = { file: 'x.trace', size: bytes.length, read };
    expect(reasonOf(() => openTrace(source))).toBe('invalid-trace');
  });
});
