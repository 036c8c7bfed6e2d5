import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockIntervals, rint, type ClockOffset } from '../../../../src/formats/otf2/definitions/clock';
import { EventClock } from '../../../../src/formats/otf2/events/eventClock';
import { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import { MemoryArchive, openMemory, plainEvents } from './memoryArchive';

function corrected(
  times: readonly bigint[],
  offsets: readonly ClockOffset[],
  globalOffset: bigint,
): number[] {
  const clock = new EventClock(clockIntervals(offsets, globalOffset));
  return times.map((time) => {
    clock.set(Number(time >> 32n), Number(time & 0xffffffffn));
    return clock.now;
  });
}

/** The definition, in whole numbers: offset + slope · (time − begin), of the interval of the time; halves to even. */
function expected(time: bigint, offsets: readonly ClockOffset[], globalOffset: bigint): number {
  if (offsets.length < 2) return Number(time - globalOffset);
  const last = offsets.length - 2;
  const found = offsets.findIndex((_, index) => index <= last && time <= offsets[index + 1]!.time);
  const index = found < 0 ? last : found;
  const [from, to] = [offsets[index]!, offsets[index + 1]!];
  const drift = (Number(to.offset - from.offset) / Number(to.time - from.time)) * Number(time - from.time);
  return Number(time + from.offset + BigInt(rint(drift)) - globalOffset);
}

describe('clock offsets', () => {
  it('are interpolated, and extrapolated outside of the measurements', () => {
    const offsets = [
      { time: 1000n, offset: 10n, deviation: 0 },
      { time: 2000n, offset: 20n, deviation: 0 },
      { time: 3000n, offset: 20n, deviation: 0 },
    ];
    expect(corrected([0n, 1000n, 1500n, 2000n, 2001n, 3000n, 4000n], offsets, 500n)).toEqual([
      -500, 510, 1015, 1520, 1521, 2520, 3520,
    ]);
  });

  it('change nothing when there is only one', () => {
    expect(corrected([7n], [{ time: 1n, offset: 100n, deviation: 0 }], 5n)).toEqual([2]);
    expect(corrected([7n, 3n], [], 5n)).toEqual([2, -2]);
  });

  it('round halves to the even number', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 2.4999, -2.6].map((value) => rint(value) + 0)).toEqual([
      0, 2, 2, 0, -2, -2, 2, -3,
    ]);
  });

  it('are exact also for clocks that are far beyond 2^53', () => {
    const far = 2n ** 62n;
    const offset = { offset: -far + 77n, deviation: 0 };
    const offsets = [
      { time: far, ...offset },
      { time: far + 10n ** 12n, ...offset },
    ];
    expect(corrected([far + 1n, far + 2n, far + 10n ** 13n], offsets, 70n)).toEqual([8, 9, 10 ** 13 + 7]);
  });

  it('are as defined for any measurements and times', () => {
    const increasing = (length: { maxLength: number }): fc.Arbitrary<bigint[]> =>
      fc.array(fc.nat({ max: 2 ** 31 - 1 }), length).map((steps) => {
        let time = 0n;
        return steps.map((step) => (time += BigInt(step) + 1n));
      });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 62n }),
        increasing({ maxLength: 6 }),
        fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 6, maxLength: 6 }),
        increasing({ maxLength: 30 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        (begin, at, drifts, steps, shift) => {
          const base = BigInt(shift) - begin;
          const offsets = at.map((time, index) => ({
            time: begin + time,
            offset: base + BigInt(drifts[index]!),
            deviation: 0,
          }));
          const times = steps.map((step) => begin + step);
          const global = offsets.length < 2 ? begin : 1000n;
          expect(corrected(times, offsets, global)).toEqual(
            times.map((time) => expected(time, offsets, global)),
          );
        },
      ),
    );
  });
});

describe('clock offsets of a location', () => {
  it('that are out of order are ignored, with a note', () => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('t', memory.sink);
    writer.location(0).enter(20, 0);
    const offset = (time: bigint, by: bigint): ClockOffset => ({ time, offset: by, deviation: 0.5 });
    writer.localDefinitions(0, {}, [offset(10n, 100n), offset(10n, 7n), offset(5n, 8n), offset(30n, 300n)]);
    writer.define('LOCATION', { id: 0, name: 0, type: 1, events: 1, group: 0 });
    writer.finish();
    const archive = openMemory(memory, 't');
    expect(plainEvents(archive, archive.definitions.locations[0]!)[0]?.time).toBe(220);
    expect(archive.notes().map(({ reason }) => reason)).toEqual(['local-definitions']);
  });
});

describe('tables of ids', () => {
  it.each([
    [
      'dense',
      [
        [0, 5],
        [1, 0],
        [2, 300],
      ],
    ],
    [
      'dense, given in another order',
      [
        [2, 300],
        [0, 5],
        [1, 0],
      ],
    ],
    [
      'sparse',
      [
        [1, 0],
        [2, 300],
        [900, 1],
      ],
    ],
    [
      'sparse, though it begins with 0',
      [
        [0, 5],
        [2, 300],
      ],
    ],
    [
      'sparse, with large ids',
      [
        [1, 0],
        [2, 300],
        [4_000_000_000, 1],
      ],
    ],
  ] as const)('translate what they have: %s', (_, pairs) => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('t', memory.sink);
    const ids = [0, 1, 2, 3, 900, 5000, 4_000_000_000];
    const map = new Map<number, number>(pairs);
    for (const id of ids) {
      writer.location(3).enter(1, id);
      writer.location(3).event('PARAMETER_STRING', 1, [id, id], [{ attribute: id, type: 14, value: id }]);
    }
    writer.location(3).event('PROGRAM_BEGIN', 1, [0xffffffff, ids.length, ...ids]);
    writer.localDefinitions(3, { region: pairs, string: pairs });
    writer.define('LOCATION', { id: 3, name: 0, type: 1, events: 2 * ids.length + 1, group: 0 });
    writer.finish();
    const archive = openMemory(memory, 't');
    const events = plainEvents(archive, archive.definitions.locations[0]!);
    const global = ids.map((id) => map.get(id) ?? id);
    expect(events.filter(({ name }) => name === 'ENTER').map(({ values }) => values[0])).toEqual(global);
    const parameters = events.filter(({ name }) => name === 'PARAMETER_STRING');
    // Parameters have no table here.
    expect(parameters.map(({ values }) => values)).toEqual(ids.map((id, index) => [id, global[index]]));
    expect(parameters.map(({ attributes }) => attributes[0]?.value)).toEqual(global);
    expect(events.at(-1)?.values).toEqual([0xffffffff, ids.length, ...global]);
    expect(archive.notes().map(({ reason }) => reason)).toEqual([]);
  });
});
