import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FilterName } from '../../../../src/overlay/filters/filterTable';
import type { Packable } from '../../../../src/overlay/packets/values';
import { balanced } from '../../../workflows/overlay/balanced';
import { VirtualNetwork } from '../virtualNetwork';

/** The one result of a reduction of a packet from each back end. */
function reduced(
  fanOuts: readonly number[],
  up: FilterName,
  format: string,
  values: (rank: number) => readonly Packable[],
) {
  const network = new VirtualNetwork(balanced(...fanOuts), 1, {
    onPacket: (rank, _, stream) => void stream.send(100, format, ...values(rank)),
  });
  const stream = network.frontEnd.newStream(
    { ranks: undefined },
    { synchronisation: { kind: 'all' }, up, down: 'none' },
  );
  stream.send(100, '%d', 0);
  network.run();
  return { packet: stream.take(), events: network.events.filter(({ kind }) => kind === 'problem') };
}

const tree = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });

describe('built-in filters', () => {
  it('N12: SUM, MIN, MAX and CONCAT over random trees are those of all values together', () => {
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.integer({ min: -1e6, max: 1e6 })), (fanOuts, stream) => {
        const count = fanOuts.reduce((product, fan) => product * fan, 1);
        const values = [...stream.take(count)];
        const of = (up: FilterName): unknown =>
          reduced(fanOuts, up, '%d', (rank) => [values[rank]!]).packet?.values()[0];
        expect(of('sum')).toBe(values.reduce((sum, value) => sum + value, 0));
        expect(of('min')).toBe(Math.min(...values));
        expect(of('max')).toBe(Math.max(...values));
        expect(of('concat')).toEqual(Int32Array.from(values));
      }),
      { numRuns: 100 },
    );
  });

  it('N12: AVG over random trees: weights are exact, and the mean that of all', () => {
    fc.assert(
      fc.property(
        tree,
        fc.infiniteStream(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.nat(100))),
        (fanOuts, stream) => {
          const pairs = [...stream.take(fanOuts.reduce((product, fan) => product * fan, 1))];
          const [mean, weight] = reduced(fanOuts, 'avg', '%lf %d', (rank) => pairs[rank]!).packet!.values();
          const weights = pairs.reduce((sum, [, one]) => sum + one, 0);
          expect(weight).toBe(weights);
          expect(mean).toBeCloseTo(
            weights === 0 ? 0 : pairs.reduce((sum, [value, one]) => sum + value * one, 0) / weights,
            9,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('N12: sums of 64-bit integers are exact, and a sum that does not fit its type is an error instead of a wrong number', () => {
    expect(reduced([2, 2], 'sum', '%ld', () => [2n ** 60n]).packet?.values()).toEqual([2n ** 62n]);
    const { packet, events } = reduced([2], 'sum', '%d', () => [2 ** 31 - 1]);
    expect(packet).toBeUndefined();
    expect(events).toMatchObject([{ reason: 'format' }]);
  });

  it('N17: packets of a wave in different formats are an event that names both', () => {
    const { events } = reduced([2], 'concat', '%s', () => ['text']);
    expect(events).toEqual([]);
    const network = new VirtualNetwork(balanced(2), 1, {
      onPacket: (rank, _, stream) => void stream.send(100, rank === 0 ? '%d' : '%lf', 1),
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: { kind: 'all' }, up: 'sum', down: 'none' },
    );
    stream.send(100, '%d', 0);
    network.run();
    expect(network.events.at(-1)).toMatchObject({
      kind: 'problem',
      reason: 'filter',
      message: 'A wave holds packets of different formats: “%d” and “%lf”.',
    });
  });
});
