import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyFix } from '../applyFix';
import { decide } from '../../../../../src/formats/scorep-filter/effects/decide';
import { formatFilter } from '../../../../../src/formats/scorep-filter/editing/format';
import { importSelection } from '../../../../../src/formats/scorep-filter/lists/imports';
import { parseFilter, parseFilterSyntax } from '../../../../../src/formats/scorep-filter/syntax/parse';
import { printFilter } from '../../../../../src/formats/scorep-filter/syntax/syntax';
import { writeFilter } from '../../../../../src/formats/scorep-filter/lists/write';

const word = fc.constantFrom(
  ...['INCLUDE', 'EXCLUDE', 'MANGLED', 'DEMANGLED', 'SCOREP_REGION_NAMES_BEGIN', 'SCOREP_REGION_NAMES_END'],
  ...[
    'SCOREP_FILE_NAMES_BEGIN',
    'SCOREP_FILE_NAMES_END',
    'INCLUD',
    'f',
    '*',
    '?*',
    'a\\ b',
    '_Z1fv',
    '*/x.c',
  ],
  ...['# why', '#', '\\', '\\\\', '[a-c]*', 'ö', 'a\\#b'],
);
const gap = fc.constantFrom(' ', '\n', '\t', '\r\n', '\n\n\n', '  ', '');
const words = fc
  .array(fc.tuple(word, gap), { maxLength: 30 })
  .map((all) => all.map(([text, blank]) => text + blank).join(''));
const anyText = fc.oneof(words, fc.string(), fc.string({ unit: 'binary' }));

/** Filters without errors. */
const pattern = fc.constantFrom('f', 'g', '*', '?*', 'a\\ b', '_Z1fv', '[a-f]*', 'int\\ f()', '*g');
const group = fc
  .tuple(fc.constantFrom('INCLUDE', 'EXCLUDE'), fc.array(fc.tuple(fc.boolean(), pattern), { maxLength: 3 }))
  .map(([action, all]) => `${action} ${all.map(([m, p]) => `${m ? 'MANGLED ' : ''}${p}`).join('  ')}`);
const sane = fc
  .array(fc.tuple(group, fc.constantFrom('\n', ' # c\n', '\n\n\n# d\n', '\t')), { maxLength: 8 })
  .map((all) => all.map(([text, gap]) => text + gap).join(''))
  .map((body) => `# head\nSCOREP_REGION_NAMES_BEGIN ${body} SCOREP_REGION_NAMES_END # tail`);

const subjects = ['f', 'g', 'a b', 'int f()', 'zzz'].flatMap((name) =>
  ['f', '_Z1fv', 'g'].map((mangledName) => ({ name, mangledName, file: '/x.c', inline: name === 'g' })),
);
const verdicts = (text: string): readonly boolean[] =>
  subjects.map((subject) => decide(parseFilterSyntax(text).filter, subject, 'compile-time').instrumented);
const commentsOf = (text: string): readonly string[] =>
  parseFilterSyntax(text).tokens.flatMap((token) => (token.kind === 'comment' ? token.text.trim() : []));

