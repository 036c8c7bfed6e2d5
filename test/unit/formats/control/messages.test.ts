import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { FrameReader, mostMessageBytes, type ControlFrame } from '../../../../src/formats/control/frames';
import { decodeMessage, type ControlMessage } from '../../../../src/formats/control/messages';
import { encodeRequest, mostSwitches } from '../../../../src/formats/control/requests';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { Bytes, oneOfEach } from './messageBytes';

const decoded = (type: number): ControlMessage | undefined => {
  const [frame] = new FrameReader().push(oneOfEach.get(type)?.frame(type, 7) ?? Buffer.alloc(0));
  return frame && decodeMessage(frame);
};

const reasonOf = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error instanceof KymoError ? error.reason : error;
  }
  return undefined;
};

describe('messages of a watched process', () => {
  it('state: which process it is, what it can do, its clocks', () => {
    expect(decoded(66)).toEqual({
      kind: 'state',
      serial: 7,
      pid: 77,
      rank: 3,
      ranks: 4,
      host: 'node1',
      program: 'lulesh',
      noSwitching: undefined,
      writesIterations: true,
      isSuspended: false,
      timerIsMonotonicClock: false,
      generation: 5,
      slotCount: 46,
      threadCount: 2,
      phaseSlot: 9,
      selectionId: '00000000deadbeef',
      iterations: 12,
      tick: 1000n,
      ticksPerSecond: 2.1e9,
      realNanoseconds: 1_700_000_000_000_000_000n,
      beginTick: 10n,
      beginRealNanoseconds: 1_600_000_000_000_000_000n,
      cpuSeconds: 2.5,
      probeCost: {
        ...{ pairSeconds: 1, spreadSeconds: 2, insideSeconds: 3, outsideSeconds: 4 },
        sampled: { countedSeconds: 9, spreadSeconds: 10, pairSeconds: 11, insideSeconds: 12 },
      },
      entryCost: { pairSeconds: 5, spreadSeconds: 6, insideSeconds: 7, outsideSeconds: 8 },
    });
  });

  it('answers: refusals with their reason, switched sites', () => {
    expect(decoded(64)).toEqual({ kind: 'refused', serial: 7, why: 'cannot-switch', text: 'no' });
    expect(decoded(67)).toEqual({
      kind: 'switched',
      serial: 7,
      generation: 6,
      sites: 80,
      unknownSlots: 1,
      failedSites: 0,
      tick: 123n,
    });
    expect(decoded(75)).toEqual({ kind: 'done', serial: 7 });
    expect(decoded(79)).toEqual({ kind: 'sampled', serial: 7, unknownSlots: 3 });
  });

  it('definitions: threads, regions, paths and nodes', () => {
    expect(decoded(68)).toEqual({
      kind: 'threads',
      threads: [
        { number: 0, tid: 4711 },
        { number: 1, tid: 4712 },
      ],
    });
    expect(decoded(69)).toEqual({
      kind: 'regions',
      regions: [{ slot: 46, kind: 2, line: 7, name: 'MPI_Send', file: 'a.c' }],
    });
    expect(decoded(70)).toEqual({
      kind: 'paths',
      first: 5,
      paths: [
        { thread: undefined, parent: 0, slot: 3 },
        { thread: 1, parent: undefined, slot: 3 },
      ],
    });
    expect(decoded(78)).toEqual({
      kind: 'communicator',
      id: 99,
      of: 'world',
      ranks: [0, 1],
      remoteRanks: [7],
    });
    expect(decoded(72)).toEqual({
      kind: 'nodes',
      first: 1,
      nodes: [
        { thread: 0, parent: 0, slot: 44, above: [45] },
        { thread: 0, parent: 1, slot: 2 },
      ],
    });
  });

  it('values: amounts above 2^53 saturate', () => {
    expect(decoded(71)).toMatchObject({
      of: 'functions',
      perThread: false,
      differences: true,
      hasMore: false,
      tick: 99n,
      threadsWithoutOpen: 1,
      path: Uint32Array.of(1, 2),
      visits: Float64Array.of(10, Number.MAX_SAFE_INTEGER),
      ticks: Float64Array.of(20, 1),
      openTicks: Float64Array.of(0, 5),
    });
  });

  it('samples: iterations, stacks, borders, and the end', () => {
    expect(decoded(73)).toEqual({
      kind: 'iteration',
      number: 8,
      lost: 2,
      cutShort: false,
      preemptedNanoseconds: 500,
      node: Uint32Array.of(1, 2),
      visits: Float64Array.of(1, 3),
      ticks: Float64Array.of(300, 200),
      childEvents: Float64Array.of(2, 0),
    });
    expect(decoded(76)).toEqual({
      kind: 'stacks',
      tick: 5n,
      lost: 1,
      threadsInMotion: 2,
      threads: [{ thread: 0, depth: 3, slots: Uint32Array.of(4, 5) }],
    });
    expect(decoded(74)).toEqual({ kind: 'suspended', iteration: 8 });
    expect(decoded(80)).toEqual({
      kind: 'callStacks',
      serial: 7,
      tick: 9n,
      lost: 2,
      missing: 1,
      ended: undefined,
      threads: [
        {
          tid: 4712,
          registers: BigUint64Array.of(0x7ff0n, 2n ** 63n),
          frames: [{ address: 0x5000n, returnAddress: 0x401000n, saved: 5n }],
          stack: Uint8Array.of(1, 2, 3),
        },
      ],
    });
    const last = new Bytes().u64(9, 0).u32(0).text('all signals are used').u32(0).body;
    expect(decodeMessage({ type: 80, serial: 0, body: last })).toMatchObject({
      ended: 'all signals are used',
      threads: [],
    });
    expect(decoded(81)).toEqual({
      kind: 'code',
      serial: 7,
      text: '1000-2000 r-xp 00000000 00:00 0 /a\n',
    });
    expect(decoded(77)).toEqual({ kind: 'end', flags: 1, iterations: 60 });
  });

  it('ignores types that it does not know', () => {
    expect(decodeMessage({ type: 4000, serial: 0, body: new Uint8Array(3) })).toBeUndefined();
  });

  it.each([...oneOfEach.keys()])(
    'message %i with a byte less or more is an error that says where',
    (type) => {
      const { body } = oneOfEach.get(type) ?? new Bytes();
      const endsInText = type === 64 || type === 81;
      const frame = (bytes: Uint8Array): ControlFrame => ({ type, serial: 0, body: bytes });
      if (!endsInText)
        expect(reasonOf(() => decodeMessage(frame(Buffer.concat([body, Buffer.of(0)]))))).toBe(
          'invalid-message',
        );
      if (!endsInText && body.length > 0)
        for (let length = 0; length < body.length; length++)
          expect(reasonOf(() => decodeMessage(frame(body.subarray(0, length))))).toBe('invalid-message');
    },
  );

  it('10^5 random and changed messages give a message or a KymoError, and never more memory than they have bytes', () => {
    const random = randomNumbers(5);
    const pick = (count: number): number => Math.floor(random() * count);
    const types = [...oneOfEach.keys()];
    const reasons = new Set<unknown>();
    let good = 0;
    for (let i = 0; i < 100_000; i++) {
      const type = types[pick(types.length)] ?? 64;
      let body = Buffer.from(oneOfEach.get(type)?.body ?? []);
      if (pick(4) === 0) body = Buffer.from(Array.from({ length: pick(100) }, () => pick(256)));
      for (let change = pick(4); change > 0 && body.length > 0; change--)
        body[pick(body.length)] = pick(4) ? pick(256) : 255;
      const reason = reasonOf(() => decodeMessage({ type, serial: 0, body }));
      reasons.add(reason);
      good += Number(reason === undefined);
    }
    expect([...reasons].sort()).toEqual(['invalid-message', undefined]);
    expect(good).toBeGreaterThan(1000);
  });
});

