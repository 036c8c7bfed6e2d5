import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeKey, TimeAxis } from '../../../../webview/dynamics/base/timeAxis';

const area = { x: 60, y: 0, width: 600, height: 100 };

function axisOf(iterations: number): TimeAxis {
  const axis = new TimeAxis();
  axis.setRun(iterations);
  return axis;
}

describe('the axis that chart and map share', () => {
  it('finds an iteration again where it was drawn, however it is zoomed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.nat(), fc.nat(), fc.nat(), (count, a, b, c) => {
        const axis = axisOf(count);
        const [first, last] = [a % count, b % count].sort((x, y) => x - y) as [number, number];
        axis.show([first, last]);
        const at = first + (c % (last - first + 1));
        expect(axis.iterationAt(axis.x(at, area), area)).toBe(at);
      }),
    );
  });

  it('never shows what is not there, whatever keys are pressed', () => {
    const keys = ['ArrowLeft', 'ArrowRight', 'Home', 'End', '+', '-', 'Enter', 'Escape', '0', 'x'];
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { maxLength: 40 }),
        (count, presses) => {
          const axis = axisOf(count);
          for (const [key, shiftKey] of presses) {
            timeKey({ key, shiftKey } as KeyboardEvent, axis);
            const [first, last] = axis.span;
            expect(first).toBeGreaterThanOrEqual(0);
            expect(last).toBeLessThanOrEqual(Math.max(0, count - 1));
            expect(first).toBeLessThanOrEqual(last);
            if (axis.cursor !== undefined) expect(axis.cursor).toBeLessThan(count);
            const [begin, end] = axis.brush ?? [first, first];
            expect(begin).toBeLessThanOrEqual(end);
          }
        },
      ),
    );
  });

  it('marks with Shift, in both directions, and shows what is marked', () => {
    const axis = axisOf(100);
    const press = (key: string, shiftKey = false): boolean =>
      timeKey({ key, shiftKey } as KeyboardEvent, axis);
    axis.setCursor(50);
    for (let step = 0; step < 5; step++) press('ArrowRight', true);
    expect(axis.brush).toEqual([50, 55]);
    for (let step = 0; step < 8; step++) press('ArrowLeft', true);
    expect(axis.brush).toEqual([47, 50]);
    expect(press('Enter')).toBe(true);
    expect(axis.span).toEqual([47, 50]);
    expect(press('Escape')).toBe(true);
    expect(axis.span).toEqual([0, 99]);
    // Nothing to do: the key is left for others.
    expect(press('Escape')).toBe(false);
  });

  it('moves by values where a value stands for many iterations, and follows the cursor out of what is shown', () => {
    const axis = axisOf(1000);
    axis.setStep(10);
    axis.show([0, 99]);
    axis.setCursor(90);
    axis.moveCursor(3);
    expect(axis.cursor).toBe(120);
    expect(axis.span).toEqual([21, 120]);
  });
});
