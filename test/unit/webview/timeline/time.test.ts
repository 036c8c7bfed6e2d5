import { describe, expect, it } from 'vitest';
import { axisOf, momentText, spanText } from '../../../../webview/timeline/time/axis';
import { isMove, timeAction, undoAction } from '../../../../webview/timeline/time/keys';
import {
  panned,
  pixelOf,
  secondsAt,
  showing,
  wholeSpan,
  within,
  zoomed,
} from '../../../../webview/timeline/time/span';

describe('what is in sight', () => {
  it('is the whole trace, also of one moment', () => {
    expect(wholeSpan(12)).toEqual({ from: 0, to: 12 });
    expect(wholeSpan(0).to).toBeGreaterThan(0);
  });

  it('stays within the trace, and keeps its length while it fits', () => {
    expect(within({ from: -1, to: 1 }, 10)).toEqual({ from: 0, to: 2 });
    expect(within({ from: 9, to: 11 }, 10)).toEqual({ from: 8, to: 10 });
    expect(within({ from: -5, to: 20 }, 10)).toEqual({ from: 0, to: 10 });
    const least = within({ from: 5, to: 5 }, 10);
    expect(least.to - least.from).toBeGreaterThan(0);
  });

  it('is zoomed around a moment, which keeps its place', () => {
    const span = zoomed({ from: 2, to: 6 }, 0.5, 3, 10);
    expect(span).toEqual({ from: 2.5, to: 4.5 });
    expect(pixelOf(span, 100, 3)).toBe(25);
    expect(zoomed({ from: 2, to: 6 }, 100, 3, 10)).toEqual({ from: 0, to: 10 });
    const deepest = zoomed({ from: 5, to: 5 + 1e-8 }, 1e-6, 5, 10);
    expect(deepest.to - deepest.from).toBeCloseTo(1e-8, 12);
  });

  it('is moved by a share of its length, to the ends of the trace', () => {
    expect(panned({ from: 2, to: 4 }, 0.5, 10)).toEqual({ from: 3, to: 5 });
    expect(panned({ from: 2, to: 4 }, -2, 10)).toEqual({ from: 0, to: 2 });
    expect(panned({ from: 7, to: 9 }, 2, 10)).toEqual({ from: 8, to: 10 });
  });

  it('shows a call: as it is, moved, wider, or narrower where the call could not be seen', () => {
    const span = { from: 2, to: 4 };
    expect(showing(span, 2.5, 3, 10)).toBe(span);
    expect(showing(span, 2, 4, 10)).toBe(span);
    const long = { from: 0, to: 200 };
    expect(showing(long, 5, 6, 1000)).toBe(long);
    expect(showing(long, 5, 5.5, 1000)).not.toBe(long);
    expect(showing(span, 6, 7, 10)).toEqual({ from: 5.5, to: 7.5 });
    expect(showing(span, 4, 8, 10)).toEqual({ from: 3.5, to: 8.5 });
    const narrow = showing(span, 3, 3.001, 10);
    expect(narrow.to - narrow.from).toBeCloseTo(0.05, 9);
    expect((narrow.from + narrow.to) / 2).toBeCloseTo(3.0005, 9);
  });

  it('has moments at pixels', () => {
    const span = { from: 1, to: 3 };
    expect(pixelOf(span, 200, 2)).toBe(100);
    expect(secondsAt(span, 200, 50)).toBe(1.5);
  });
});

const labels = (from: number, to: number, most = 5): readonly string[] =>
  axisOf({ from, to }, most).ticks.map(({ label }) => label);

