import { describe, expect, it, test } from 'vitest';
import {
  extractUserText,
  lineAt,
  originalOffset,
  placeAt,
} from '../../../../../src/core/source/syntax/userText';

/** The lines of the user with their places: `file:line text`. */
function linesOf(text: string, source = '/w/a.c', directory?: string): readonly string[] {
  const user = extractUserText(text, source, directory);
  return Array.from(user.lineNumbers, (line, index) => {
    const [begin, end] = [user.lineStarts[index], user.lineStarts[index + 1]];
    return `${user.files[user.lineFiles[index] ?? -1]}:${line} ${user.text.slice(begin, end).trimEnd()}`;
  });
}

const unit = [
  'before;',
  '# 1 "/w/a.c"',
  '# 1 "<built-in>"',
  'builtin;',
  '# 1 "/usr/include/stdio.h" 1 3 4',
  'system;',
  '# 2 "/w/sub/a.h" 1',
  '  header;',
  '#pragma omp parallel',
  '\t # 9 "/w/sub/a.h"',
  'more;',
  '# 30 "/w/sub/a.h" 3 4',
  'expanded;',
  '# 40',
  'same file;',
  '#line 7 "/w/a.c" 2',
  'last;',
].join('\n');

describe("the user's part of preprocessed text", () => {
  it('has the lines of user files with their numbers', () => {
    expect(linesOf(unit)).toEqual([
      '/w/a.c:1 before;',
      '/w/sub/a.h:2   header;',
      // The indented one is no marker, but a directive like `#pragma`: it counts as a line.
      '/w/sub/a.h:5 more;',
      // A macro of a system header in a user's file.
      '/w/sub/a.h:30 expanded;',
      '/w/sub/a.h:40 same file;',
      '/w/a.c:7 last;',
    ]);
  });

  it('has directives only where nothing stands before the #', () => {
    expect(linesOf('# 1 "/w/a.c"\nputs("# 7");\n \t#pragma once\n\t x #y\n\n #\n#', '/w/a.c')).toEqual([
      '/w/a.c:1 puts("# 7");',
      '/w/a.c:3 \t x #y',
      '/w/a.c:4 ',
    ]);
  });

  it('knows where each line was', () => {
    expect(extractUserText('# 1 "/w/a.c"\nab;\n# 1 "/w/h.h" 1\nc;\n\nd', '/w/a.c')).toEqual({
      text: 'ab;\nc;\n\nd',
      lineStarts: Int32Array.of(0, 4, 7, 8, 9),
      originalStarts: Int32Array.of(13, 32, 35, 36, 37),
      lineFiles: Int32Array.of(0, 1, 1, 1),
      lineNumbers: Int32Array.of(1, 1, 2, 3),
      files: ['/w/a.c', '/w/h.h'],
    });
    expect(extractUserText('', '/w/a.c')).toEqual({
      text: '',
      lineStarts: Int32Array.of(0),
      originalStarts: Int32Array.of(0),
      lineFiles: new Int32Array(),
      lineNumbers: new Int32Array(),
      files: ['/w/a.c'],
    });
  });

  it('leads back from each offset', () => {
    const user = extractUserText(unit, '/w/a.c');
    for (const word of ['before', 'header', 'more', 'expanded', 'same file', 'last']) {
      const offset = user.text.indexOf(word);
      expect(originalOffset(user, offset)).toBe(unit.indexOf(word));
      expect(user.lineStarts[lineAt(user, offset)]).toBeLessThanOrEqual(offset);
      expect(user.lineStarts[lineAt(user, offset) + 1]).toBeGreaterThan(offset);
    }
    expect(placeAt(user, user.text.indexOf('header'))).toEqual({ file: '/w/sub/a.h', line: 2, column: 3 });
    expect(placeAt(user, user.text.indexOf('last') + 4)).toEqual({ file: '/w/a.c', line: 7, column: 5 });
    expect(lineAt(user, 0)).toBe(0);
    expect(lineAt(user, user.text.length)).toBe(5);
  });

  test.each([
    // A compiler does not flag all installed headers; a user may build below /usr/src.
    ['/usr/include/mpi.h', '/w/a.c', false],
    ['/usr/local/include/x.h', '/w/a.c', false],
    ['/usr/src/x/a.h', '/w/a.c', true],
    ['/usr/local/src/x/a.h', '/w/a.c', true],
    ['/usr/home/me/a.h', '/w/a.c', true],
    ['/home/usr/a.h', '/w/a.c', true],
    ['/usr/lib/x/a.h', '/usr/lib/x/a.c', true],
    ['<command-line>', '/w/a.c', false],
  ])('%s beside %s: %s', (file, source, isUser) => {
    expect(linesOf(`# 1 "${file}" 1\nx;`, source)).toEqual(isUser ? [`${file}:1 x;`] : []);
  });

  it('takes names from where the compiler ran, and without quotes and backslashes', () => {
    expect(linesOf('# 3 "../b/q\\"r.h" 1\nx;', '/w/a.c', '/w/s')).toEqual(['/w/b/q"r.h:3 x;']);
    expect(linesOf('# 3 "b.h" 1\nx;', 'a.c')).toEqual(['b.h:3 x;']);
    expect(linesOf('# 3 "<stdin>" 1\nx;\n# 4 "c.h" 1 3\ny;', '/w/a.c', '/w')).toEqual([]);
  });
});
