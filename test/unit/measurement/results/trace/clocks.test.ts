import { describe, expect, it } from 'vitest';
import { namedBytes } from '../../../../../src/formats/byteSource';
import { openTrace, type ProcessTrace } from '../../../../../src/formats/kymo-trace/traceFile';
import { clockIntervals } from '../../../../../src/formats/otf2/definitions/clock';
import { traceClocks } from '../../../../../src/measurement/results/trace/clocks';
import { traceBytes, type TraceBytes } from './traceBytes';

const trace = (facts: TraceBytes): ProcessTrace => openTrace(namedBytes('x.trace', traceBytes(facts)));
const second = 1_000_000_000n;

describe('clocks of a trace', () => {
  it('of one node are one clock', () => {
    const clocks = traceClocks([
      trace({ begin: 5000n, threads: [{ end: 9000n }], beginNanoseconds: 77n * second }),
      trace({ begin: 4000n, threads: [{ end: 8000n }] }),
    ]);
    expect(clocks).toMatchObject({
      ticksPerSecond: 1e9,
      length: 5000,
      beginNanoseconds: 77n * second - 1000n,
      unsynchronised: [],
    });
    expect(clocks.clocks).toEqual([
      { base: 4000n, offsets: [] },
      { base: 4000n, offsets: [] },
    ]);
  });

  it('of nodes that compared theirs are corrected, with the drift in between', () => {
    const away = trace({
      host: 'node2',
      begin: 10n * second,
      threads: [{ end: 12n * second }],
      clocks: [
        [10n * second, 1000n * second],
        [12n * second, 1002n * second + 4000n],
      ],
    });
    const { clocks, unsynchronised } = traceClocks([
      trace({ begin: 1000n * second, threads: [{ end: 1002n * second }] }),
      away,
    ]);
    expect(unsynchronised).toEqual([]);
    const { base, offsets } = clocks[1]!;
    expect(base).toBe(10n * second);
    const [interval] = clockIntervals(offsets, 0n);
    const corrected = (tick: bigint): number => {
      const ticks = Number(tick - base - interval!.begin);
      return ticks + interval!.shift + interval!.slope * ticks;
    };
    expect(corrected(10n * second)).toBe(0);
    expect(corrected(11n * second)).toBe(1e9 + 2000);
    expect(corrected(12n * second)).toBe(2e9 + 4000);
  });

  it('of nodes that nothing compared are related by the time of day, and a note names them', () => {
    const { clocks, unsynchronised } = traceClocks([
      trace({ begin: 1000n * second, beginNanoseconds: 50n * second, threads: [{ end: 1001n * second }] }),
      trace({
        host: 'node2',
        begin: 10n * second,
        beginNanoseconds: 51n * second,
        ticksPerSecond: 2e9,
        threads: [{ end: 14n * second }],
      }),
    ]);
    expect(unsynchronised).toEqual(['node2']);
    // It began a second after the other one, and has two ticks for each of that.
    expect(clocks[1]!.base).toBe(9n * second);
    expect(clocks[1]!.offsets.map(({ time, offset }) => [time, offset])).toEqual([
      [second, 0n],
      [5n * second, -2n * second],
    ]);
  });
});
