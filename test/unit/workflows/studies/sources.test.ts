import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashLines } from '../../../../src/core/lines/lineHashes';
import { hasSources, measuredLines, writeSources } from '../../../../src/workflows/studies/sources';

let folder: string;
const place = (name: string): string => path.join(folder, name);
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'kymo-sources-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('lines of a file as they were when it was kept', async () => {
  const text = '\uFEFFint main() {\r\n  return 0;\r\n}\r\n';
  writeFileSync(place('größe.cpp'), text);
  await writeSources(folder, [place('größe.cpp'), place('größe.cpp')]);
  writeFileSync(place('größe.cpp'), 'something else');
  expect(await hasSources(folder)).toBe(true);
  expect(await measuredLines(folder, place('größe.cpp'))).toEqual(hashLines(text.slice(1)));
});

test('files that are missing or no files, and studies without any, have no lines', async () => {
  mkdirSync(place('folder.c'));
  await writeSources(folder, [place('missing.c'), place('folder.c')]);
  expect(await measuredLines(folder, place('missing.c'))).toBeUndefined();
  expect(await measuredLines(folder, place('folder.c'))).toBeUndefined();
  expect(await measuredLines(place('nowhere'), place('a.c'))).toBeUndefined();
  expect(await hasSources(place('nowhere'))).toBe(false);
});

test.each(['', '{', 'null', '{"kymoSources":2,"files":[]}', '{"kymoSources":1,"files":[{"file":1}]}'])(
  'a damaged file counts as none: %j',
  async (content) => {
    writeFileSync(place('sources.json'), content);
    expect(await measuredLines(folder, '/w/a.c')).toBeUndefined();
  },
);

test('a file that is written anew is read anew', async () => {
  writeFileSync(place('a.c'), 'one\n');
  await writeSources(folder, [place('a.c')]);
  expect(await measuredLines(folder, place('a.c'))).toHaveLength(2);
  writeFileSync(place('a.c'), 'one\ntwo\n');
  await writeSources(folder, [place('a.c')]);
  expect(await measuredLines(folder, place('a.c'))).toHaveLength(3);
});

test('what is kept is small: less than 6 bytes a line', async () => {
  writeFileSync(place('a.c'), Array.from({ length: 10_000 }, (_, at) => `x${at} = 1;`).join('\n'));
  await writeSources(folder, [place('a.c')]);
  expect(statSync(place('sources.json')).size).toBeLessThan(60_000);
});
