import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LayoutError } from '../../../../src/overlay/layout/layoutError';
import { parseLayout } from '../../../../src/overlay/layout/parseLayout';
import { printLayout } from '../../../../src/overlay/layout/printLayout';
import { layouts } from './trees';

function errorOf(text: string, file?: string): LayoutError {
  try {
    parseLayout({ text, ...(file === undefined ? {} : { file }) });
  } catch (error) {
    if (error instanceof LayoutError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe('layout files', () => {
  test('N1: the one-line example is a front end with two back ends', () => {
    expect(parseLayout({ text: 'localhost:0 => localhost:1 localhost:2 ;' })).toEqual({
      nodes: [
        { rank: 0, host: 'localhost', index: 1, parent: 2, children: [] },
        { rank: 1, host: 'localhost', index: 2, parent: 2, children: [] },
        { rank: 2, host: 'localhost', index: 0, children: [0, 1] },
      ],
      root: 2,
      leaves: 2,
    });
  });

  test('N1: comments, blanks and new lines are free, and lines may come in any order', () => {
    const text = '# a tree\nb1.cs-x:0\n=>c:0   d:0; # two leaves\n\r\n a : 0 => b1.cs-x:0 e:7 ;\ne:7 ;\n';
    const layout = parseLayout({ text });
    expect(layout.nodes.map(({ host, children }) => [host, children])).toEqual([
      ['e', []],
      ['c', []],
      ['d', []],
      ['a', [4, 0]],
      ['b1.cs-x', [1, 2]],
    ]);
    expect(layout.root).toBe(3);
  });

  test('N1: children of one process may be spread over lines', () => {
    const layout = parseLayout({ text: 'a:0 => b:0; a:0 => c:0;' });
    expect(layout).toEqual(parseLayout({ text: 'a:0 => b:0 c:0;' }));
  });

  test('N1: a front end alone is a layout without leaves', () => {
    expect(parseLayout({ text: 'a:0;' })).toEqual({
      nodes: [{ rank: 0, host: 'a', index: 0, children: [] }],
      root: 0,
      leaves: 0,
    });
  });

  test.each([
    ['', 1, 1, 'Expected a host, and found the end of the text.'],
    ['a:0 => b:0', 1, 11, 'Expected a host or ";", and found the end of the text.'],
    ['a:0 => ;', 1, 8, 'Expected a host, and found ";".'],
    ['a:0\n=> b ;', 2, 6, 'Expected ":" and an index, and found ";".'],
    ['a:0 b:0;', 1, 5, 'Expected "=>" or ";", and found "b".'],
    ['a:x => b:0;', 1, 3, 'Expected an index from 0 to 4294967295, and found "x".'],
    ['a:4294967296;', 1, 3, 'Expected an index from 0 to 4294967295, and found "4294967296".'],
    ['a:0 =>\n  $(reboot):0;', 2, 3, 'Expected a host, ":", "=>" or ";", and found "$".'],
    ['a:0 = > b:0;', 1, 5, 'Expected a host, ":", "=>" or ";", and found "=".'],
    ['-oProxyCommand=x:0;', 1, 1, 'Expected a host, ":", "=>" or ";", and found "-".'],
  ])('N1: refuses %j with line and column, what was expected and found', (text, line, column, message) => {
    const error = errorOf(text, 'tree.top');
    expect(error).toMatchObject({ reason: 'bad-syntax', message, where: { file: 'tree.top', line, column } });
  });

  test('N1: two roots are refused at the second one, with the names of both', () => {
    expect(errorOf('a:0 => b:0;\nc:0 => d:0;')).toMatchObject({
      reason: 'bad-tree',
      message: expect.stringContaining(
        'The graph is not connected, found 2 potential roots: a:0, c:0.',
      ) as string,
      where: { line: 2, column: 1 },
    });
  });

  test('N1: a cycle is refused, with the processes on it', () => {
    expect(errorOf('a:0 => b:0; b:0 => c:0; c:0 => a:0;').message).toContain('a:0 => b:0 => c:0 => a:0');
    expect(errorOf('a:0 => a:0;').message).toContain('a:0 => a:0');
    const beside = errorOf('r:0 => x:0;\nb:0 => c:0;\nc:0 => b:0 d:0;');
    expect(beside).toMatchObject({ reason: 'bad-tree' });
    expect(beside.message).toContain('b:0 => c:0 => b:0');
    expect(beside.where.line).toBe(2);
  });

  test('N1: a child that has a parent is refused, under the same or another one', () => {
    for (const text of ['a:0 => b:0 c:0\n b:0;', 'a:0 => b:0 c:0;\nc:0 => b:0;'])
      expect(errorOf(text)).toMatchObject({
        reason: 'bad-tree',
        message: expect.stringContaining('b:0 is already a child of a:0.') as string,
        where: { line: 2 },
      });
  });

  test('N1: a name longer than a host can have is refused', () => {
    expect(errorOf(`${'a'.repeat(254)}:0;`)).toMatchObject({
      reason: 'bad-syntax',
      where: { line: 1, column: 1 },
    });
    expect(parseLayout({ text: `${'a'.repeat(253)}:0;` }).leaves).toBe(0);
  });

  test('N1: hostile text is a layout or a LayoutError with a place', () => {
    const pieces = fc.constantFrom(
      'a',
      'b-1',
      ':',
      '0',
      '1',
      '=>',
      ';',
      ' ',
      '\n',
      '#',
      '\u0000',
      '😀',
      '=',
      '..',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          parseLayout({ text: parts.join('') });
        } catch (error) {
          if (!(error instanceof LayoutError)) throw error;
          expect(error.where.line).toBeGreaterThan(0);
          expect(error.where.column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('N1: what is printed is read as the same tree with the same ranks', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        expect(parseLayout({ text: printLayout(layout) })).toEqual(layout);
      }),
    );
    expect(printLayout(parseLayout({ text: 'a:0;' }))).toBe('a:0 ;\n');
  });
});
