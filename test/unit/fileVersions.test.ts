import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { laterVersion } from '../../src/core/fileVersion';

/** Keys of versions with their numbers, as the sources write them. */
function written(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const text = readFileSync(path.join('src', name), 'utf8');
    const constants = new Map(
      [...text.matchAll(/const (\w+) = (\d+);/g)].map(([, constant = '', value = '']) => [constant, value]),
    );
    for (const [, key = '', value = ''] of text.matchAll(
      /\b(kymo[A-Z]\w+): (?:typeof )?(\d+|\w+Version)\b/g,
    )) {
      const number = constants.get(value) ?? value;
      if (/^\d+$/.test(number)) found.set(key, number);
    }
  }
  return found;
}

it('versions of files are documented, each with the number that is written', () => {
  const documented = new Map(
    [...readFileSync('docs/INTERFACES.md', 'utf8').matchAll(/`(kymo[A-Z]\w+)` (\d+)\b/g)].map(
      ([, key = '', value = '']) => [key, value],
    ),
  );
  expect(written().size).toBeGreaterThan(12);
  for (const [key, value] of written()) expect([key, documented.get(key)]).toEqual([key, value]);
});

it('a file of a later version is said to be one, and nothing else is', () => {
  expect(laterVersion({ kymoPins: 3 }, 'kymoPins', 2)).toBe(
    'was written by a newer Kymo (format 3, this one reads up to 2)',
  );
  for (const content of [{ kymoPins: 2 }, { kymoPins: '3' }, { kymoPins: 2.5 }, {}, undefined, [3]])
    expect(laterVersion(content, 'kymoPins', 2)).toBeUndefined();
});
