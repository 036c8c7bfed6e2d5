import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashLines } from '../../../../src/core/lines/lineHashes';
import { unpackHunks } from '../../../../src/core/lines/lineHunks';
import { lineTexts, mapFile, mapLines, measuredAs } from '../../../../src/workflows/views/lineMaps';
import { writeSources } from '../../../../src/workflows/studies/sources';

let folder: string;
const place = (name: string): string => path.join(folder, name);
const text = (word: string): string => Array.from({ length: 20 }, (_, at) => `${word}(${at});`).join('\n');
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-line-maps-'));
  mkdirSync(place('src'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function study(...names: string[]): Promise<void> {
  for (const name of names) writeFileSync(place(name), text(name));
  await writeSources(folder, names.map(place));
}

test('from the measured text to the one of today, given or on disk', async () => {
  await study('a.c');
  const today = `// new\n${text('a.c')}`;
  writeFileSync(place('a.c'), `\uFEFF${today}`);
  const given = await mapLines(folder, place('a.c'), hashLines(today));
  expect(unpackHunks(given.hunks)).toEqual([{ measured: 0, removed: 0, current: 0, added: 1 }]);
  const read = await mapFile(folder, place('a.c'), place('a.c'));
  expect(read).toEqual({ ...given, current: hashLines(today) });
});

test('a file of another machine is found by the rules for source paths', async () => {
  await study('a.c');
  renameSync(place('a.c'), place('src/a.c'));
  const rules = [{ from: folder, to: place('src') }];
  const same = await mapFile(folder, place('src/a.c'), place('src/a.c'), rules);
  expect(same.measured).toEqual(hashLines(text('a.c')));
  expect(unpackHunks(same.hunks)).toEqual([]);
});

test('of a file that nobody kept, or that is gone, nothing is known', async () => {
  await study('a.c');
  expect((await mapLines(folder, place('b.c'), hashLines('x'))).measured).toBeUndefined();
  expect((await mapFile(folder, place('a.c'), place('gone.c'))).current).toBeUndefined();
});

test('a file that was moved or renamed is known by its text', async () => {
  await study('a.c', 'b.c');
  renameSync(place('a.c'), place('src/a.c'));
  renameSync(place('b.c'), place('c.c'));
  expect(await measuredAs(folder, place('src/a.c'))).toBe(place('a.c'));
  expect(await measuredAs(folder, place('c.c'))).toBe(place('b.c'));
  writeFileSync(place('d.c'), text('d.c'));
  expect(await measuredAs(folder, place('d.c'))).toBeUndefined();
});

test('a copy is not the original', async () => {
  await study('a.c');
  writeFileSync(place('copy.c'), text('a.c'));
  expect(await measuredAs(folder, place('copy.c'))).toBeUndefined();
});

test('texts of single lines', async () => {
  writeFileSync(place('a.c'), `\uFEFFone\r\ntwo\rthree\n${'x'.repeat(5000)}`);
  const [one, two, long, none] = await lineTexts(place('a.c'), [1, 2, 4, 9]);
  expect([one, two, long?.length, none]).toEqual(['one', 'two', 2000, '']);
  expect(await lineTexts(place('gone.c'), [1])).toEqual(['']);
});