describe('frames', () => {
  it('come whole in whatever pieces the bytes arrive', () => {
    const all = [...oneOfEach].map(([type, bytes], i) => bytes.frame(type, i));
    const expected = all.flatMap((frame) => new FrameReader().push(frame));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), (sizes) => {
        const stream = Buffer.concat(all);
        const reader = new FrameReader();
        const frames: ControlFrame[] = [];
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          frames.push(...reader.push(stream.subarray(at, at + size)));
          at += size;
        }
        expect(frames.map(({ body, ...head }) => ({ ...head, body: [...body] }))).toEqual(
          expected.map(({ body, ...head }) => ({ ...head, body: [...body] })),
        );
      }),
    );
  });

  it('of another version, or longer than allowed, are refused at their head', () => {
    expect(reasonOf(() => new FrameReader().push(new Bytes().frame(66, 0, 2)))).toBe('other-version');
    const head = new Bytes().u32(mostMessageBytes + 1, 66 | (1 << 16), 0).body;
    expect(reasonOf(() => new FrameReader().push(head))).toBe('message-too-long');
    expect(new FrameReader().push(new Bytes().u32(mostMessageBytes, 66 | (1 << 16), 0).body)).toEqual([]);
  });
});

describe('requests', () => {
  it('are little-endian frames with their serial number', () => {
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
    expect(hex(encodeRequest({ kind: 'state' }, 3))).toBe('000000000200010003000000');
    expect(hex(encodeRequest({ kind: 'hello', token: 'ab' }, 1)).slice(0, 24)).toBe(
      '0a0000000100010001000000',
    );
    expect(Buffer.from(encodeRequest({ kind: 'hello', token: 'ab' }, 1)).toString('latin1', 12)).toBe(
      'KYMOCTL1ab',
    );
    const slots = [
      { slot: 1, on: true },
      { slot: 258, on: false },
    ];
    expect(hex(encodeRequest({ kind: 'switch', slots }, 0)).slice(24)).toBe('020000000100008002010000');
    const intervals = [
      { slot: 1, interval: 1 },
      { slot: 258, interval: 1024 },
    ];
    const sampling = encodeRequest({ kind: 'intervals', slots: intervals }, 0);
    expect(hex(sampling).slice(24)).toBe('020000000100000000000000020100000a000000');
    const counters = { kind: 'counters', of: 'functions', perThread: false, differences: true } as const;
    expect(hex(encodeRequest(counters, 0)).slice(24)).toBe('01000100');
    expect(hex(encodeRequest({ kind: 'stacks', intervalMicroseconds: 1000 }, 0)).slice(24)).toBe('e8030000');
    const callStacks = encodeRequest({ kind: 'callStacks', intervalMicroseconds: 1000 }, 0);
    expect(hex(callStacks)).toBe('040000000900010000000000e8030000');
    expect(hex(encodeRequest({ kind: 'callStacksNow' }, 2))).toBe('000000000a00010002000000');
    expect(hex(encodeRequest({ kind: 'code' }, 2))).toBe('000000000b00010002000000');
    expect(hex(encodeRequest({ kind: 'suspend', on: true }, 0)).slice(8, 12)).toBe('0600');
    expect(hex(encodeRequest({ kind: 'iterations', on: false }, 0)).slice(24)).toBe('00');
  });

  it('refuse more than a process would take', () => {
    const slots = Array.from({ length: mostSwitches + 1 }, (_, slot) => ({ slot, on: true }));
    expect(() => encodeRequest({ kind: 'switch', slots }, 1)).toThrow(RangeError);
    const intervals = slots.map(({ slot }) => ({ slot, interval: 2 }));
    expect(() => encodeRequest({ kind: 'intervals', slots: intervals }, 1)).toThrow(RangeError);
    for (const interval of [0, 3, 0.5, 131_072])
      expect(() => encodeRequest({ kind: 'intervals', slots: [{ slot: 0, interval }] }, 1)).toThrow(
        RangeError,
      );
    expect(() => encodeRequest({ kind: 'hello', token: 'x'.repeat(129) }, 1)).toThrow(RangeError);
  });
});
