import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RecordingHistory } from '../../../../src/workflows/watch/recordingHistory';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

describe('what was recorded when', () => {
  it('is said of functions that were switched, of the run so far and of the whole', () => {
    const history = new RecordingHistory(['main', 'solve']);
    history.start();
    vi.advanceTimersByTime(10_000);
    history.change('extra', true, 10);
    history.change('solve', false, 10);
    expect([...history.parts()]).toEqual([
      ['extra', { from: 10, to: 10, seconds: 0, stretches: 1, ofSeconds: 10 }],
      ['solve', { from: 0, to: 10, seconds: 10, stretches: 1, ofSeconds: 10 }],
    ]);
    vi.advanceTimersByTime(10_000);
    history.end();
    vi.advanceTimersByTime(10_000);
    expect(history.parts().get('extra')).toEqual({
      from: 10,
      to: 20,
      seconds: 10,
      stretches: 1,
      ofSeconds: 20,
    });
    expect(history.parts().get('solve')).toMatchObject({ to: 10, seconds: 10, ofSeconds: 20 });
    expect(history.parts().has('main')).toBe(false);
    expect([history.count, history.isRecorded('extra'), history.isRecorded('solve')]).toEqual([
      2,
      true,
      false,
    ]);
  });

  it('adds up stretches, whatever a function was at first', () => {
    const history = new RecordingHistory(['solve']);
    history.start();
    vi.advanceTimersByTime(100_000);
    for (const [key, on, seconds] of [
      ['solve', false, 10],
      ['extra', true, 20],
      ['extra', true, 21],
      ['solve', true, 30],
      ['extra', false, 40],
      ['extra', true, 70],
    ] as const)
      history.change(key, on, seconds);
    expect(history.parts().get('solve')).toEqual({
      from: 0,
      to: 100,
      seconds: 80,
      stretches: 2,
      ofSeconds: 100,
    });
    expect(history.parts().get('extra')).toEqual({
      from: 20,
      to: 100,
      seconds: 50,
      stretches: 2,
      ofSeconds: 100,
    });
  });
});
