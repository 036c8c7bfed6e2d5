import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coarsened,
  communicationMatrix,
  communicationPiece,
  communicationSums,
  entryOf,
  ranksOfRow,
  type CommunicationEntry,
} from '../../../../src/core/communication/communicationMatrix';
import { stencilTraffic } from '../../../stencilTraffic';

const size = 12;
const rank = fc.nat(size - 1);
const entry = (isTimed: boolean): fc.Arbitrary<CommunicationEntry> =>
  fc
    .record({ from: rank, to: rank, messages: fc.nat(100), bytes: fc.nat(1 << 20), seconds: fc.nat(1000) })
    .map(({ seconds, ...own }) => (isTimed ? { ...own, seconds } : own));
const traffic = fc.boolean().chain((isTimed) => fc.array(entry(isTimed), { maxLength: 60 }));

describe('who sends to whom', () => {
  it('is the sum of all entries of a pair, whatever their order', () =>
    fc.assert(
      fc.property(traffic, (entries) => {
        const matrix = communicationMatrix(size, entries);
        expect(communicationMatrix(size, [...entries].reverse())).toEqual(matrix);
        expect(matrix.seconds === undefined).toBe(entries.every(({ seconds }) => seconds === undefined));
        for (let from = 0; from < size; from++)
          for (let to = 0; to < size; to++) {
            const own = entries.filter((one) => one.from === from && one.to === to);
            const found = entryOf(matrix, from, to);
            expect(found === undefined).toBe(own.length === 0);
            if (found === undefined) continue;
            const sum = (of: (one: CommunicationEntry) => number) =>
              own.reduce((all, one) => all + of(one), 0);
            expect([matrix.from[found], matrix.to[found]]).toEqual([from, to]);
            expect(matrix.bytes[found]).toBe(sum(({ bytes }) => bytes));
            expect(matrix.messages[found]).toBe(sum(({ messages }) => messages));
            expect(matrix.seconds?.[found] ?? 0).toBe(sum(({ seconds = 0 }) => seconds));
          }
      }),
    ));

  it('is sent as much as it is received, also where neighbouring ranks share a row', () =>
    fc.assert(
      fc.property(traffic, fc.nat(60), (entries, most) => {
        const matrix = communicationMatrix(size, entries);
        const coarse = coarsened(matrix, most);
        expect(coarse.from.length).toBeLessThanOrEqual(Math.max(1, most));
        expect(coarse.ranks).toBe(size);
        for (const value of ['bytes', 'messages', 'seconds'] as const) {
          const fine = communicationSums(matrix, value);
          const own = communicationSums(coarse, value);
          const all = (values: Float64Array): number => values.reduce((sum, one) => sum + one, 0);
          expect([all(own.sent), all(own.received), own.total]).toEqual([fine.total, fine.total, fine.total]);
          for (let row = 0; row < coarse.size; row++) {
            const [first, last] = ranksOfRow(coarse, row);
            expect(own.sent[row]).toBe(all(fine.sent.slice(first, last + 1)));
            expect(own.received[row]).toBe(all(fine.received.slice(first, last + 1)));
          }
          expect(ranksOfRow(coarse, coarse.size - 1)[1]).toBe(size - 1);
        }
      }),
    ));

  it('travels in pieces', () => {
    const matrix = communicationMatrix(8, stencilTraffic(2, 10, 3));
    const pieces = [communicationPiece(matrix, 0, 7), communicationPiece(matrix, 7, 100)];
    expect(pieces.flatMap(({ to }) => [...to])).toEqual([...matrix.to]);
    expect(pieces[0]?.bytes.buffer.byteLength).toBe(56);
    expect('seconds' in communicationPiece(matrix, 0, 1)).toBe(false);
  });

  it('holds a 3-D stencil of 4,096 ranks as its 23,040 pairs', () => {
    const matrix = communicationMatrix(4096, stencilTraffic(16, 8192, 10));
    // Three axes, two directions, 15 of 16 places along an axis.
    expect(matrix.from.length).toBe(3 * 2 * 16 * 16 * 15);
    const { sent, received, total } = communicationSums(matrix, 'bytes');
    expect(received).toEqual(sent);
    expect([Math.min(...sent), Math.max(...sent)]).toEqual([3 * 81920, 6 * 81920]);
    expect(total).toBe(23_040 * 81_920);
    expect(entryOf(matrix, 0, 256)).toBeDefined();
    expect(entryOf(matrix, 15, 16)).toBeUndefined();
  });

  it('has no ranks outside of the run', () =>
    expect(() => communicationMatrix(4, [{ from: 0, to: 4, messages: 1, bytes: 1 }])).toThrow(
      'Rank 4 is not among the 4 ranks of the run.',
    ));
});
