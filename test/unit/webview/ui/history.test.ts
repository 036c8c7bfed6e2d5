import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { History } from '../../../../webview/ui/page/history';

describe('F11 undo and redo', () => {
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom('View', 'Sort Order', 'Selection', 'Search', 'Processes'),
      after: fc.nat(3000),
      undo: fc.boolean(),
    }),
    { minLength: 20, maxLength: 150 },
  );
  const merges = (what: string): boolean => what === 'Selection' || what === 'Search';

  it('takes back any sequence of steps to the first state, and does it again to the last', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const history = new History(-1);
        let now = 0;
        let last = -1;
        all.forEach(({ what, after, undo }, state) => {
          now += after;
          if (undo) last = history.undo() ?? last;
          history.record((last = state), what, now, merges(what));
          expect(history.current).toBe(last);
          expect(history.undoes).toBe(what);
          expect(history.redoes).toBeUndefined();
        });
        const back: number[] = [];
        while (history.undoes !== undefined) back.push(history.undo() ?? NaN);
        expect(back.at(-1)).toBe(-1);
        expect(history.undo()).toBeUndefined();
        const forth: number[] = [];
        while (history.redoes !== undefined) forth.push(history.redo() ?? NaN);
        expect(forth.at(-1)).toBe(last);
        expect(history.redo()).toBeUndefined();
        expect(forth).toEqual([...back.slice(0, -1).reverse(), last]);
      }),
    );
  });

  it('makes one step of what belongs together, until it is undone', () => {
    const history = new History('');
    for (const [at, text] of ['m', 'ma', 'mai', 'main'].entries())
      history.record(text, 'Search', at * 300, true);
    history.record('sorted', 'Sort Order', 1300, false);
    history.record('sorted again', 'Sort Order', 1301, false);
    expect(history.undo()).toBe('sorted');
    expect(history.undo()).toBe('main');
    history.record('main(', 'Search', 1400, true);
    expect(history.undo()).toBe('main');
    expect(history.undo()).toBe('');
    history.redo();
    history.record('later', 'Search', 9000, true);
    expect(history.undo()).toBe('main');
  });

  it('makes steps of their own of what comes later', () => {
    const history = new History('');
    history.record('a', 'Search', 0, true);
    history.record('b', 'Search', 1500, true);
    history.record('c', 'Selection', 1600, true);
    expect(history.undo()).toBe('b');
    expect(history.undo()).toBe('a');
  });

  it('keeps a bounded number of steps', () => {
    const history = new History(-1);
    for (let state = 0; state < 1000; state++) history.record(state, 'View', state, false);
    let undone = 0;
    while (history.undo() !== undefined) undone++;
    expect(undone).toBe(200);
    expect(history.current).toBe(799);
  });
});
