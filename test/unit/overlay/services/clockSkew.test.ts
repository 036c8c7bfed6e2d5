import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { ServiceError } from '../../../../src/overlay/services/serviceError';
import { SkewLinks, type RankSkew } from '../../../../src/overlay/services/clockSkew';

const self = (rank: number): readonly RankSkew[] => [{ rank, skew: 0, uncertainty: 0 }];

/** The skew of one child after rounds in which its clock is `ahead` seconds ahead; delays in seconds. */
function measured(
  rounds: readonly { readonly down: number; readonly held: number; readonly up: number }[],
  ahead: number,
): RankSkew {
  const links = new SkewLinks([1]);
  rounds.forEach(({ down, held, up }, id) => {
    const sent = 100 + id;
    links.probe(id, sent);
    const received = sent + down + ahead;
    links.push(1, { id, received, answered: received + held }, sent + down + held + up);
  });
  return links.accumulate(1, self(1))[0]!;
}

describe('clock skew', () => {
  test('S4: a child 3 s behind is found exactly over a symmetric link, and with half of the asymmetry over another', () => {
    expect(measured([{ down: 0.002, held: 0.001, up: 0.002 }], -3).skew).toBeCloseTo(3, 12);
    const asymmetric = measured([{ down: 0.002, held: 0.001, up: 0.006 }], -3);
    expect(asymmetric.skew).toBeCloseTo(3.002, 12);
    expect(asymmetric.uncertainty).toBeCloseTo(0.004, 12);
  });

  test('S4: the example of three levels is exact in simulation', () => {
    const clock = { FE: 0, P1: 0.5, P2: -0.2, B1: 2, B2: -1, B3: 0.25, B4: -3 };
    const below = { FE: ['P1', 'P2'], P1: ['B1', 'B2'], P2: ['B3', 'B4'] } as const;
    const rank = (name: keyof typeof clock) => Object.keys(clock).indexOf(name);
    const inner = (name: keyof typeof below) => new SkewLinks(below[name].map(rank));
    const links = { FE: inner('FE'), P1: inner('P1'), P2: inner('P2') };
    for (let id = 0; id < 3; id++) {
      const now = 10 * id;
      links.FE.probe(id, now);
      for (const parent of below.FE) {
        links[parent].probe(id, now + 0.002 + clock[parent]);
        for (const child of below[parent]) {
          const stamps = { id, received: now + 0.004 + clock[child], answered: now + 0.005 + clock[child] };
          links[parent].push(rank(child), stamps, now + 0.007 + clock[parent]);
        }
        const stamps = { id, received: now + 0.001 + clock[parent], answered: now + 0.002 + clock[parent] };
        links.FE.push(rank(parent), stamps, now + 0.003);
      }
    }
    const local = { P1: -0.5, P2: 0.2, B1: -1.5, B2: 1.5, B3: -0.45, B4: 2.8 };
    const cumulative = { B1: -2, B2: 1, B3: -0.25, B4: 3 };
    for (const parent of below.FE) {
      expect(links.FE.accumulate(rank(parent), self(rank(parent)))[0]!.skew).toBeCloseTo(local[parent], 9);
      for (const child of below[parent]) {
        const first = links[parent].accumulate(rank(child), self(rank(child)));
        expect(first[0]!.skew).toBeCloseTo(local[child], 9);
        const [found] = links.FE.accumulate(rank(parent), first);
        expect(found).toMatchObject({ rank: rank(child) });
        expect(found!.skew).toBeCloseTo(cumulative[child], 9);
        expect(found!.uncertainty).toBeCloseTo(0.003, 9);
      }
    }
  });

  test('S4: the shortest round trip counts, not the smallest skew: below 0.1 ms instead of 4.6 ms with queueing of 2 ms on average', () => {
    const random = randomNumbers(7);
    const queued = () => 0.0005 - 0.002 * Math.log(1 - random());
    let ours = 0;
    let published = 0;
    for (let trial = 0; trial < 200; trial++) {
      const rounds = Array.from({ length: 100 }, () => ({ down: queued(), held: 0.0001, up: queued() }));
      ours += Math.abs(measured(rounds, -0.05).skew - 0.05) / 200;
      const smallest = Math.min(...rounds.map((round) => Math.abs(measured([round], -0.05).skew)));
      published += Math.abs(smallest - 0.05) / 200;
    }
    expect(ours).toBeLessThan(1e-4);
    expect(published).toBeGreaterThan(4e-3);
  });

  test('S4: what a sibling delays does not change the result', () => {
    const skewOf = (siblingDelay: number) => {
      const links = new SkewLinks([1, 2]);
      links.probe(0, 0);
      links.push(1, { id: 0, received: 0.002, answered: 0.002 }, 0.004);
      links.push(2, { id: 0, received: 0.002, answered: 0.002 }, 0.004 + siblingDelay);
      return links.accumulate(1, self(1))[0]!.skew;
    };
    // One arrival time for the whole wave would give 5 ms.
    expect(skewOf(0.01)).toBe(skewOf(0));
    expect(Math.abs(skewOf(0.01))).toBeLessThan(1e-12);
  });

  test('S4: two streams over the same children have states of their own, by rank and not by position', () => {
    const [one, other] = [new SkewLinks([5, 3]), new SkewLinks([3, 5])];
    for (const [links, ahead] of [
      [one, 1],
      [other, 2],
    ] as const) {
      links.probe(0, 0);
      links.push(3, { id: 0, received: ahead, answered: ahead }, 0);
      links.push(5, { id: 0, received: -ahead, answered: -ahead }, 0);
    }
    expect(one.accumulate(3, self(3))[0]!.skew).toBe(-1);
    expect(one.accumulate(5, self(5))[0]!.skew).toBe(1);
    expect(other.accumulate(3, self(3))[0]!.skew).toBe(-2);
  });

  test('S4: a clock that drifts is measured again, also over a slower link', () => {
    const links = new SkewLinks([1]);
    const round = (id: number, ahead: number, delay: number) => {
      links.probe(id, 0);
      links.push(1, { id, received: delay + ahead, answered: delay + ahead }, 2 * delay);
      return links.accumulate(1, self(1))[0]!.skew;
    };
    expect(round(0, 1, 0.001)).toBeCloseTo(-1, 12);
    expect(round(1, 2, 0.002)).toBeCloseTo(-1, 12);
    links.renew();
    expect(round(2, 2, 0.002)).toBeCloseTo(-2, 12);
  });

  test('S4: answers that nobody asked for, that come twice, or across a clock that was set are not used', () => {
    const links = new SkewLinks([1]);
    links.push(1, { id: 9, received: 0, answered: 0 }, 0);
    links.probe(1, 100);
    links.push(1, { id: 1, received: 0, answered: 0 }, 50);
    links.push(1, { id: 1, received: 0, answered: 0 }, 101);
    expect(() => links.accumulate(1, self(1))).toThrow('not measured yet');
    for (const wrong of [NaN, Infinity])
      expect(() => links.push(1, { id: 1, received: wrong, answered: 0 }, 0)).toThrow(ServiceError);
    expect(() => links.push(2, { id: 1, received: 0, answered: 0 }, 0)).toThrow('Rank 2 is not a child');
  });

  test('S4: a child that joins is asked from the next round on; one that has left is unknown', () => {
    const links = new SkewLinks([1, 2]);
    links.probe(0, 0);
    links.join(3);
    links.push(3, { id: 0, received: 0, answered: 0 }, 0);
    expect(() => links.accumulate(3, self(3))).toThrow('not measured yet');
    links.leave(2);
    expect(() => links.push(2, { id: 0, received: 0, answered: 0 }, 0)).toThrow('Rank 2 is not a child');
    links.probe(1, 10);
    links.push(3, { id: 1, received: 11, answered: 11 }, 10);
    expect(links.accumulate(3, self(3))[0]?.skew).toBe(-1);
  });

  test('S4: rounds that are never answered do not pile up', () => {
    const links = new SkewLinks([1]);
    for (let id = 0; id < 65; id++) links.probe(id, 0);
    links.push(1, { id: 0, received: 5, answered: 5 }, 0);
    expect(() => links.accumulate(1, self(1))).toThrow('not measured yet');
    links.push(1, { id: 64, received: 5, answered: 5 }, 0);
    expect(links.accumulate(1, self(1))[0]?.skew).toBe(-5);
  });
});
