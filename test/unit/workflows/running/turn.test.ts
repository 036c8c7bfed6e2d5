import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Steps } from '../../../../src/core/steps';
import { inTurns } from '../../../../src/workflows/running/turn';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** Steps of 400 ms each. */
function* work(steps: number): Steps<string> {
  for (let step = 1; step <= steps; step++) {
    vi.advanceTimersByTime(400);
    yield step / steps;
  }
  return 'result';
}

async function told(steps: Steps<string>, signal?: AbortSignal): Promise<readonly unknown[]> {
  const reports: unknown[] = [];
  const progress = { report: (report: unknown) => reports.push(report), log: () => undefined };
  expect(await inTurns(steps, 'Working', { progress, ...(signal === undefined ? {} : { signal }) })).toBe(
    'result',
  );
  return reports;
}

it('reports how far long work is, once in a second at most', async () => {
  const reports = await told(work(10));
  expect(reports).toEqual([0.3, 0.6, 0.9].map((fraction) => ({ message: 'Working', fraction })));
});

it('reports nothing of work that is soon done, or of which nobody knows how much there is', async () => {
  function* unknown(): Steps<string> {
    const known = work(10);
    while (known.next().done !== true) yield undefined;
    return 'result';
  }
  expect(await told(work(2))).toEqual([]);
  expect(await told(unknown())).toEqual([]);
});

it('reports each twentieth of work with many steps', async () => {
  expect(await told(work(1000))).toHaveLength(20);
});

it('stops between two steps', async () => {
  const stop = new AbortController();
  let step = 0;
  function* stopping(): Steps<string> {
    for (; step < 5; step++) {
      if (step === 2) stop.abort();
      yield step / 5;
    }
    return 'result';
  }
  await expect(told(stopping(), stop.signal)).rejects.toThrow();
  expect(step).toBe(2);
});
