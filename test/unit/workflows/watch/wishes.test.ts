import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeLiveFiles } from '../../../../src/workflows/watch/liveFiles';
import { filedWishes, fileWish, removeWish } from '../../../../src/workflows/watch/wishes';

let folder = '';
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'kymo-wishes-')), '.kymo');
  mkdirSync(folder);
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

const nameAt = (milliseconds: number): string => `live-wish-${milliseconds}-0123456789abcdef.json`;
const wish = { record: ['solve'], leave: [] };

describe('wishes of watchers', () => {
  it('are all there, however many watchers have them at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, i) => fileWish(folder, { record: [`f${i}`], leave: ['g'] })),
    );
    const filed = await filedWishes(folder);
    expect(filed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(filed.flatMap((one) => one.wish?.record ?? []).sort()).toEqual(ids.map((_, i) => `f${i}`).sort());
    for (const id of ids) await removeWish(folder, id);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are done in the order in which they came', async () => {
    for (const time of [1795940000002, 1795940000001, 1795940000003])
      writeFileSync(path.join(folder, nameAt(time)), JSON.stringify({ ...wish, record: [String(time)] }));
    const filed = await filedWishes(folder);
    expect(filed.map((one) => one.wish?.record[0])).toEqual([
      '1795940000001',
      '1795940000002',
      '1795940000003',
    ]);
  });

  it.each([
    ['no JSON', '{'],
    ['another shape', '[]'],
    ['no lists', '{"record": "solve", "leave": []}'],
    ['a key that is none', '{"record": [1], "leave": []}'],
    ['a key of any length', JSON.stringify({ record: ['x'.repeat(70_000)], leave: [] })],
    ['too many keys', JSON.stringify({ record: Array.from({ length: 200_001 }, () => 'x'), leave: [] })],
  ])('that are %s are known to be there, and are none', async (_, text) => {
    writeFileSync(path.join(folder, nameAt(1795940000001)), text);
    expect(await filedWishes(folder)).toEqual([{ id: '1795940000001-0123456789abcdef', wish: undefined }]);
  });

  it('are no links to files elsewhere, and no files of other names', async () => {
    writeFileSync(path.join(folder, '../elsewhere.json'), JSON.stringify(wish));
    symlinkSync('../elsewhere.json', path.join(folder, nameAt(1795940000001)));
    for (const name of ['live-wish.json', 'live-wish-1-2.json', 'live-wish-../x.json', 'x.json'])
      if (!name.includes('/')) writeFileSync(path.join(folder, name), JSON.stringify(wish));
    expect(await filedWishes(folder)).toEqual([{ id: '1795940000001-0123456789abcdef', wish: undefined }]);
  });

  it('are removed with all else that is only there while the run is under way', async () => {
    await fileWish(folder, wish);
    for (const name of ['live.json', 'live-wish.json', 'live-functions.json', 'profile.cubex'])
      writeFileSync(path.join(folder, name), '');
    await removeLiveFiles(folder);
    expect(readdirSync(folder)).toEqual(['profile.cubex']);
  });
});