describe('syntax of filters', () => {
  it('loses nothing of any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const syntax = parseFilterSyntax(text);
        expect(printFilter(syntax)).toBe(text);
        for (const token of syntax.tokens) {
          expect(text.slice(token.offset, token.offset + token.text.length)).toBe(token.text);
          const before = text.slice(0, token.offset).split('\n');
          expect([token.line, token.column]).toEqual([before.length, (before.at(-1) ?? '').length + 1]);
        }
        for (const { offset, length } of syntax.diagnostics) {
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reads on after an error', () => {
    const text =
      'EXCLUDE SCOREP_REGION_NAMES_BEGIN foo INCLUD a EXCLUDE b \\\nSCOREP_FILE_NAMES_BEGIN EXCLUDE MANGLED */c.c';
    const { blocks, filter, diagnostics } = parseFilterSyntax(text);
    expect(blocks.map(({ block }) => block)).toEqual(['region', 'file']);
    expect(filter.rules.map((rule) => rule.pattern)).toEqual(['a', 'b', '*/c.c']);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'outside-block',
      'no-action',
      'no-action',
      'include-first',
      'continued-line',
      'nested-block',
      'not-closed',
      'mangling-misplaced',
    ]);
  });

  it.each([
    ['EXLUDE *', 1, 'found “EXLUDE”'],
    [
      'SCOREP_REGION_NAMES_BEGIN EXLUDE * INCLUDE f SCOREP_REGION_NAMES_END',
      1,
      '“EXLUDE” is no keyword; write EXCLUDE.',
    ],
    [
      'SCOREP_REGION_NAMES_BEGIN INCLUDE f EXLUDE * SCOREP_REGION_NAMES_END',
      0,
      'read as a name; the keyword is EXCLUDE.',
    ],
    ['SCOREP_REGION_NAMES_BEGN EXCLUDE * SCOREP_REGION_NAMES_END', 1, 'found “SCOREP_REGION_NAMES_BEGN”'],
    ['int main(void) { return f(1); }', 1, 'found “int”'],
  ])('one mistake gets one message: %s', (text, errors, message) => {
    const found = parseFilterSyntax(text).diagnostics;
    expect(found).toHaveLength(1);
    expect(found[0]?.severity).toBe(errors === 1 ? 'error' : 'warning');
    expect(found[0]?.message).toContain(message);
  });

  it('a fix mends what it is for', () => {
    const broken: Readonly<Record<string, string>> = {
      'outside-block': 'scorep_region_names_begin EXCLUDE f',
      'nested-block': 'SCOREP_FILE_NAMES_BEGIN SCOREP_REGION_NAMES_BEGIN SCOREP_REGION_NAMES_END',
      'stray-end': 'SCOREP_FILE_NAMES_BEGIN EXCLUDE *.c SCOREP_REGION_NAMES_END',
      'not-closed': 'SCOREP_REGION_NAMES_BEGIN EXCLUDE f',
      'no-action': 'SCOREP_REGION_NAMES_BEGIN EXCLUD f SCOREP_REGION_NAMES_END',
      'mangling-misplaced': 'SCOREP_FILE_NAMES_BEGIN EXCLUDE MANGLED *.c SCOREP_FILE_NAMES_END',
      'carriage-return': 'SCOREP_REGION_NAMES_BEGIN\r\nEXCLUDE f\r\nSCOREP_REGION_NAMES_END\r\n',
      'joined-lines': `SCOREP_REGION_NAMES_BEGIN\n${comment(1022)}\nEXCLUDE f\nSCOREP_REGION_NAMES_END\n`,
      bytes: 'SCOREP_REGION_NAMES_BEGIN EXCLUDE gr[öß]e\\?[[:alpha:]]? SCOREP_REGION_NAMES_END',
      'continued-line': 'SCOREP_REGION_NAMES_BEGIN EXCLUDE f \\\ng SCOREP_REGION_NAMES_END',
      'empty-rule': 'SCOREP_REGION_NAMES_BEGIN EXCLUDE INCLUDE f SCOREP_REGION_NAMES_END',
      'keyword-like': 'SCOREP_REGION_NAMES_BEGIN EXCLUDE mangled f SCOREP_REGION_NAMES_END',
      'relative-file': 'SCOREP_FILE_NAMES_BEGIN EXCLUDE a.c SCOREP_FILE_NAMES_END',
      'mangled-without-keyword': 'SCOREP_REGION_NAMES_BEGIN EXCLUDE _Z1fv f SCOREP_REGION_NAMES_END',
    };
    for (const [code, text] of Object.entries(broken)) {
      const found = parseFilterSyntax(text).diagnostics.find((d) => d.code === code);
      const [fix] = found?.fixes ?? [];
      expect(fix, code).toBeDefined();
      const mended = applyFix(text, fix!);
      expect(
        parseFilterSyntax(mended).diagnostics.map((d) => d.code),
        mended,
      ).not.toContain(code);
    }
    const mangled = broken['mangled-without-keyword']!;
    const [fix] = parseFilterSyntax(mangled).diagnostics.find(
      (d) => d.code === 'mangled-without-keyword',
    )!.fixes!;
    expect(applyFix(mangled, fix!)).toContain('EXCLUDE MANGLED _Z1fv DEMANGLED f');
  });

  it('carriage returns are one diagnostic, not one for each word', () => {
    const text = 'SCOREP_REGION_NAMES_BEGIN\r\n  EXCLUDE f\r\nSCOREP_REGION_NAMES_END\r\n';
    const { filter, diagnostics } = parseFilterSyntax(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(['carriage-return']);
    expect(filter.rules[0]?.pattern).toBe('f');
  });

  it('carriage returns that only spoil patterns are a warning, and the rules never match', () => {
    for (const body of ['EXCLUDE f\r\nINCLUDE g', 'EXCLUDE f\rx\nINCLUDE g', 'EXCLUDE \r f\rx INCLUDE g']) {
      const text = `SCOREP_REGION_NAMES_BEGIN\n${body}\nSCOREP_REGION_NAMES_END\n`;
      const { filter, diagnostics } = parseFilterSyntax(text);
      const found = diagnostics.filter(({ code }) => code === 'carriage-return');
      expect(found, body).toMatchObject([{ severity: 'warning', offset: text.indexOf('\r') }]);
      expect(decide(filter, { name: 'f' }, 'run-time').instrumented).toBe(true);
      const mended = parseFilterSyntax(applyFix(text, found[0]!.fixes![0]!));
      expect(decide(mended.filter, { name: 'f' }, 'run-time').instrumented).toBe(false);
    }
    expect(() =>
      parseFilter('SCOREP_REGION_NAMES_BEGIN EXCLUDE f\nSCOREP_REGION_NAMES_END\r\n', 'x'),
    ).toThrow();
  });

  it('a line that fills the buffer of the reader takes the next one with it, in its comment or as words', () => {
    const rulesOf = (...lines: readonly string[]): readonly string[] =>
      parseFilterSyntax(
        ['SCOREP_REGION_NAMES_BEGIN', ...lines, 'SCOREP_REGION_NAMES_END'].join('\n'),
      ).filter.rules.map(({ pattern, line, column }) => `${pattern} ${line}:${column}`);
    const rules = ['EXCLUDE a', 'EXCLUDE b'];
    expect(rulesOf(comment(1022), ...rules)).toEqual(['b 4:9']);
    expect(rulesOf(comment(1021), ...rules)).toEqual(['a 3:9', 'b 4:9']);
    expect(rulesOf(comment(1023), comment(1022), ...rules)).toEqual(['a 4:9', 'b 5:9']);
    expect(rulesOf(comment(2046), ...rules)).toEqual(['b 4:9']);
    const blanks = ' '.repeat(1022);
    expect(rulesOf(blanks, ...rules)).toEqual(['a 3:9', 'b 4:9']);
    expect(rulesOf(blanks, comment(1023), ...rules)).toEqual(['b 5:9']);
    const umlauts = `# ${'ü'.repeat(510)}`;
    expect(rulesOf(umlauts, ...rules)).toEqual(['b 4:9']);
    const text = ['SCOREP_REGION_NAMES_BEGIN', umlauts, ...rules].join('\n');
    expect(formatFilter(parseFilterSyntax(text))).toBe(text);
    const indented = ['SCOREP_REGION_NAMES_BEGIN', comment(1020), ...rules].join('\n');
    expect(formatFilter(parseFilterSyntax(indented))).toBe(indented);
  });

  it('is written so that no comment is as long as that', () => {
    const entries = [
      { name: `f<${'größe, '.repeat(400)}>`, mangledName: '_Z1fv', reason: 'in: pinned by the user' },
      { name: 'ü'.repeat(2000), mangledName: '_Z1gv', reason: 'in: hot' },
    ];
    const text = writeFilter(entries, 'x '.repeat(1000));
    for (const line of text.split('\n')) expect(Buffer.byteLength(line)).toBeLessThan(1000);
    const again = importSelection(text, 'a.filter');
    expect(again).toMatchObject({
      kind: 'include',
      entries: [{ reason: 'in: pinned by the user' }, { reason: 'in: hot' }],
    });
  });
});

function comment(length: number): string {
  return `# ${'x'.repeat(length - 2)}`;
}

describe('layout', () => {
  it('one rule a line, comments where they were', () => {
    const text = [
      '# head',
      'SCOREP_REGION_NAMES_BEGIN EXCLUDE # everything',
      '   *',
      '',
      '',
      'INCLUDE MANGLED a b # both',
      'DEMANGLED c',
    ].join('\n');
    expect(formatFilter(parseFilterSyntax(text))).toBe(
      [
        '# head',
        'SCOREP_REGION_NAMES_BEGIN',
        '  # everything',
        '  EXCLUDE *',
        '',
        '  INCLUDE MANGLED a',
        '  INCLUDE MANGLED b  # both',
        '  INCLUDE c',
        'SCOREP_REGION_NAMES_END',
        '',
      ].join('\n'),
    );
  });

  it('decides as before, keeps comments, and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.oneof(sane, words), (text) => {
        const once = formatFilter(parseFilterSyntax(text));
        expect(formatFilter(parseFilterSyntax(once))).toBe(once);
        expect(verdicts(once)).toEqual(verdicts(text));
        expect(commentsOf(once)).toEqual(commentsOf(text));
      }),
      { numRuns: 500 },
    );
  });
});
