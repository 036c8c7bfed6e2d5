import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../../src/core/errors';
import { decide, type FilterSubject } from '../../../../../src/formats/scorep-filter/effects/decide';
import type { Filter } from '../../../../../src/formats/scorep-filter/syntax/filter';
import { fnmatch } from '../../../../../src/formats/scorep-filter/patterns/fnmatch';
import { parseFilterSyntax, parseFilter } from '../../../../../src/formats/scorep-filter/syntax/parse';
import { writeFilter } from '../../../../../src/formats/scorep-filter/lists/write';
import { escapePattern } from '../../../../../src/formats/scorep-filter/syntax/escapePattern';
import { sharedData } from '../../../../shared';

const region = (body: string): string => `SCOREP_REGION_NAMES_BEGIN\n${body}\nSCOREP_REGION_NAMES_END\n`;
const matchFilter = (filter: Filter, subject: FilterSubject) => decide(filter, subject, 'run-time');
const verdict = (text: string, name: string, mangledName?: string): boolean =>
  matchFilter(parseFilter(text, 'f'), { name, ...(mangledName === undefined ? {} : { mangledName }) })
    .instrumented;

describe('fnmatch', () => {
  it.each([
    ['*', 'a/b', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'abbbcd', false],
    ['?', '', false],
    ['?*', 'x', true],
    ['[abc]x', 'bx', true],
    ['[!abc]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[a-]x', '-x', true],
    ['[[:digit:]]', '7', true],
    ['[[:digit:]]', 'a', false],
    ['[a', '[a', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['a\\ b', 'a b', true],
    ['*\\[with\\ T\\ =\\ double\\]', 'T* f(int) [with T = double]', true],
    ['foo', 'foobar', false],
  ])('%s against %s: %s', (pattern, name, expected) => {
    expect(fnmatch(pattern, name)).toBe(expected);
  });

  it('does not explode on hostile patterns', () => {
    expect(fnmatch(`${'*a'.repeat(2000)}b`, 'a'.repeat(5000))).toBe(false);
  });

  it('an escaped name matches exactly itself', () => {
    const anyName = fc.string({
      unit: fc.constantFrom('a', 'b', '*', '?', '[', ']', '\\', ' ', '#', '!', '-'),
      minLength: 1,
    });
    fc.assert(
      fc.property(anyName, anyName, (name, other) => {
        expect(fnmatch(escapePattern(name), name)).toBe(true);
        expect(fnmatch(escapePattern(name), other)).toBe(name === other);
      }),
    );
  });
});

describe('filter language', () => {
  it('the last matching rule wins, and everything is included at the start', () => {
    expect(verdict(region('EXCLUDE *\nINCLUDE d1'), 'd1')).toBe(true);
    expect(verdict(region('INCLUDE d1\nEXCLUDE *'), 'd1')).toBe(false);
    expect(verdict(region('EXCLUDE foo'), 'bar')).toBe(true);
    expect(verdict('', 'bar')).toBe(true);
  });

  it('MANGLED holds until the next INCLUDE or EXCLUDE', () => {
    const text = region('EXCLUDE * INCLUDE MANGLED _Zf* _Zg* INCLUDE _Zh* EXCLUDE DEMANGLED void\\ x()');
    expect(verdict(text, 'f()', '_Zf')).toBe(true);
    expect(verdict(text, 'g()', '_Zg')).toBe(true);
    expect(verdict(text, 'h()', '_Zh')).toBe(false);
    expect(verdict(text, 'void x()', '_Zf')).toBe(false);
  });

  it('takes newlines for blanks, and comments to the end of the line', () => {
    const text =
      'SCOREP_REGION_NAMES_BEGIN EXCLUDE # everything\n * INCLUDE a\\#b#c\n c SCOREP_REGION_NAMES_END';
    expect(verdict(text, 'a#b')).toBe(true);
    expect(verdict(text, 'c')).toBe(true);
    expect(verdict(text, 'd')).toBe(false);
  });

  it('a region in an excluded file cannot be re-included by name', () => {
    const filter = parseFilter(
      `SCOREP_FILE_NAMES_BEGIN EXCLUDE */a.c SCOREP_FILE_NAMES_END ${region('INCLUDE f')}`,
      'f',
    );
    expect(matchFilter(filter, { name: 'f', file: '/x/a.c' })).toMatchObject({
      instrumented: false,
      rule: { block: 'file' },
    });
    expect(matchFilter(filter, { name: 'f', file: '/x/b.c' }).instrumented).toBe(true);
  });

  it('tells the deciding rule with its line', () => {
    const filter = parseFilter(region('  EXCLUDE *\n  INCLUDE MANGLED f'), 'f');
    expect(matchFilter(filter, { name: 'f', mangledName: 'f' }).rule).toMatchObject({ line: 3, column: 19 });
    expect(matchFilter(filter, { name: 'g' }).rule).toMatchObject({ line: 2, column: 11 });
  });

  it.each([
    ['EXCLUDE *', 1, 1, /Expected SCOREP_REGION_NAMES_BEGIN/],
    ['SCOREP_REGION_NAMES_BEGIN\n foo', 2, 2, /Expected INCLUDE or EXCLUDE/],
    ['SCOREP_REGION_NAMES_BEGIN\n MANGLED foo', 2, 2, /must follow/],
    ['SCOREP_REGION_NAMES_BEGIN\nEXCLUDE a \\\n b', 2, 11, /continued/],
    ['SCOREP_FILE_NAMES_END', 1, 1, /without its BEGIN/],
    ['SCOREP_REGION_NAMES_BEGIN SCOREP_FILE_NAMES_BEGIN', 1, 27, /inside a block/],
  ])('refuses %j with the place', (text, line, column, message) => {
    const error = parseFilterSyntax(text).diagnostics.find((d) => d.severity === 'error');
    expect(error).toMatchObject({ line, column });
    expect(error?.message).toMatch(message);
    expect(() => parseFilter(text, 'x.filter')).toThrow(KymoError);
  });

  it.each([
    [region('INCLUDE foo'), /begins with “EXCLUDE \*”/],
    [region('INCLUDE a EXCLUDE *'), /no effect/],
    [region('EXCLUDE * INCLUDE _Z3foov'), /without MANGLED/],
    [region('EXCLUDE * INCLUDE mangled foo'), /capitals/],
    ['SCOREP_FILE_NAMES_BEGIN EXCLUDE a.c SCOREP_FILE_NAMES_END', /absolute/],
    [region('EXCLUDE INCLUDE foo'), /does nothing/],
  ])('warns of %j', (text, message) => {
    const { diagnostics } = parseFilterSyntax(text);
    expect(diagnostics.every((d) => d.severity === 'warning')).toBe(true);
    expect(diagnostics.map((d) => d.message).join('\n')).toMatch(message);
  });

  it('never throws on a text of words', () => {
    const word = fc.constantFrom(
      'INCLUDE',
      'EXCLUDE',
      'MANGLED',
      'SCOREP_REGION_NAMES_BEGIN',
      'SCOREP_REGION_NAMES_END',
      '#',
      '\\',
      '\n',
      ' ',
      '[',
      'x*',
    );
    fc.assert(
      fc.property(
        fc.array(word).map((words) => words.join(' ')),
        (text) => {
          const { filter } = parseFilterSyntax(text);
          matchFilter(filter, { name: 'x', mangledName: 'y', file: '/z' });
        },
      ),
    );
  });

  const folder = sharedData('scorep/filters');
  it.skipIf(folder === undefined)('reads the filters that Score-P used and proposed', () => {
    const read = (name: string) => parseFilter(readFileSync(path.join(folder!, name), 'utf8'), name);
    for (const name of readdirSync(folder!).filter((file) => file.endsWith('.filter'))) {
      expect(read(name).rules.length).toBeGreaterThan(0);
    }
    const proposed = read('lulesh-scorep-score-g.filter');
    expect(proposed.rules.every((rule) => rule.mangled && rule.action === 'exclude')).toBe(true);
    expect(
      matchFilter(proposed, { name: 'x', mangledName: '_Z14CalcElemVolumePKdS0_S0_' }).instrumented,
    ).toBe(false);
    const kernels = read('lulesh-ic.filter');
    expect(matchFilter(kernels, { name: 'void CalcQForElems(Domain&)', mangledName: 'q' }).instrumented).toBe(
      true,
    );
    expect(
      matchFilter(kernels, { name: 'void f(Domain&)', mangledName: '_ZN6DomainC2Ei' }).instrumented,
    ).toBe(true);
    expect(matchFilter(kernels, { name: 'void other(Domain&)', mangledName: 'o' }).instrumented).toBe(false);
  });
});

describe('whitelist', () => {
  it('begins with EXCLUDE * and names each function with its reason', () => {
    expect(
      writeFilter(
        [
          { name: 'void f(int)', mangledName: '_Z1fi', reason: 'in: hot' },
          { name: 'main', mangledName: 'main' },
        ],
        'Kymo',
      ),
    ).toBe(
      [
        '# Kymo',
        'SCOREP_REGION_NAMES_BEGIN',
        '  EXCLUDE *',
        '  # void f(int): in: hot',
        '  INCLUDE MANGLED _Z1fi',
        '  INCLUDE MANGLED main',
        'SCOREP_REGION_NAMES_END',
        '',
      ].join('\n'),
    );
  });

  it('includes exactly its functions, whatever their names are', () => {
    const anyMangled = fc.oneof(
      fc.string({ minLength: 1 }).filter((s) => !/[\r\n]/.test(s)),
      fc.constantFrom('INCLUDE', 'MANGLED', 'SCOREP_REGION_NAMES_END', '#', '\\', '*', 'a b', 'valueOf'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(anyMangled), anyMangled, fc.string(), (names, other, reason) => {
        const text = writeFilter(
          names.map((name) => ({ name: `shown\n${name}`, mangledName: name, reason })),
        );
        const { filter, diagnostics } = parseFilterSyntax(text);
        expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
        for (const name of [...names, other]) {
          expect(matchFilter(filter, { name: 'unrelated', mangledName: name }).instrumented).toBe(
            names.includes(name),
          );
        }
      }),
    );
  });
});
