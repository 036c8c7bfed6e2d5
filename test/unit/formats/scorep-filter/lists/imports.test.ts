import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importSelection } from '../../../../../src/formats/scorep-filter/lists/imports';
import { listFormatOf, writeSelection } from '../../../../../src/formats/scorep-filter/lists/lists';
import { parseFilterSyntax } from '../../../../../src/formats/scorep-filter/syntax/parse';
import { writeExclusions, writeFilter } from '../../../../../src/formats/scorep-filter/lists/write';
import { decide } from '../../../../../src/formats/scorep-filter/effects/decide';
import { symbolVariants } from '../../../../../src/formats/scorep-filter/effects/structors';
import { sharedData } from '../../../../shared';

const region = (body: string): string => `SCOREP_REGION_NAMES_BEGIN\n${body}\nSCOREP_REGION_NAMES_END\n`;

describe('lists of functions', () => {
  it('round through all formats, with their reasons where there is room for them', () => {
    const names = ['main', '_Z1fi', '_ZN1AC1Ev', '__mod_MOD_solve'];
    const start = writeFilter(names.map((name) => ({ name, mangledName: name, reason: 'in: hot' })));
    let text = start;
    let from = 'a.filter';
    for (const to of ['b.json', 'c.txt', 'd.filter']) {
      text = writeSelection(importSelection(text, from), listFormatOf(to), from);
      from = to;
    }
    const back = importSelection(text, 'd.filter');
    expect(back.kind === 'include' && back.entries.map(({ mangledName }) => mangledName)).toEqual(names);
    const first = importSelection(start, 'a.filter');
    expect(writeSelection(first, 'scorep', 'a.filter')).toBe(start);
  });

  it('know their format by the ending', () => {
    expect(['a.filter', 'b.json', 'c.txt'].map(listFormatOf)).toEqual(['scorep', 'capi', 'plain']);
  });

  it('a filter that depends on the names in the program is no list', () => {
    const list = (text: string, file: string) => () =>
      writeSelection(importSelection(text, file), 'plain', file);
    expect(list(region('EXCLUDE *\nINCLUDE a*'), 'x.filter')).toThrow(/x\.filter:3:9.*“a\*”/);
    expect(list(region('EXCLUDE foo'), 'x.filter')).toThrow(/EXCLUDE \*/);
    expect(list('', 'x.filter')).toThrow(/excludes nothing/);
    expect(list('[]', 'x.json')).toThrow(/not a CaPI selection/);
    expect(list('{', 'x.json')).toThrow(/not JSON/);
    expect(list(region('foo'), 'x.filter')).toThrow(/x\.filter:2:1/);
  });

  it('names of hostile lists stay names', () => {
    const text = writeSelection(
      importSelection('{"selection":{"__proto__":{},"a b":{}}}', 'x.json'),
      'plain',
      'x',
    );
    expect(text).toBe('__proto__\na b\n');
  });
});

