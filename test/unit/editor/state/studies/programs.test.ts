import { describe, expect, it } from 'vitest';
import { Programs } from '../../../../../src/editor/state/studies/programs';

/** The memory of a workspace, which outlives the window. */
function memory(initial?: unknown) {
  let stored = initial;
  return {
    get: () => structuredClone(stored) as never,
    update: (_: string, value: unknown) => {
      stored = structuredClone(value);
      return Promise.resolve();
    },
  };
}

describe('how the user looks at programs', () => {
  it('F15 keeps groups by the names of functions for each program, over a reload, and tells about changes', async () => {
    const kept = memory();
    const programs = new Programs(kept);
    const told: string[] = [];
    const end = programs.onDidMove((program) => told.push(program));
    await programs.move('heat', '__proto__', 'constructor');
    await programs.move('heat', 'kernel', 'MPI');
    await programs.move('heat', 'kernel', 'Mine');
    await programs.move('lulesh', 'kernel', 'Other');
    end();
    expect(told).toEqual(['heat', 'heat', 'heat', 'lulesh']);
    const later = new Programs(kept);
    expect(later.moved('heat')).toEqual([
      ['__proto__', 'constructor'],
      ['kernel', 'Mine'],
    ]);
    await later.move('heat', 'kernel', '');
    expect(later.moved('heat')).toEqual([['__proto__', 'constructor']]);
    expect(later.moved('lulesh')).toEqual([['kernel', 'Other']]);
    expect(later.moved('unknown')).toEqual([]);
    expect(told).toHaveLength(4);
    expect(({} as Record<string, unknown>).kernel).toBeUndefined();
  });

  it('F12 remembers the last state of each program, beside its groups, of the programs that were shown last', async () => {
    const programs = new Programs(memory());
    await programs.move('p0', 'f', 'G');
    for (let at = 0; at < 21; at++) await programs.remember(`p${at}`, `state ${at}`);
    expect(programs.remembered('p20')).toBe('state 20');
    expect(programs.remembered('p0')).toBeUndefined();
    await programs.remember('p1', 'again');
    await programs.remember('p30', 'new');
    expect(programs.remembered('p1')).toBe('again');
    expect(programs.remembered('p2')).toBeUndefined();
    await programs.move('p1', 'f', 'G');
    expect(programs.remembered('p1')).toBe('again');
    await programs.remember('p1', 'last');
    expect(programs.moved('p1')).toEqual([['f', 'G']]);
  });

  it('refuses names that are too long to keep, and keeps a bounded number', async () => {
    const programs = new Programs(memory());
    await expect(programs.move('p', 'x'.repeat(4001), 'G')).rejects.toMatchObject({
      reason: 'name-too-long',
    });
    expect(programs.moved('p')).toEqual([]);
    const full = new Programs(
      memory([{ program: 'p', moved: Array.from({ length: 2000 }, (_, at) => [`f${at}`, 'G']) }]),
    );
    await full.move('p', 'one more', 'G');
    expect(full.moved('p')).toHaveLength(2000);
    expect(full.moved('p')[0]).toEqual(['f1', 'G']);
    expect(full.moved('p').at(-1)).toEqual(['one more', 'G']);
  });

  it('takes no part of a memory that another version wrote differently', () => {
    for (const stored of [7, {}, [null, 5, { program: 1 }, { program: 'p' }, { program: 'p', moved: {} }]])
      expect(new Programs(memory(stored)).moved('p')).toEqual([]);
    const programs = new Programs(
      memory([{ program: 'p', state: 5, moved: [['a'], ['f', 'G', 'x'], 7, ['g', 1]] }]),
    );
    expect(programs.moved('p')).toEqual([['f', 'G', 'x']]);
    expect(programs.remembered('p')).toBeUndefined();
  });
});
