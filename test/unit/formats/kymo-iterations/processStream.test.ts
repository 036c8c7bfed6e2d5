import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { bytesSource } from '../../../../src/formats/byteSource';
import { ProcessStream } from '../../../../src/formats/kymo-iterations/processStream';
import { buildStream, type StreamRecord } from './streamBuilder';

const id = '00000000000000ab';
const untimed = 0x8000_0000;

/** So many iterations of a phase below slot 0, which call slot 2 (timed and not) as often as their number says. */
function records(iterations: number): StreamRecord[] {
  const found: StreamRecord[] = [{ phase: { thread: 0, slot: 1, above: [0] } }];
  for (let i = 1; i <= iterations; i++) {
    found.push({ values: [1, 1, 1000 * i, i] });
    if (i === 1) found.push({ node: { thread: 0, parent: 1, slot: 2 } });
    found.push({ values: [2, i, 500 * i, 0] });
    if (i === 2) found.push({ node: { thread: 0, parent: 1, slot: untimed + 2 } });
    if (i >= 2) found.push({ values: [3, 2 ** 40 + i, 0, 0] });
    found.push({ end: 'whole' });
  }
  return found;
}

function read(bytes: Uint8Array): { readonly visits: number[][]; readonly stream: ProcessStream } {
  const stream = new ProcessStream(bytesSource(bytes), 'x.iterations', id);
  const visits: number[][] = [];
  for (let next = stream.next(); next !== undefined; next = stream.next())
    visits.push(Array.from(next.visits.subarray(0, next.count)));
  return { visits, stream };
}

describe('what a process wrote about its iterations', () => {
  it('is read as it was written', () => {
    const { visits, stream } = read(buildStream(records(3)));
    expect(visits).toEqual([
      [1, 1],
      [1, 2, 2 ** 40 + 2],
      [1, 3, 2 ** 40 + 3],
    ]);
    expect(stream.nodes.slice(1)).toEqual([
      { thread: 0, slot: 1, untimed: false, parent: 0, above: [0] },
      { thread: 0, slot: 2, untimed: false, parent: 1 },
      { thread: 0, slot: 2, untimed: true, parent: 1 },
    ]);
  });

  it('wherever it is cut off, the iterations before that are whole, and nothing else is', () => {
    const whole = read(buildStream(records(12))).visits;
    const bytes = buildStream(records(12));
    for (let length = 16; length < bytes.length; length++) {
      const { visits } = read(bytes.subarray(0, length));
      expect(visits.length).toBeLessThan(12);
      expect(visits).toEqual(whole.slice(0, visits.length));
    }
  });

  it('is refused when it belongs to another selection, or is something else', () => {
    expect(() => read(buildStream(records(1), 'cd'))).toThrow(/selection 00000000000000cd/);
    expect(() => read(Buffer.from('KYMORES3 and more than that'))).toThrow(/does not begin with KYMOITP2/);
    expect(() => read(Buffer.alloc(0))).toThrow(KymoError);
  });

  it('is refused when it is damaged, or read as what it says; never anything else', () => {
    const bytes = buildStream(records(20));
    fc.assert(
      fc.property(fc.integer({ min: 16, max: bytes.length - 1 }), fc.nat(255), (at, value) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        try {
          expect(read(damaged).visits.length).toBeLessThan(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
