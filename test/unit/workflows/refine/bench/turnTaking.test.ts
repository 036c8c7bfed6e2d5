import { describe, expect, it } from 'vitest';
import { Together } from '../../../../../src/workflows/refine/bench/together';
import { TurnTaking } from '../../../../../src/workflows/refine/bench/turnTaking';

const alone = { wallSeconds: 1, cpuSeconds: 4, memoryBytes: 1 };
const shares = { wallSeconds: 1, cpuSeconds: 1, memoryBytes: 1 };

/** Lets two of them run so many times, each noting when it begins and ends; `slow` takes longer than the other. */
async function played(
  counts: readonly [number, number],
  first: typeof alone,
  slow = 0,
): Promise<readonly string[]> {
  const together = new Together({ together: true, launcher: { kind: 'local' } });
  const taking = new TurnTaking(together);
  const log: string[] = [];
  await Promise.all(
    counts.map(async (count, who) => {
      const turns = taking.of(who);
      for (let run = 0; run < count; run++) {
        const turn = await turns.next();
        log.push(`${who}${turn === undefined ? '' : '+'}`);
        for (let step = 0; step < (who === slow ? 7 : 2); step++) await new Promise(setImmediate);
        if (turn === undefined) together.learn(first);
        log.push(`/${who}`);
      }
      await turns.over();
      log.push(`.${who}`);
    }),
  );
  return log;
}

describe('two measurements by turns', () => {
  it('run one after the other, each as often first as the other, where a program takes more than one processor', async () => {
    const log = await played([4, 4], alone);
    expect(log.filter((entry) => /^\d/.test(entry))).toEqual(['0', '1', '0', '1', '1', '0', '1', '0']);
    // None begins before the one before has ended.
    expect(log.slice(0, 16).every((entry, index) => (index % 2 === 1) === entry.startsWith('/'))).toBe(true);
    expect(log.slice(16).sort()).toEqual(['.0', '.1']);
  });

  it.each([0, 1])(
    'run beside each other once it is known that they may, whichever takes longer',
    async (slow) => {
      const log = await played([3, 3], shares, slow);
      expect(log.slice(0, 4)).toEqual(['0', '/0', '1', '/1']);
      expect(log.slice(4, 6).sort()).toEqual(['0+', '1+']);
      expect(log.slice(6, 8).sort()).toEqual(['/0', '/1']);
      expect(log.slice(8, 10).sort()).toEqual(['0+', '1+']);
    },
  );

  it('go on alone when the other one has nothing left to run', async () => {
    expect((await played([1, 3], alone)).filter((entry) => entry === '1')).toHaveLength(3);
  });

  it('nobody waits for one that failed', async () => {
    const taking = new TurnTaking(new Together({ together: false, launcher: { kind: 'local' } }));
    const waiting = taking.of(0).next();
    taking.release();
    expect(await waiting).toBeUndefined();
  });
});
