import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  contentIdentity,
  profileIdentity,
  RecentResults,
} from '../../../../src/workflows/opened/recentResults';

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
