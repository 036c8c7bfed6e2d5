import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import { mostClusters, type Digest } from '../../../../src/core/digest/digest';
import { mergeDigests } from '../../../../src/core/digest/mergeDigests';
import { present } from '../../../../src/core/present';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { Digests } from '../../../../src/overlay/filters/digests';
import { OverlayError } from '../../../../src/overlay/packets/overlayError';
import { Packet } from '../../../../src/overlay/packets/packet';
import { digestFormat, digestValues, readDigest } from '../../../../src/overlay/services/digestPacket';
import type { Packable } from '../../../../src/overlay/packets/values';
import { balanced } from '../../../workflows/overlay/balanced';
import { ofProcess, rows, totals, withIterations } from '../../core/digest/digests';
import { VirtualNetwork } from '../virtualNetwork';

const packetOf = (digest: Digest, source = 0): Packet =>
  Packet.of(100, source, digestFormat, digestValues(digest));
const timeout = { kind: 'timeout', milliseconds: 1000 } as const;
const settings = { synchronisation: timeout, up: 'digests', down: 'none' } as const;

describe('a digest in a packet', () => {
  it('is what it was', () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 20 }), (processes) => {
        const digest = mergeDigests(processes.map((own, rank) => ofProcess(rank, own)));
        expect(readDigest(packetOf(digest))).toEqual(digest);
      }),
    );
  });

  it('has its iterations', () => {
    const digest = mergeDigests([withIterations(0, [3, 4, 9], 2), withIterations(1, [4, 9], 3)]);
    expect(digest.iterations?.numbers).toHaveLength(2);
    expect(readDigest(packetOf(digest))).toEqual(digest);
  });

  it('that is damaged anywhere is refused with a reason, or has values that can be, and never more than it may', () => {
    const whole = packetOf(
      mergeDigests([ofProcess(3, []), ofProcess(7, [{ parent: 0, slot: 5, visits: 2, seconds: 3 }])]),
    );
    const bytes = Buffer.alloc(whole.size);
    whole.write(bytes, 0);
    const random = randomNumbers(1);
    const pick = (below: number): number => Math.floor(random() * below);
    let refused = 0;
    for (let attempt = 0; attempt < 20_000; attempt++) {
      const damaged = Buffer.from(bytes);
      for (let change = 0; change <= pick(3); change++)
        damaged[14 + whole.format.latin1.length + pick(damaged.length - 14 - whole.format.latin1.length)] =
          pick(256);
      try {
        const { clusters, parents } = readDigest(Packet.read(damaged, 0, damaged.length));
        expect(clusters.length).toBeLessThanOrEqual(mostClusters);
        expect(
          Object.values(totals([{ ...readDigest(whole), clusters, parents }])).every(Number.isFinite),
        ).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(OverlayError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(1000);
  });

  const good = digestValues({
    ...mergeDigests([ofProcess(3, [{ parent: 0, slot: 5, visits: 2, seconds: 3 }])]),
    ...present({ iterations: mergeDigests([withIterations(3, [3, 4], 1)]).iterations }),
  });
  it.each<[string, number, Packable]>([
    ['a name too many', 2, ['r2', 'r1', 'r0', 'r']],
    ['a name without end', 2, ['r2', 'r1', 'r'.repeat(5000)]],
    ['no root', 6, []],
    ['a root below another path', 6, [0, 0]],
    ['a path below itself', 6, [-1, 1]],
    ['more slots than paths', 7, [1, 2, 3]],
    ['costs that are no number', 8, [NaN]],
    ['more clusters than allowed', 9, Array<number>(mostClusters + 1).fill(0)],
    ['ranges that are not there', 9, [7]],
    ['ranges in no order', 10, [5, 3]],
    ['a negative count', 11, [1, 2, -4, 3, 3, 1, 1, 0]],
    ['a name of an amount twice', 12, ['visits', 'visits']],
    ['an endless time', 13, [1, 2, Infinity, 4]],
    ['a value too few', 13, [1, 2, 3]],
    ['iterations in no order', 15, [4, 3]],
    ['iterations without values', 15, [3, 4, 5]],
    ['iterations of a path below itself', 16, [-1, 1, 1]],
    ['a rank too many', 22, [1, 1, 1]],
    ['a negative time of an iteration', 24, [0, -1, 1, 0, 1, 1]],
  ])('with %s is refused', (_, position, value) => {
    const values = good.map((own, place) => (place === position ? value : own));
    expect(() => readDigest(Packet.of(100, 0, digestFormat, values))).toThrow(/of a digest cannot be right/);
  });
});

describe('the filter for digests', () => {
  const outputOf = (): {
    readonly up: (packet: Packet) => void;
    down: () => void;
    problem: () => void;
    readonly digests: Digest[];
  } => {
    const digests: Digest[] = [];
    return {
      up: (packet) => void digests.push(readDigest(packet)),
      down: () => undefined,
      problem: () => undefined,
      digests,
    };
  };

  it('counts a child that sent nothing in time with what it sent last, and one that is gone not at all', () => {
    const filter = new Digests({ rank: 9, isFrontEnd: true, children: [1, 2], backEnds: 2 });
    const [a, b] = [ofProcess(1, []), ofProcess(2, [])];
    const output = outputOf();
    filter.apply([packetOf(a, 1), packetOf(b, 2)], output);
    filter.apply([packetOf(a, 1)], output);
    filter.setChildren([1]);
    filter.apply([packetOf(a, 1)], output);
    expect(output.digests.map((digest) => totals([digest]))).toEqual([
      totals([a, b]),
      totals([a, b]),
      totals([a]),
    ]);
  });

  it('does not add up what is of different programs', () => {
    const filter = new Digests({ rank: 9, isFrontEnd: true, children: [1, 2], backEnds: 2 });
    const other = { ...ofProcess(2, []), slotCount: 77 };
    expect(() => filter.apply([packetOf(ofProcess(1, []), 1), packetOf(other, 2)], outputOf())).toThrow(
      /different programs/,
    );
  });

  it.each([[[4]], [[2, 4]], [[4, 4]], [[3, 2, 4]]])(
    'gives the front end of any tree (%s) the sums of all, in one packet for each question',
    (fanOuts) => {
      const digests = new Map<number, Digest>();
      const own = [{ parent: 0, slot: 1, visits: 3, seconds: 5 }];
      const network = new VirtualNetwork(balanced(...fanOuts), 1, {
        onPacket: (rank, _, stream) => {
          const digest = ofProcess(rank, own);
          digests.set(rank, digest);
          stream.send(100, digestFormat, ...digestValues(digest));
        },
      });
      const stream = network.frontEnd.newStream({ ranks: undefined }, settings);
      const results: Digest[] = [];
      stream.onPacket((packet) => void results.push(readDigest(packet)));
      stream.send(100, '%ud', 0);
      network.run();
      expect(results).toHaveLength(1);
      expect(totals(results)).toEqual(totals([...digests.values()]));
      expect(at(results, 0).clusters).toHaveLength(1);
    },
  );

  it('has all of them again after the loss of an inner process, each once', () => {
    const network = new VirtualNetwork(balanced(4, 4), 3, {
      onPacket: (rank, _, stream) =>
        void stream.send(100, digestFormat, ...digestValues(ofProcess(rank, []))),
    });
    const stream = network.frontEnd.newStream({ ranks: undefined }, settings);
    const sizes: number[] = [];
    stream.onPacket((packet) => {
      sizes.push(readDigest(packet).clusters.reduce((sum, { processes }) => sum + processes, 0));
    });
    const ask = (): void => {
      stream.send(100, '%ud', 0);
      network.run();
    };
    ask();
    network.kill(16);
    network.run();
    ask();
    ask();
    expect(sizes[0]).toBe(16);
    expect(sizes.at(-1)).toBe(16);
    expect(Math.max(...sizes)).toBe(16);
  });
});
