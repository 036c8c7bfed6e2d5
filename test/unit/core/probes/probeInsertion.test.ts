import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Parser } from 'web-tree-sitter';
import { analyseUnit } from '../../../../src/core/source/analyse';
import { insertProbes, type TextEncoding } from '../../../../src/core/probes/probeInsertion';
import { probeTexts, uncertainTexts, unknownToGrammar } from '../../../probeTexts/texts';
import { parserFor } from '../source/parsers';

const style = { architecture: 'x86-64', asmInline: true } as const;
const hash = '0123456789abcdef';

const point = (
  text: string,
  functionNumber: number,
  definition: string,
  body: string,
  scope: 'c' | 'c++',
) => ({
  functionNumber,
  definitionOffset: text.indexOf(definition),
  bodyOffset: text.indexOf(body) + body.length,
  scope,
});

/** What a compiler sees of the user's text: characters with file, line and column in bytes, without text that markers ascribe to a system header. */
function userCharacters(text: string, encoding: TextEncoding = 'utf8'): string[] {
  const seen: string[] = [];
  let file = '<kymo>';
  let line = 1;
  let user = true;
  for (const row of text.split('\n')) {
    const marker = /^#(?:line)? (\d+) "(.*)"((?: \d)*)\r?$/.exec(row);
    if (marker !== null) {
      line = Number(marker[1]);
      file = marker[2] ?? '';
      user = !(marker[3] ?? '').includes('3');
      continue;
    }
    if (user) {
      let column = 0;
      for (const character of row) {
        if (character !== ' ') seen.push(`${file}:${String(line)}:${String(column)}:${character}`);
        column += Buffer.byteLength(character, encoding);
      }
    }
    line++;
  }
  return seen;
}

describe.each(['utf8', 'latin1'] as const)('in a text in %s', (encoding) => {
  it.each(['int f(){x\n;}', 'int f(){\n;}', 'int f(){\n\n;}', 'int f(){;\n}', 'ä;\n ä;int f(){ü\n;}'])(
    'what follows the brace is where it was: %j',
    (body) => {
      const text = `# 1 "a.c"\n${body}`;
      const probes = insertProbes(text, [point(text, 0, 'int f', '{', 'c')], hash, style, encoding);
      expect(userCharacters(probes, encoding)).toEqual(userCharacters(text, encoding));
    },
  );
});

it('a line marker begins its line', () => {
  const text = '# 3 "a.c"\nint x; // # 7 "b.c" 3\nint f(void) { return 1; }\n';
  const probes = insertProbes(text, [point(text, 0, 'int f', '{', 'c')], hash, style);
  expect(probes.match(/^# .*$/gm)).toEqual([
    '# 3 "a.c"',
    '# 4 "a.c" 3',
    '# 4 "a.c"',
    '# 4 "a.c" 3',
    '# 4 "a.c"',
    '# 5 "a.c" 3',
  ]);
});

describe('texts that the inserter in C reads, too', () => {
  let parser: Parser;
  beforeAll(async () => {
    parser = await parserFor('c');
  });
  const inserted = (
    text: string,
    minimumStatements: number,
    encoding: TextEncoding = 'utf8',
  ): readonly (string | undefined)[] => {
    const source = '/w/unit.c';
    const input = { text, language: 'c', parser, source, directory: '/w', minimumStatements } as const;
    const { unit, probePoints } = analyseUnit(input);
    const out = insertProbes(text, probePoints, hash, style, encoding);
    expect(userCharacters(out, encoding)).toEqual(userCharacters(text, encoding));
    expect(out).toContain(`.quad 0x${hash}`);
    expect(out.match(/\.byte 0x0f/g) ?? []).toHaveLength(2 * probePoints.length);
    return probePoints.map(({ functionNumber }) => unit.functions[functionNumber]?.name);
  };

  it.each(probeTexts)('$file: probes in the expected functions, and all places kept', (unit) => {
    const text = unit.bytes.toString(unit.encoding);
    expect(inserted(text, 10, unit.encoding)).toEqual(unit.probed);
    expect([...inserted(text, 0, unit.encoding)].sort()).toEqual([...unit.probed, ...unit.small].sort());
  });

  it('gets no probes where the grammar does not know the text', () => {
    expect(inserted(unknownToGrammar.bytes.toString(), 0)).toEqual([]);
  });

  it.each(uncertainTexts)('harms no text of uncertain structure (%#)', (text) => {
    expect(() => inserted(text, 0)).not.toThrow();
  });
});

