import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  contentIdentity,
  profileIdentity,
  RecentResults,
} from '../../../../src/workflows/opened/recentResults';
import { failureOf } from '../../../processes';

describe('recent results', () => {
  it('are computed once, also for several who ask at the same time, and the least recent is forgotten', async () => {
    const recent = new RecentResults<string>(2);
    const computed: string[] = [];
    const get = (key: string): Promise<string> =>
      recent.get(key, () => {
        computed.push(key);
        return Promise.resolve(`of ${key}`);
      });
    expect(await Promise.all([get('a'), get('a')])).toEqual(['of a', 'of a']);
    await get('b');
    await get('a');
    await get('c'); // b is the one that nobody asked for since
    await get('a');
    await get('b');
    expect(computed).toEqual(['a', 'b', 'c', 'b']);
  });

  it('that failed are computed again', async () => {
    const recent = new RecentResults<string>(2);
    await expect(recent.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await recent.get('a', () => Promise.resolve('yes'))).toBe('yes');
  });
});

describe('cancelling a recent result', () => {
  it('ends the computation only when everybody who asked has cancelled', async () => {
    const recent = new RecentResults<string>(2);
    const [first, second] = [new AbortController(), new AbortController()];
    const signals: AbortSignal[] = [];
    let finish: (text: string) => void = () => undefined;
    const get = (signal: AbortSignal): Promise<string> =>
      recent.get(
        'a',
        (shared) => {
          signals.push(shared.signal);
          return new Promise((resolve) => (finish = resolve));
        },
        { signal },
      );
    const left = failureOf(get(first.signal));
    const stays = get(second.signal);
    first.abort();
    expect(await left).toMatchObject({ reason: 'cancelled' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    finish('done');
    expect(await stays).toBe('done');
  });

  it('makes the next one who asks begin anew', async () => {
    const recent = new RecentResults<string>(2);
    const abort = new AbortController();
    const left = failureOf(
      recent.get(
        'a',
        ({ signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
        abort,
      ),
    );
    abort.abort();
    expect(await left).toMatchObject({ reason: 'cancelled' });
    expect(await recent.get('a', () => Promise.resolve('anew'))).toBe('anew');
    await expect(recent.get('b', () => Promise.resolve(''), abort)).rejects.toThrow();
  });
});

describe('the identity of a file', () => {
  it('changes with its content; a profile that is missing is told as such', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kymo-identity-'));
    try {
      const file = path.join(folder, 'profile.cubex');
      await expect(profileIdentity(file)).rejects.toMatchObject({ reason: 'profile-missing' });
      await expect(contentIdentity(file)).rejects.toMatchObject({ code: 'ENOENT' });
      writeFileSync(file, 'one');
      const first = await profileIdentity(file);
      expect(await contentIdentity(file)).toBe(first);
      writeFileSync(file, 'another');
      expect(await profileIdentity(file)).not.toBe(first);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
