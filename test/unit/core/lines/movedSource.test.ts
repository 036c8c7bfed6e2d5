import { expect, test } from 'vitest';
import { hashLines } from '../../../../src/core/lines/lineHashes';
import { movedSource } from '../../../../src/core/lines/movedSource';

const source = (word: string, count = 20): string =>
  Array.from({ length: count }, (_, at) => `${word}(${at});\n`).join('\n');
const recorded = (file: string, text: string) => ({ file, lines: hashLines(text) });
const edited = (text: string, count: number): string =>
  text
    .split('\n')
    .map((line, at) => (at % 2 === 0 && at < 2 * count ? `other ${line}` : line))
    .join('\n');
const gone = [recorded('/w/a.cpp', source('a')), recorded('/w/b.cpp', source('b'))];

test('a file that was renamed is found by its text, also with a few edits', () => {
  expect(movedSource('new.cpp', hashLines(source('b')), gone)).toBe('/w/b.cpp');
  expect(movedSource('new.cpp', hashLines(edited(source('b'), 2)), gone)).toBe('/w/b.cpp');
  expect(movedSource('new.cpp', hashLines(edited(source('b'), 3)), gone)).toBeUndefined();
});

test('one that kept its name in another folder may have changed more, but not altogether', () => {
  expect(movedSource('a.cpp', hashLines(edited(source('a'), 10)), gone)).toBe('/w/a.cpp');
  expect(movedSource('a.cpp', hashLines(edited(source('a'), 11)), gone)).toBeUndefined();
  expect(movedSource('a.cpp', hashLines(source('c')), gone)).toBeUndefined();
});

test('of two that are like it the one of its name counts, else the more alike, else none', () => {
  const twins = [recorded('/w/x/m.cpp', source('m')), recorded('/w/n.cpp', source('m'))];
  expect(movedSource('m.cpp', hashLines(source('m')), twins)).toBe('/w/x/m.cpp');
  expect(movedSource('n.cpp', hashLines(source('m')), twins)).toBe('/w/n.cpp');
  expect(movedSource('new.cpp', hashLines(source('m')), twins)).toBeUndefined();
  const third = recorded('/w/o.cpp', edited(source('m'), 1));
  expect(movedSource('new.cpp', hashLines(source('m')), [third, ...twins])).toBeUndefined();
  expect(movedSource('new.cpp', hashLines(source('m')), [third, recorded('/w/n.cpp', source('m'))])).toBe(
    '/w/n.cpp',
  );
});

test('a few lines are anybody’s', () => {
  const found = (count: number) =>
    movedSource('new.cpp', hashLines(source('a', count)), [recorded('/w/s.cpp', source('a', count))]);
  expect([found(4), found(5)]).toEqual([undefined, '/w/s.cpp']);
  const small = 'int main() {\n  return 0;\n}\n';
  expect(movedSource('new.cpp', hashLines(small), [recorded('/w/s.cpp', small)])).toBeUndefined();
});
