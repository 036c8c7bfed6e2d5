import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDownMessage, readUpMessage } from '../../../../src/overlay/control/messages';
import {
  frameKinds,
  jsonFrame,
  readJson,
  StreamFrame,
  streamFrame,
} from '../../../../src/overlay/packets/frame';
import { FrameReader } from '../../../../src/overlay/packets/frameReader';
import { OverlayError } from '../../../../src/overlay/packets/overlayError';
import { Packet } from '../../../../src/overlay/packets/packet';
import { randomNumbers } from '../../../../src/core/randomNumbers';

const whole = (bits: number, isSigned: boolean) =>
  isSigned
    ? fc.bigInt({ min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n })
    : fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const numbers = (bits: number, isSigned: boolean) => whole(bits, isSigned).map(Number);
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  c: numbers(8, true),
  uc: numbers(8, false),
  hd: numbers(16, true),
  uhd: numbers(16, false),
  d: numbers(32, true),
  ud: numbers(32, false),
  ld: whole(64, true),
  uld: whole(64, false),
  f: fc.float(),
  lf: fc.double(),
  s: fc.string({ unit: 'grapheme' }),
};
const field = fc.constantFrom(...Object.keys(values)).chain((code) =>
  fc.constantFrom('', 'a', 'A').chain((array) =>
    fc.record({
      format: fc.constant(`%${array}${code}`),
      value: array === '' ? values[code]! : fc.array(values[code]!, { maxLength: 5 }),
    }),
  ),
);

/** A packet over the wire, in a frame. */
function sent(packet: Packet): Packet {
  const frame = streamFrame({ kind: frameKinds.up, epoch: 1, stream: 2, sequence: 3, packets: [packet] });
  return new StreamFrame(frame, 0, frame.length).packets()[0]!;
}

const plain = (value: unknown): unknown =>
  ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value as ArrayLike<unknown>) : value;

