import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterMoment } from '../../../../src/editor/base/afterMoment';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lasting(milliseconds: number, fails = false): Promise<string> {
  return new Promise((resolve, reject) => {
    setTimeout(() => (fails ? reject(new Error('broken')) : resolve('done')), milliseconds);
  });
}

it('shows nothing of what is over within 400 ms', async () => {
  const show = vi.fn();
  const result = afterMoment(lasting(399), show);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await result).toBe('done');
  expect(show).not.toHaveBeenCalled();
});

it('shows once what lasts longer, until it is over', async () => {
  let isShown = false;
  const show = vi.fn((over: Promise<void>) => {
    isShown = true;
    void over.then(() => (isShown = false));
  });
  const result = afterMoment(lasting(1000), show);
  await vi.advanceTimersByTimeAsync(399);
  expect(isShown).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isShown).toBe(true);
  await vi.advanceTimersByTimeAsync(600);
  expect(isShown).toBe(false);
  expect(await result).toBe('done');
  expect(show).toHaveBeenCalledTimes(1);
});

it('hides what fails, and the error arrives', async () => {
  const overs: Promise<void>[] = [];
  const result = afterMoment(lasting(500, true), (over) => void overs.push(over));
  const caught = expect(result).rejects.toThrow('broken');
  await vi.advanceTimersByTimeAsync(500);
  await caught;
  await expect(overs[0]).resolves.toBeUndefined();
});