describe('the axis', () => {
  it('has round moments in the unit of the last one', () => {
    expect(labels(0, 1)).toEqual(['0.0 s', '0.2 s', '0.4 s', '0.6 s', '0.8 s', '1.0 s']);
    expect(labels(0, 0.0125)).toEqual(['0 ms', '5 ms', '10 ms']);
    expect(labels(0, 2.4e-6)).toEqual(['0.0 µs', '0.5 µs', '1.0 µs', '1.5 µs', '2.0 µs']);
    expect(labels(0, 4e-8)).toEqual(['0 ns', '10 ns', '20 ns', '30 ns', '40 ns']);
    expect(labels(90, 200)).toEqual(['100 s', '150 s', '200 s']);
    expect(axisOf({ from: 0, to: 1 }, 5).base).toBeUndefined();
  });

  it('counts from a base where moments would be long', () => {
    const axis = axisOf({ from: 12.3456781, to: 12.3456794 }, 5);
    expect(axis.base).toBe('12.345678 s');
    expect(axis.ticks.map(({ label }) => label)).toEqual(['+500 ns', '+1000 ns']);
    expect(axis.ticks[0]?.at).toBeCloseTo(12.3456785, 10);
    const nearer = axisOf({ from: 12.3456781, to: 12.3458 }, 3);
    expect(nearer.base).toBe('12.345 s');
    expect(nearer.ticks.map(({ label }) => label)).toEqual(['+700 µs', '+750 µs', '+800 µs']);
  });

  it('has its labels at their moments, whatever the zoom', () => {
    for (const [from, length] of [
      [0, 3600],
      [3599.5, 1e-3],
      [1e5, 1e-6],
      [0.1, 1e-8],
      [7.3, 0.02],
    ] as const) {
      const { ticks, base } = axisOf({ from, to: from + length }, 8);
      expect(ticks.length).toBeGreaterThan(2);
      expect(ticks.length).toBeLessThan(11);
      const factor: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, µs: 1e-6, ns: 1e-9 };
      const read = (text: string): number => {
        const [number = '', unit = ''] = text.replace('+', '').split(' ');
        return Number(number) * (factor[unit] ?? NaN);
      };
      const start = base === undefined ? 0 : read(base);
      for (const { at, label } of ticks) {
        expect(start + read(label)).toBeCloseTo(at, 9);
        expect(at).toBeGreaterThanOrEqual(from - 1e-9 * length - 1e-10);
        expect(at).toBeLessThanOrEqual(from + length * (1 + 1e-9) + 1e-10);
      }
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    }
  });

  it('writes moments as far as they are told apart', () => {
    expect(momentText(0, 1e-6)).toBe('0 s');
    expect(momentText(12.3456789, 1e-3)).toBe('12.346 s');
    expect(momentText(12.3456789, 1e-6)).toBe('12.345679 s');
    expect(momentText(0.0123, 1e-5)).toBe('12.30 ms');
    expect(momentText(5, 10)).toBe('5 s');
    expect(momentText(1, 0)).toBe('1.000000000 s');
    expect(spanText({ from: 0, to: 1.25 })).toBe('0.00 – 1.25 s');
    expect(spanText({ from: 12.345678, to: 12.345679 })).toBe('12.34567800 – 12.34567900 s');
  });
});

describe('keys', () => {
  const key = (name: string, more: Partial<KeyboardEvent> = {}) =>
    timeAction({ key: name, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more });

  it('zoom, move, choose rows and calls', () => {
    for (const name of ['+', '=', 'w', 'W']) expect(key(name)).toEqual({ kind: 'zoom', factor: 1 / 1.5 });
    for (const name of ['-', 's']) expect(key(name)).toEqual({ kind: 'zoom', factor: 1.5 });
    expect(key('+', { shiftKey: true })).toEqual(key('+'));
    for (const name of ['a', 'ArrowLeft']) expect(key(name)).toEqual({ kind: 'pan', share: -0.2 });
    for (const name of ['d', 'ArrowRight']) expect(key(name)).toEqual({ kind: 'pan', share: 0.2 });
    expect(key('ArrowRight', { shiftKey: true })).toEqual({ kind: 'step', by: 1 });
    expect(key('ArrowLeft', { shiftKey: true })).toEqual({ kind: 'step', by: -1 });
    expect(key('Home')).toEqual({ kind: 'whole' });
    expect(key('Home', { ctrlKey: true })).toEqual({ kind: 'row', to: 'first' });
    expect(key('End', { metaKey: true })).toEqual({ kind: 'row', to: 'last' });
    expect(key('PageDown')).toEqual({ kind: 'row', to: 'pageDown' });
    expect(key('F10', { shiftKey: true })).toEqual({ kind: 'menu' });
    expect(key('F10')).toBeUndefined();
    const kinds = {
      z: 'zoomToRange',
      m: 'markCall',
      Enter: 'activate',
      ContextMenu: 'menu',
      Escape: 'clear',
    };
    for (const [name, kind] of Object.entries(kinds)) expect(key(name)).toEqual({ kind });
    expect([key('['), key(']')]).toEqual([
      { kind: 'height', by: -1 },
      { kind: 'height', by: 1 },
    ]);
    expect(['ArrowUp', 'ArrowDown', 'PageUp'].map((name) => key(name))).toEqual(
      ['previous', 'next', 'pageUp'].map((to) => ({ kind: 'row', to })),
    );
    const moves = ['zoom', 'pan', 'whole', 'zoomToRange'];
    for (const name of ['+', 'd', 'Home', 'z', 'm', 'Enter', 'ArrowUp', '[']) {
      const action = key(name) ?? { kind: 'clear' };
      expect(isMove(action)).toBe(moves.includes(action.kind));
    }
  });

  it('undo and redo, and leave to others what is theirs', () => {
    expect(key('z', { ctrlKey: true })).toEqual({ kind: 'undo' });
    expect(key('Z', { metaKey: true, shiftKey: true })).toEqual({ kind: 'redo' });
    expect(key('y', { ctrlKey: true })).toEqual({ kind: 'redo' });
    expect(
      undoAction({ key: 'z', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }),
    ).toBeUndefined();
    for (const name of ['s', 'w', 'a', 'f', '+']) expect(key(name, { ctrlKey: true })).toBeUndefined();
    expect(key('w', { altKey: true })).toBeUndefined();
    expect(key('z', { altKey: true, ctrlKey: true })).toBeUndefined();
    for (const name of ['q', 'Tab', 'F5', 'constructor', 'toString']) expect(key(name)).toBeUndefined();
  });
});
