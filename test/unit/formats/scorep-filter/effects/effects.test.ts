import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../../../src/formats/scorep-filter/effects/decide';
import { diagnoseEffects } from '../../../../../src/formats/scorep-filter/effects/diagnoseEffects';
import { applyFix } from '../applyFix';
import {
  diffFilters,
  namedFunctions,
  unifiedDiff,
} from '../../../../../src/formats/scorep-filter/effects/diffFilters';
import { analyseEffects } from '../../../../../src/formats/scorep-filter/effects/effects';
import type { Filter } from '../../../../../src/formats/scorep-filter/syntax/filter';
import { fnmatch } from '../../../../../src/formats/scorep-filter/patterns/fnmatch';
import { compileMatcher } from '../../../../../src/formats/scorep-filter/patterns/matcher';
import { parseFilterSyntax } from '../../../../../src/formats/scorep-filter/syntax/parse';

const region = (body: string): string => `SCOREP_REGION_NAMES_BEGIN\n${body}\nSCOREP_REGION_NAMES_END\n`;
const files = (body: string): string => `SCOREP_FILE_NAMES_BEGIN\n${body}\nSCOREP_FILE_NAMES_END\n`;

/** fnmatch as the standard words it: tries everything, remembers nothing. */
function naive(pattern: string, name: string): boolean {
  const first = pattern.charAt(0);
  if (first === '') return name === '';
  if (first === '*') return naive(pattern.slice(1), name) || (name !== '' && naive(pattern, name.slice(1)));
  if (name === '') return false;
  const { accepts, length } = naiveStep(pattern, name.charAt(0));
  return accepts && naive(pattern.slice(length), name.slice(1));
}

function naiveStep(pattern: string, character: string): { accepts: boolean; length: number } {
  const first = pattern.charAt(0);
  if (first === '?') return { accepts: true, length: 1 };
  if (first === '\\') return { accepts: pattern.charAt(1) === character, length: 2 };
  const end = pattern.indexOf(']', 2);
  if (first !== '[' || end < 0) return { accepts: first === character, length: 1 };
  const negated = pattern.charAt(1) === '!';
  const inside = pattern.slice(negated ? 2 : 1, end).includes(character);
  return { accepts: inside !== negated, length: end + 1 };
}

const letter = fc.constantFrom('a', 'b', '_');
const piece = fc.oneof(letter, letter, letter, fc.constantFrom('*', '?', '[ab]', '[!a]', '\\a', '\\*'));
const pattern = fc.array(piece, { minLength: 1, maxLength: 7 }).map((all) => all.join(''));
const name = fc.array(letter, { maxLength: 8 }).map((all) => all.join(''));

interface NaiveRule {
  readonly block: 'file' | 'region';
  readonly include: boolean;
  readonly mangled: boolean;
  readonly pattern: string;
}
const rule: fc.Arbitrary<NaiveRule> = fc.record({
  block: fc.constantFrom('file' as const, 'region' as const, 'region' as const),
  include: fc.boolean(),
  mangled: fc.boolean(),
  pattern: fc.oneof(pattern, fc.constantFrom('*', '?*')),
});
const subject = fc.record({ name, mangledName: name, file: name, inline: fc.boolean() });

function textOf(rules: readonly NaiveRule[]): string {
  return rules
    .map(({ block, include, mangled, pattern: text }) => {
      const words = `${include ? 'INCLUDE' : 'EXCLUDE'} ${mangled && block === 'region' ? 'MANGLED ' : ''}${text}`;
      return block === 'file' ? files(words) : region(words);
    })
    .join('');
}

/** Step by step, as the specification tells it. */
function naiveVerdict(
  rules: readonly NaiveRule[],
  f: { name: string; mangledName: string; file: string; inline: boolean },
  compileTime: boolean,
): boolean {
  let fileOut = false;
  let nameOut = false;
  let named = false;
  for (const { block, include, mangled, pattern: text } of rules) {
    const against = block === 'file' ? f.file : mangled ? f.mangledName : f.name;
    if (!naive(text, against)) continue;
    if (block === 'file') {
      fileOut = !include;
      continue;
    }
    nameOut = !include;
    if (!include) named = false;
    else if (text !== '*') named = true;
  }
  return !fileOut && !nameOut && (!compileTime || !f.inline || named);
}

