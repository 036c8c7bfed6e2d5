import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogOutlet } from '../../../src/engine/logOutlet';

describe('the log outlet', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('sends lines in batches', () => {
    const sent: (readonly string[])[] = [];
    const outlet = new LogOutlet((lines) => sent.push(lines));
    outlet.add('a');
    outlet.add('b');
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(sent).toEqual([['a', 'b']]);
  });
  it('bounds a flood and says how much is missing', () => {
    const sent: (readonly string[])[] = [];
    const outlet = new LogOutlet((lines) => sent.push(lines));
    for (let i = 0; i < 1_000_000; i++) outlet.add('x');
    outlet.flush();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toHaveLength(201);
    expect(sent[0]?.at(-1)).toBe('… 999800 lines left out …');
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(1);
  });
  it('cuts a line of a megabyte', () => {
    const sent: (readonly string[])[] = [];
    const outlet = new LogOutlet((lines) => sent.push(lines));
    outlet.add('y'.repeat(1_000_000));
    outlet.flush();
    expect(sent[0]?.[0]).toMatch(/^y{2000} … 998000 characters left out$/);
  });
});
