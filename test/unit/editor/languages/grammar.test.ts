import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import fc from 'fast-check';
import * as oniguruma from 'vscode-oniguruma';
import * as textmate from 'vscode-textmate';
import { beforeAll, describe, expect, test } from 'vitest';
import { tokenize } from '../../../../src/formats/scorep-filter/syntax/tokens';
import { sharedData } from '../../../shared';

const root = path.resolve(import.meta.dirname, '../../../..');
const grammarFile = path.join(root, 'syntaxes/scorep-filter.tmLanguage.json');
let grammar: textmate.IGrammar;

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM(new Uint8Array(readFileSync(wasm)).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: () =>
      Promise.resolve(textmate.parseRawGrammar(readFileSync(grammarFile, 'utf8'), grammarFile)),
  });
  grammar = (await registry.loadGrammar('source.scorep-filter')) ?? expect.fail('no grammar');
});

interface Scoped {
  readonly text: string;
  /** The innermost scope, without the language's name. */
  readonly scope: string;
  readonly line: number;
  readonly column: number;
}

/** What a theme colours, piece by piece; blanks are left out. */
function scopesOf(text: string): readonly Scoped[] {
  const pieces: Scoped[] = [];
  let state = textmate.INITIAL;
  text.split('\n').forEach((line, index) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const piece = line.slice(startIndex, endIndex);
      const scope = (scopes.at(-1) ?? '').replace(/\.scorep-filter$/, '');
      if (piece.trim() !== '') pieces.push({ text: piece, scope, line: index + 1, column: startIndex + 1 });
    }
  });
  return pieces;
}

function shown(text: string): readonly string[] {
  return scopesOf(text).map((piece) => `${piece.text.trim()}: ${piece.scope}`);
}