describe('matching', () => {
  it('equals a naive reference, pattern by pattern', () => {
    fc.assert(
      fc.property(pattern, name, (text, against) => {
        expect(fnmatch(text, against)).toBe(naive(text, against));
        expect(compileMatcher(text).matches(against)).toBe(naive(text, against));
      }),
      { numRuns: 3000 },
    );
  });

  it('equals a naive reference on sets of rules, at compile time and at run time', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), subject, (rules, f) => {
        const { filter, diagnostics } = parseFilterSyntax(textOf(rules));
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        for (const when of ['compile-time', 'run-time'] as const) {
          const expected = naiveVerdict(rules, f, when === 'compile-time');
          expect(decide(filter, f, when).instrumented).toBe(expected);
          const { decisions } = analyseEffects(filter, [{ ...f, exactName: true }], when);
          expect(decisions[0]?.instrumented).toBe(expected);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('ends soon with hostile patterns and names', () => {
    const long = 'a'.repeat(10_000);
    const hostile = [
      `${'*a'.repeat(2000)}b`,
      `*${'a'.repeat(3000)}b*`,
      `${'*?a'.repeat(1000)}b`,
      `${'*'.repeat(5000)}b`,
    ];
    for (const text of hostile) expect(compileMatcher(text).matches(long)).toBe(false);
  });
});

describe('effects', () => {
  const functions = [
    { name: 'main', mangledName: 'main', file: '/p/main.c' },
    { name: 'N::f', mangledName: '_ZN1N1fEv', file: '/p/a.cc' },
    { name: 'N::g', mangledName: '_ZN1N1gEv', file: '/p/a.cc', inlinedInto: [1] },
    { name: 'A::A', mangledName: '_ZN1AC1Ev', file: '/p/a.cc' },
    { name: '__mod_MOD_s', mangledName: '__mod_MOD_s', file: '/p/s.f90' },
  ];
  const effectsOf = (text: string) => analyseEffects(parseFilterSyntax(text).filter, functions).rules;

  it('count what a rule matches, decides and changes', () => {
    const [all, n, main] = effectsOf(region('EXCLUDE *\nINCLUDE MANGLED _ZN1N*\nINCLUDE main'));
    expect(all).toMatchObject({ matches: 5, wins: 2, changes: 2, examples: [0, 1, 2, 3, 4] });
    expect(n).toMatchObject({ matches: 2, wins: 2, changes: 2, examples: [1, 2] });
    expect(main).toMatchObject({ matches: 1, wins: 1, changes: 1 });
    const [first] = effectsOf(region('INCLUDE main'));
    expect(first).toMatchObject({ matches: 1, wins: 1, changes: 0 });
  });

  it('know the spelling of Fortran, and guess that of C++', () => {
    expect(effectsOf(region('EXCLUDE mod::s'))[0]?.matches).toBe(1);
    expect(effectsOf(region('EXCLUDE *\\ N::f(*'))[0]?.matches).toBe(1);
    expect(effectsOf(region('EXCLUDE void\\ N::f(int)'))[0]).toMatchObject({ matches: 0, uncertain: true });
    expect(effectsOf(region('EXCLUDE void\\ nothing(int)'))[0]).toMatchObject({
      matches: 0,
      uncertain: false,
    });
    expect(effectsOf(region('EXCLUDE MANGLED _ZN1AC2Ev'))[0]?.matches).toBe(1);
  });

  const diagnose = (text: string) => diagnoseEffects(parseFilterSyntax(text), functions);
  it.each([
    [region('EXCLUDE *\nINCLUDE nothing'), 'matches-nothing', region('EXCLUDE *')],
    [files('EXCLUDE */gone.c\nEXCLUDE */a.cc'), 'matches-nothing', files('EXCLUDE */a.cc')],
    [region('EXCLUDE *\nINCLUDE main main nope'), 'no-effect', region('EXCLUDE *\nINCLUDE main nope')],
    [
      `${files('EXCLUDE *.c')}${region('INCLUDE MANGLED main')}`,
      'no-effect',
      `${files('EXCLUDE *.c')}${region('')}`.replace('\n\n', '\n'),
    ],
    [
      region('EXCLUDE *\nINCLUDE __mod_MOD_s'),
      'mangled-without-keyword',
      region('EXCLUDE *\nINCLUDE MANGLED __mod_MOD_s'),
    ],
    [
      region('EXCLUDE *\nINCLUDE MANGLED _ZN1N1gEv'),
      'inlined',
      region('EXCLUDE *\nINCLUDE MANGLED _ZN1N1fEv'),
    ],
  ])('%j: %s, with a fix', (text, code, mended) => {
    const [found] = diagnose(text);
    expect(found?.code).toBe(code);
    expect(applyFix(text, found!.fixes![0]!)).toBe(mended);
  });

  it('say nothing where nothing is known, and nothing twice', () => {
    expect(diagnoseEffects(parseFilterSyntax(region('EXCLUDE nothing')), [])).toEqual([]);
    expect(diagnose(region('EXCLUDE _ZN1N1fEv'))).toEqual([]);
    expect(diagnose(region('EXCLUDE *\nINCLUDE MANGLED _ZN1N*'))).toEqual([]);
  });
});

describe('difference of filters', () => {
  const filter = (text: string): Filter => parseFilterSyntax(text).filter;
  const before = region('EXCLUDE *\nINCLUDE MANGLED _Z1fv\nINCLUDE MANGLED _Z1gv');
  const after = region('EXCLUDE *\nINCLUDE MANGLED _Z1fv\nINCLUDE MANGLED _Z1hv');

  it('tells which functions change', () => {
    const functions = namedFunctions(filter(before), filter(after));
    const { added, removed, unchanged } = diffFilters(filter(before), filter(after), functions);
    const names = (positions: readonly number[]) => positions.map((at) => functions[at]?.mangledName);
    expect([names(added), names(removed), unchanged]).toEqual([['_Z1hv'], ['_Z1gv'], 1]);
  });

  it('a constructor is one function', () => {
    const text = region('EXCLUDE *\nINCLUDE MANGLED _ZN1AC1Ev _ZN1AC2Ev _ZN1AC4Ev');
    expect(namedFunctions(filter(text)).map((f) => f.name)).toEqual(['_ZN1AC1Ev']);
  });

  it('and which lines', () => {
    expect(unifiedDiff(before, before, 'a', 'b')).toBe('');
    expect(unifiedDiff(before, after, 'a', 'b').split('\n').slice(0, 9)).toEqual([
      '--- a',
      '+++ b',
      '@@ -1,5 +1,5 @@',
      ' SCOREP_REGION_NAMES_BEGIN',
      ' EXCLUDE *',
      ' INCLUDE MANGLED _Z1fv',
      '-INCLUDE MANGLED _Z1gv',
      '+INCLUDE MANGLED _Z1hv',
      ' SCOREP_REGION_NAMES_END',
    ]);
  });
});

describe('namespaces without a name', () => {
  it('are matched as gcc prints them, however they are shown', () => {
    const { filter } = parseFilterSyntax(region('EXCLUDE *\nINCLUDE *{anonymous}::step*'));
    for (const name of ['(anonymous namespace)::step', '{anonymous}::step(int)', 'sim::(anonymous)::step'])
      expect(analyseEffects(filter, [{ name, mangledName: '_Z4stepv' }]).instrumented, name).toBe(1);
  });
});

describe('names that are not ASCII', () => {
  const known = [
    { name: 'größe', file: '/p/ü/größe.c' },
    { name: 'grosse', file: '/p/grosse.c' },
  ];
  const told = (text: string): readonly string[] => {
    const syntax = parseFilterSyntax(text);
    return [...syntax.diagnostics, ...diagnoseEffects(syntax, known)].flatMap(
      ({ code, message, fixes = [] }) =>
        code === 'bytes' ? [`${message} ${fixes[0]?.edits[0]?.text ?? ''}`] : [],
    );
  };

  it('are said where bytes and characters differ for one of them, with a pattern that means the same for both', () => {
    expect(told(region('EXCLUDE *\nINCLUDE gr??e'))).toEqual([
      expect.stringMatching(/letters of “größe”.* gr\*e$/),
    ]);
    expect(told(files('EXCLUDE *\nINCLUDE */gr??e.c'))).toEqual([
      expect.stringMatching(/größe.c”.* \*\/gr\*e\.c$/),
    ]);
    expect(told(region('EXCLUDE gr[öß]*'))).toEqual([expect.stringMatching(/characters in \[öß\].* gr\*$/)]);
  });

  it('are not said where they do not', () => {
    for (const pattern of ['gr*e', 'größe', 'gros?e', 'gr?[!a]*', '?*'])
      expect(told(region(`EXCLUDE x\nINCLUDE ${pattern}`)), pattern).toEqual([]);
  });
});