describe('what other tools write', () => {
  it.skipIf(sharedData('scorep/filters') === undefined)('scorep-score: what it leaves out, and why', () => {
    const file = sharedData('scorep/filters/lulesh-scorep-score-g.filter')!;
    const selection = importSelection(readFileSync(file, 'utf8'), file);
    expect(selection.kind).toBe('exclude');
    expect(selection.kind === 'exclude' && selection.entries[1]).toEqual({
      name: 'void Release(T**) [with T = double]',
      mangledName: '_Z7ReleaseIdEvPPT_',
      reason: 'type=USR max_buf= 250,800 visits= 10,450, time= 0.01s ( 4.5%), time/visit= 0.96us',
    });
    const again = parseFilterSyntax(writeSelection(selection, 'scorep', file));
    expect(again.diagnostics).toEqual([]);
    expect(again.filter.rules.every(({ action, mangled }) => action === 'exclude' && mangled)).toBe(true);
  });

  it('PIRA: a list without EXCLUDE *, with call sites that Score-P does not know', () => {
    const selection = importSelection(
      region('INCLUDE main\nINCLUDE main -> _Z1fv\nINCLUDE _Z1fv\nINCLUDE _Z1gv -> _Z1fv'),
      'x.filt',
    );
    expect(selection).toMatchObject({
      kind: 'include',
      entries: [{ mangledName: 'main' }, { mangledName: '_Z1fv' }],
    });
    expect(selection.notes.join(' ')).toMatch(/2 call sites/);
    expect(writeSelection(selection, 'scorep', 'x')).toContain('  EXCLUDE *\n  INCLUDE MANGLED main\n');
    const none = importSelection('aFunctionThatDoesNotExist\n', 'instrumented-x.txt');
    expect(none.kind === 'include' && none.entries).toEqual([]);
  });

  it('CaPI: one INCLUDE MANGLED for all', () => {
    const selection = importSelection(region('EXCLUDE *\nINCLUDE MANGLED\n_Z1fv\nmain'), 'capi.filt');
    expect(selection).toMatchObject({ kind: 'include', entries: [{ name: '_Z1fv' }, { name: 'main' }] });
  });

  it('TAU: lists with wildcards, by name and by file', () => {
    const selection = importSelection(
      [
        '# TAU',
        'BEGIN_EXCLUDE_LIST',
        'void foo(int *, #) C',
        '"int main(#)"',
        'END_EXCLUDE_LIST',
        'BEGIN_FILE_INCLUDE_LIST',
        '*.cpp',
        'main.c',
        'END_FILE_INCLUDE_LIST',
        'BEGIN_INSTRUMENT_SECTION',
        'loops file="a.c" routine="#"',
        'END_INSTRUMENT_SECTION',
      ].join('\n'),
      'select.tau',
    );
    expect(selection).toMatchObject({
      kind: 'rules',
      text: [
        'SCOREP_FILE_NAMES_BEGIN',
        '  EXCLUDE *',
        '  INCLUDE *.cpp',
        '  INCLUDE */main.c',
        'SCOREP_FILE_NAMES_END',
        'SCOREP_REGION_NAMES_BEGIN',
        '  EXCLUDE void\\ foo(int\\ \\*,\\ *)',
        '  EXCLUDE int\\ main(*)',
        'SCOREP_REGION_NAMES_END',
        '',
      ].join('\n'),
    });
    expect(selection.notes).toHaveLength(1);
    expect(() => importSelection('x\nBEGIN_INCLUDE_LIST\n', 't')).toThrow(/t:1:1/);
  });

  it('functions.json of a study: the selected ones, with their reasons', () => {
    const text = JSON.stringify({
      kymoFunctions: 1,
      functions: [
        { key: '_Z1fv', name: 'f', mangledName: '_Z1fv', selected: true, reason: 'in: hot' },
        { key: 'g', name: 'g', selected: false, reason: 'out' },
      ],
    });
    const selection = importSelection(text, 'functions.json');
    expect(selection).toMatchObject({
      kind: 'include',
      entries: [{ name: 'f', mangledName: '_Z1fv', reason: 'in: hot' }],
      others: [{ name: 'g', reason: 'out' }],
    });
    expect(writeSelection(selection, 'scorep', 'x', { form: 'exclude' })).toBe(
      region('  # f: in: hot\n  INCLUDE MANGLED _Z1fv\n  # out\n  EXCLUDE MANGLED g'),
    );
    const list = importSelection('main\n', 'x.txt');
    expect(() => writeSelection(list, 'scorep', 'x.txt', { form: 'exclude' })).toThrow(/functions\.json/);
  });
});

describe('forms of one selection', () => {
  const selected = [{ name: 'f', mangledName: '_Z1fv' }];
  const others = [{ name: 'g', mangledName: '_Z1gv' }];
  const inline = [{ name: 'A::get', mangledName: '_ZN1A3getEv' }];
  const verdicts = (text: string) =>
    [...selected, ...others].map((f) => decide(parseFilterSyntax(text).filter, f, 'run-time').instrumented);

  it('agree about what is known', () => {
    expect(verdicts(writeFilter(selected))).toEqual([true, false]);
    expect(verdicts(writeExclusions(others, inline))).toEqual([true, false]);
  });

  it('bring functions in that are declared inline', () => {
    const f = { ...inline[0], inline: true };
    for (const text of [writeFilter(inline), writeExclusions(others, inline)]) {
      expect(decide(parseFilterSyntax(text).filter, f, 'compile-time').instrumented).toBe(true);
    }
  });

  it('keep user regions', () => {
    const { filter } = parseFilterSyntax(writeFilter(selected, undefined, ['time step']));
    expect(decide(filter, { name: 'time step' }, 'run-time').instrumented).toBe(true);
  });

  it('name all symbols of a constructor', () => {
    const { filter } = parseFilterSyntax(writeFilter([{ name: 'A::A', mangledName: '_ZN1AC1Ei' }]));
    const asThePluginNamesIt = { name: 'A::A(int)', mangledName: '_ZN1AC2Ei' };
    expect(decide(filter, asThePluginNamesIt, 'compile-time').instrumented).toBe(true);
  });

  it('know what is a constructor or a destructor', () => {
    expect(symbolVariants('_ZN1GC2Ei')).toEqual(['_ZN1GC2Ei', '_ZN1GC1Ei', '_ZN1GC4Ei']);
    expect(symbolVariants('_ZN1GD1Ev')).toContain('_ZN1GD2Ev');
    expect(symbolVariants('_ZN1G3sumEv')).toEqual(['_ZN1G3sumEv']);
    expect(symbolVariants('main')).toEqual(['main']);
  });

  it('match a name without a mangled one with and without a return type', () => {
    const { filter } = parseFilterSyntax(writeFilter([{ name: 'N::f' }]));
    const inside = (name: string) => decide(filter, { name, mangledName: 'x' }, 'run-time').instrumented;
    expect(['void N::f(int)', 'N::f()', 'void MN::f(int)'].map(inside)).toEqual([true, true, false]);
  });
});