describe('the grammar of the filter language', () => {
  test('knows the words of both blocks', () => {
    expect(
      shown(
        [
          'SCOREP_FILE_NAMES_BEGIN # all',
          '  EXCLUDE */lib/*.c',
          'SCOREP_FILE_NAMES_END',
          'SCOREP_REGION_NAMES_BEGIN EXCLUDE *',
          '  INCLUDE MANGLED _Zplain',
          '          DEMANGLED main',
          'SCOREP_REGION_NAMES_END',
        ].join('\n'),
      ),
    ).toEqual([
      'SCOREP_FILE_NAMES_BEGIN: keyword.control.block.begin',
      '#: punctuation.definition.comment',
      'all: comment.line.number-sign',
      'EXCLUDE: keyword.other.exclude',
      '*: keyword.operator.wildcard',
      '/lib/: string.unquoted.pattern',
      '*: keyword.operator.wildcard',
      '.c: string.unquoted.pattern',
      'SCOREP_FILE_NAMES_END: keyword.control.block.end',
      'SCOREP_REGION_NAMES_BEGIN: keyword.control.block.begin',
      'EXCLUDE: keyword.other.exclude',
      '*: keyword.operator.wildcard',
      'INCLUDE: keyword.other.include',
      'MANGLED: storage.modifier.mangled',
      '_Zplain: string.unquoted.pattern.mangled',
      'DEMANGLED: storage.modifier.demangled',
      'main: string.unquoted.pattern',
      'SCOREP_REGION_NAMES_END: keyword.control.block.end',
    ]);
  });

  test('MANGLED holds for all patterns until the next rule, over lines and comments', () => {
    const text = `SCOREP_REGION_NAMES_BEGIN
EXCLUDE
  # type=USR name='bool Heap::less(int, int) const'
  MANGLED _ZNK4Heap4lessEii

  _ZN4Heap4swapEii
EXCLUDE plain
SCOREP_REGION_NAMES_END`;
    const patterns = scopesOf(text).filter(({ scope }) => scope.startsWith('string'));
    expect(patterns.map((one) => `${one.text}: ${one.scope}`)).toEqual([
      '_ZNK4Heap4lessEii: string.unquoted.pattern.mangled',
      '_ZN4Heap4swapEii: string.unquoted.pattern.mangled',
      'plain: string.unquoted.pattern',
    ]);
  });

  test('escapes, sets and wildcards inside a pattern', () => {
    expect(
      shown(
        'SCOREP_REGION_NAMES_BEGIN\nINCLUDE int\\ f\\[[!a-c[:digit:]]?\\#\nSCOREP_REGION_NAMES_END',
      ).slice(2, -1),
    ).toEqual([
      'int: string.unquoted.pattern',
      '\\: constant.character.escape',
      'f: string.unquoted.pattern',
      '\\[: constant.character.escape',
      '[!a-c[:digit:]]: constant.other.character-class.set',
      '?: keyword.operator.wildcard',
      '\\#: constant.character.escape',
    ]);
  });

  test('a keyword counts only as a whole word, and in capitals', () => {
    const text =
      'SCOREP_REGION_NAMES_BEGIN\nINCLUDE EXCLUDES xINCLUDE \\MANGLED include a\\ EXCLUDE\nSCOREP_REGION_NAMES_END';
    expect(scopesOf(text).filter(({ scope }) => /^(keyword\.other|storage)/.test(scope))).toHaveLength(1);
  });

  test('in a file block, MANGLED is a pattern as any other', () => {
    expect(shown('SCOREP_FILE_NAMES_BEGIN\nEXCLUDE MANGLED\nSCOREP_FILE_NAMES_END')[2]).toBe(
      'MANGLED: string.unquoted.pattern',
    );
  });

  test('what stands where it cannot is marked, and the rest is read as before', () => {
    expect(
      shown(
        [
          'stray',
          'SCOREP_REGION_NAMES_BEGIN',
          'lost',
          'EXCLUDE *',
          'SCOREP_FILE_NAMES_BEGIN',
          'EXCLUDE a',
          'SCOREP_REGION_NAMES_END',
          'SCOREP_REGION_NAMES_BEGIN',
          'INCLUDE b\\',
        ].join('\n'),
      ),
    ).toEqual([
      'stray: invalid.illegal.stray',
      'SCOREP_REGION_NAMES_BEGIN: keyword.control.block.begin',
      'lost: invalid.illegal.stray',
      'EXCLUDE: keyword.other.exclude',
      '*: keyword.operator.wildcard',
      'SCOREP_FILE_NAMES_BEGIN: keyword.control.block.begin',
      'EXCLUDE: keyword.other.exclude',
      'a: string.unquoted.pattern',
      'SCOREP_REGION_NAMES_END: invalid.illegal.block-end',
      'SCOREP_REGION_NAMES_BEGIN: keyword.control.block.begin',
      'INCLUDE: keyword.other.include',
      'b: string.unquoted.pattern',
      '\\: invalid.illegal.continuation',
    ]);
  });

  test('the words of the parser are the words that are coloured, whatever the text', () => {
    const word = fc.constantFrom(
      'SCOREP_REGION_NAMES_BEGIN',
      'SCOREP_REGION_NAMES_END',
      'SCOREP_FILE_NAMES_BEGIN',
      'INCLUDE',
      'EXCLUDE',
      'MANGLED',
      '# a comment\n',
      'name#comment\n',
      'a\\ b',
      'a\\\\ b#c',
      '[a-z]*',
      '[open',
      '\\#',
    );
    const text = fc
      .array(fc.tuple(word, fc.constantFrom(' ', '\n', '\t ')))
      .map((all) => all.flat().join(''));
    fc.assert(
      fc.property(text, (filter) => {
        const begins = new Set(
          tokenize(filter)
            .filter(({ kind }) => kind === 'word')
            .map(({ line, column }) => `${line}:${column}`),
        );
        const coloured = scopesOf(filter)
          .filter(({ scope }) => !scope.startsWith('comment') && !scope.startsWith('punctuation'))
          .map(({ line, column }) => `${line}:${column}`);
        for (const begin of begins) expect(coloured).toContain(begin);
      }),
      { numRuns: 300 },
    );
  });

  const lulesh = sharedData('scorep/filters/lulesh-ic.filter');
  test.skipIf(lulesh === undefined)('nothing of a real filter is marked as wrong', () => {
    const text = readFileSync(lulesh ?? '', 'utf8');
    expect(scopesOf(text).filter(({ scope }) => scope.startsWith('invalid'))).toEqual([]);
  });
});

describe('the language configuration', () => {
  const configuration: unknown = JSON.parse(
    readFileSync(path.join(root, 'syntaxes/scorep-filter.language-configuration.json'), 'utf8'),
  );

  test('its word is the word of the language', () => {
    const { wordPattern } = configuration as { readonly wordPattern: string };
    const words = 'INCLUDE int\\ f(int,\\ char**)#rest'.match(new RegExp(wordPattern, 'g'));
    expect(words).toEqual(['INCLUDE', 'int\\ f(int,\\ char**)', 'rest']);
  });

  test('what BEGIN opens is indented, what END closes is not', () => {
    const { indentationRules: rules } = configuration as {
      readonly indentationRules: Readonly<Record<'increaseIndentPattern' | 'decreaseIndentPattern', string>>;
    };
    expect('SCOREP_REGION_NAMES_BEGIN # all').toMatch(new RegExp(rules.increaseIndentPattern));
    expect('SCOREP_REGION_NAMES_BEGIN EXCLUDE * SCOREP_REGION_NAMES_END').not.toMatch(
      new RegExp(rules.increaseIndentPattern),
    );
    expect('  SCOREP_FILE_NAMES_END').toMatch(new RegExp(rules.decreaseIndentPattern));
  });
});
