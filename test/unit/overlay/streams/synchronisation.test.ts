import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SynchronisationRule } from '../../../../src/overlay/filters/synchronisationRule';
import { frameKinds, StreamFrame, streamFrame } from '../../../../src/overlay/packets/frame';
import { synchronisation } from '../../../../src/overlay/streams/synchronisation';

const children = ['a', 'b', 'c'];

/** Children a, b and c; what is released, as in the specification: `a1 b1`. */
function waiting(rule: SynchronisationRule) {
  const released: string[] = [];
  let now = 0;
  let timers: { at: number; call: () => void }[] = [];
  const waits = synchronisation(
    rule,
    children.length,
    (wave) =>
      void released.push(wave.map(({ sequence, stream }) => `${children[stream]}${sequence}`).join(' ')),
    (milliseconds, call) => {
      const timer = { at: now + milliseconds, call };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
  );
  return {
    released,
    arrive: (name: string) => {
      const child = children.indexOf(name[0]!);
      const bytes = streamFrame({
        kind: frameKinds.up,
        epoch: 1,
        stream: child,
        sequence: Number(name.slice(1)),
      });
      waits.push(child, new StreamFrame(bytes, 0, bytes.length));
    },
    passTo: (time: number) => {
      for (;;) {
        const due = timers.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((one) => one !== due);
        now = due.at;
        due.call();
      }
      now = time;
    },
  };
}

describe('synchronisation', () => {
  it('N9: a wave has one packet of each child; what is early waits for the next one', () => {
    const { arrive, released } = waiting({ kind: 'all' });
    for (const name of ['a1', 'a2', 'b1']) arrive(name);
    expect(released).toEqual([]);
    arrive('c1');
    expect(released).toEqual(['a1 b1 c1']);
    for (const name of ['b2', 'c2']) arrive(name);
    expect(released).toEqual(['a1 b1 c1', 'a2 b2 c2']);
  });

  it('N9: keeps the order of each child, over 10,000 random interleavings', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 15 }, (_, at) => at % 3),
          { minLength: 15 },
        ),
        (order) => {
          const { arrive, released } = waiting({ kind: 'all' });
          const sent = [0, 0, 0];
          for (const child of order) arrive(`${children[child]}${++sent[child]!}`);
          expect(released).toEqual([1, 2, 3, 4, 5].map((wave) => `a${wave} b${wave} c${wave}`));
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('N10: after the time-out a wave goes without the children that are late; what comes then begins a new one', () => {
    const { arrive, released, passTo } = waiting({ kind: 'timeout', milliseconds: 250 });
    arrive('a1');
    passTo(100);
    arrive('b1');
    passTo(249);
    expect(released).toEqual([]);
    passTo(250);
    expect(released).toEqual(['a1 b1']);
    passTo(300);
    arrive('c1');
    passTo(549);
    expect(released).toEqual(['a1 b1']);
    passTo(550);
    expect(released).toEqual(['a1 b1', 'c1']);
  });

  it('N10: an expired wave holds one packet per child at most, and a complete one does not wait', () => {
    const { arrive, released, passTo } = waiting({ kind: 'timeout', milliseconds: 250 });
    for (const name of ['a1', 'a2', 'b1', 'c1']) arrive(name);
    expect(released).toEqual(['a1 b1 c1']);
    arrive('a3');
    passTo(250);
    passTo(500);
    expect(released).toEqual(['a1 b1 c1', 'a2', 'a3']);
  });

  it.each([{ kind: 'none' }, { kind: 'timeout', milliseconds: 0 }] as const)(
    'N10 N11: $kind passes packets on as they arrive',
    (rule) => {
      const { arrive, released } = waiting(rule);
      for (const name of ['b1', 'a1', 'b2', 'c1']) arrive(name);
      expect(released).toEqual(['b1', 'a1', 'b2', 'c1']);
    },
  );
});