describe('packets', () => {
  it('N6: all types and arrays of them come back as they were sent', () => {
    fc.assert(
      fc.property(
        fc.array(field, { maxLength: 6 }),
        fc.integer({ min: 100, max: 2 ** 31 - 1 }),
        (fields, tag) => {
          const format = fields.map((one) => one.format).join(' ');
          const packet = sent(Packet.of(tag, 7, format, fields.map(({ value }) => value) as never));
          expect(packet.unpack(format).map(plain)).toEqual(fields.map(({ value }) => plain(value)));
          expect([packet.tag, packet.source]).toEqual([tag, 7]);
        },
      ),
    );
  });

  it('N6: extremes of 64 bits, NaN, an empty array and text beyond ASCII', () => {
    const all = [-(2n ** 63n), 2n ** 64n - 1n, NaN, new Int32Array(0), 'größer 𝛼 😀'] as const;
    const got = sent(Packet.of(100, 0, '%ld %uld %lf %ad %s', all)).unpack('%ld %uld %lf %ad %s');
    expect(got).toEqual([...all]);
  });

  it('N6: refuses another format, other kinds of values and values out of range', () => {
    const packet = sent(Packet.of(100, 0, '%d %f', [1, 2]));
    expect(() => packet.unpack('%d %lf')).toThrow('was packed with “%d %f” and is unpacked with “%d %lf”');
    expect(() => Packet.of(100, 0, '%x', [1])).toThrow(OverlayError);
    expect(() => Packet.of(100, 0, '%uc', [256])).toThrow(OverlayError);
    expect(() => Packet.of(100, 0, '%d', [1.5])).toThrow(OverlayError);
    expect(() => Packet.of(100, 0, '%ld', [1])).toThrow(OverlayError);
    expect(() => Packet.of(100, 0, '%ad', [1])).toThrow(OverlayError);
    expect(() => Packet.of(100, 0, '%d %d', [1])).toThrow('takes 2 values; there are 1');
  });

  it('N7: reads bodies of senders with the other byte order', () => {
    const body = Buffer.alloc(4 + 8 + 4 + 2 * 2);
    body.writeInt32BE(-5, 0);
    body.writeDoubleBE(Math.PI, 4);
    body.writeUInt32BE(2, 12);
    body.writeInt16BE(300, 16);
    body.writeInt16BE(-1, 18);
    const format = '%d %lf %ahd';
    const bytes = Buffer.alloc(14 + format.length + body.length);
    bytes.writeUInt32LE(bytes.length - 4, 0);
    bytes.writeInt32LE(123, 4);
    bytes[12] = 1;
    bytes[13] = format.length;
    bytes.write(format, 14);
    body.copy(bytes, 14 + format.length);
    const packet = Packet.read(bytes, 0, bytes.length);
    expect(packet.unpack(format)).toEqual([-5, Math.PI, Int16Array.of(300, -1)]);
    expect(sent(packet).values()).toEqual(packet.values());
  });

  it('N7: frames are found however the bytes of a connection are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer(), { maxLength: 20 }), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }),
        (lists, cuts) => {
          const frames = lists.map((list, at) =>
            streamFrame({
              kind: frameKinds.up,
              epoch: 1,
              stream: 2,
              sequence: at,
              packets: [Packet.of(100, 0, '%ad', [list])],
            }),
          );
          const all = Buffer.concat(frames);
          const got: unknown[] = [];
          const reader = new FrameReader();
          for (let at = 0, cut = 0; at < all.length; cut++) {
            const size = cuts[cut % cuts.length]!;
            reader.read(Buffer.from(all.subarray(at, at + size)), (bytes, from, to) => {
              const frame = new StreamFrame(bytes, from, to);
              got.push([frame.sequence, plain(frame.packets()[0]!.values()[0])]);
            });
            at += size;
          }
          expect(got).toEqual(lists.map((list, at) => [at, list]));
        },
      ),
    );
  });

  it('N17: 100,000 random and changed messages are refused with a reason or read, never more', () => {
    const random = randomNumbers(17);
    const whole = (below: number): number => Math.floor(random() * below);
    const seeds = [
      streamFrame({
        kind: frameKinds.up,
        epoch: 1,
        stream: 2,
        sequence: 3,
        packets: [Packet.of(100, 0, '%d %as %Alf', [1, ['a', 'bc'], [1.5]])],
      }),
      streamFrame({
        kind: frameKinds.up,
        epoch: 1,
        stream: 2,
        sequence: 3,
        parts: [{ rank: 1, sequence: 9 }],
        packets: [Packet.of(100, 0, '%d', [1]), Packet.of(101, 5, '%uld', [7n])],
      }),
      jsonFrame(frameKinds.control, { kind: 'lost', parent: 1, rank: 2, attempt: 3, how: 'ended' }),
      jsonFrame(frameKinds.control, { kind: 'close', stream: 1 }),
      jsonFrame(frameKinds.control, {
        kind: 'configuration',
        configuration: { epoch: 1, members: [], streams: [] },
      }),
    ];
    const reasons = new Set<string>();
    for (let round = 0; round < 100_000; round++) {
      const seed = seeds[whole(seeds.length)]!;
      const bytes =
        round % 4 === 0
          ? Buffer.from(Array.from({ length: whole(80) }, () => whole(256)))
          : Buffer.from(seed);
      for (let change = whole(4); change > 0 && bytes.length > 0; change--)
        bytes[whole(bytes.length)] = whole(256);
      try {
        new FrameReader(2 ** 16).read(bytes, (frame, from, to) => {
          if (frame[from + 4] === frameKinds.control) {
            const value = readJson(frame, from, to);
            if (round % 2 === 0) readUpMessage(value);
            else readDownMessage(value);
          } else for (const packet of new StreamFrame(frame, from, to).packets()) packet.values();
        });
      } catch (error) {
        if (!(error instanceof OverlayError)) throw error;
        reasons.add(error.reason);
      }
    }
    expect([...reasons].sort()).toEqual(['format', 'malformed']);
  });

  it('N17: an announced length costs no memory before its bytes come', () => {
    const reader = new FrameReader();
    const before = process.memoryUsage().arrayBuffers;
    const announced = Buffer.alloc(8);
    announced.writeUInt32LE(60 * 2 ** 20, 0);
    reader.read(announced, () => undefined);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    expect(() => new FrameReader(100).read(Buffer.from([200, 0, 0, 0, 1]), () => undefined)).toThrow(
      '5 to 100 are allowed',
    );
  });
});