describe('insertProbes', () => {
  it('keeps the flags of the place where it is', () => {
    const system = '# 1 "/usr/include/x.h" 1 3 4\nint f(void) { return 1; }\n';
    const out = insertProbes(system, [point(system, 0, 'int f', '{', 'c')], hash, style);
    expect(out).toContain('# 1 "/usr/include/x.h" 3 4\n');
  });
  it('asks for no entry where the probes are, unless nothing may stand before the definition', () => {
    const without = '__attribute__((__patchable_function_entry__(0)))';
    for (const scope of ['c', 'c++'] as const) {
      const plain = '# 1 "a"\nstatic int f() { return 1; }\n';
      const [head = '', tail] = insertProbes(
        plain,
        [point(plain, 0, 'static', '{', scope)],
        hash,
        style,
      ).split(without);
      expect(head).not.toContain('static int f');
      expect(tail).toMatch(/^\n# 1 "a"\nstatic int f\(\) \{/);
      for (const begin of ['[[gnu::cold]] int', '[]', '__extension__ int']) {
        const text = `# 1 "a"\n${begin} f() { return 1; }\n`;
        expect(insertProbes(text, [point(text, 0, begin, '{', scope)], hash, style)).not.toContain(without);
      }
    }
  });
  it('needs no helper in C++', () => {
    const source = '# 1 "a.cc"\nint f() { return 1; }\n';
    const out = insertProbes(source, [point(source, 5, 'int f', '{', 'c++')], hash, style);
    expect(out).toContain(`struct kymo_probe_${hash}_5 {`);
    expect(out).toContain('.long 10\\n');
    expect(out).toContain('.long 11\\n');
  });
  it('does without markers, without text, and at the very beginning', () => {
    expect(insertProbes('', [], hash, style)).toContain('.kymo.units');
    const source = 'int f() {}';
    expect(
      insertProbes(
        source,
        [{ functionNumber: 0, definitionOffset: 0, bodyOffset: 9, scope: 'c' }],
        hash,
        style,
      ),
    ).toContain('int f() {\n');
    const blank = '\nint f() {}';
    expect(() =>
      insertProbes(
        blank,
        [{ functionNumber: 0, definitionOffset: 0, bodyOffset: 10, scope: 'c' }],
        hash,
        style,
      ),
    ).not.toThrow();
  });
  it('keeps every place for any text and any points', () => {
    const row = fc.oneof(
      fc.stringMatching(/^[a-zü流{}; ]{0,12}$/u),
      fc
        .record({
          line: fc.integer({ min: 1, max: 99 }),
          file: fc.constantFrom('a.c', 'b c.h', 'q\\"r.h'),
          flags: fc.constantFrom('', ' 1', ' 2', ' 1 4'),
        })
        .map(({ line, file, flags }) => `# ${String(line)} "${file}"${flags}`),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 6 }), (rows, numbers) => {
        const source = ['# 1 "a.c"', ...rows, ''].join('\n');
        const lines = source.split('\n');
        const starts = lines.map((_, at) => lines.slice(0, at).join('\n').length + (at === 0 ? 0 : 1));
        const places = lines.flatMap((line, at) =>
          line.startsWith('#')
            ? []
            : [...Array.from(line), ''].map((_, column) => (starts[at] ?? 0) + column),
        );
        const points = numbers.flatMap((number, at) => {
          const offset = places[number % Math.max(places.length, 1)];
          return offset === undefined
            ? []
            : [{ functionNumber: at, definitionOffset: offset, bodyOffset: offset, scope: 'c' as const }];
        });
        expect(userCharacters(insertProbes(source, points, hash, style))).toEqual(userCharacters(source));
      }),
      { numRuns: 500 },
    );
  });
});
