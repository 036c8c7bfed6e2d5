import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalVariant,
  methodIdentity,
  readNestedName,
  typeIdentifier,
} from '../../../../src/core/names/mangled';
import { readPrettyName } from '../../../../src/core/names/prettyName';
import { signatureScore, signaturesAgree } from '../../../../src/core/callgraph/merge/typeMatch';

describe('mangled names', () => {
  it.each([
    ['_ZN6CircleC2Ed', '_ZN6CircleC1Ed'],
    ['_ZN6CircleD2Ev', '_ZN6CircleD1Ev'],
    ['_ZN6CircleD0Ev', '_ZN6CircleD0Ev'],
    ['_ZN1AIiLb1EEC2IdvEERKT_', '_ZN1AIiLb1EEC1IdvEERKT_'],
    ['_ZN5XC2EdC2Ev', '_ZN5XC2EdC1Ev'],
    ['_ZN5XC2Ed1fEv', '_ZN5XC2Ed1fEv'],
    ['_Z5aC2Eb', '_Z5aC2Eb'],
    ['main', 'main'],
  ])('%s stands for %s', (given, expected) => {
    expect(canonicalVariant(given)).toBe(expected);
  });

  it('knows overriding methods by name, constness and parameters', () => {
    expect(methodIdentity('_ZNK12_GLOBAL__N_13Tri4areaEv')).toBe(methodIdentity('_ZNK6Circle4areaEv'));
    expect(methodIdentity('_ZN6Circle4areaEv')).not.toBe(methodIdentity('_ZNK6Circle4areaEv'));
    expect(methodIdentity('_ZN6Circle4areaEi')).not.toBe(methodIdentity('_ZN6Circle4areaEv'));
  });

  it('finds the identifier of a type', () => {
    expect(['5Shape', 'N2n15ShapeE', '3VecIiE', 'N12_GLOBAL__N_13TriE'].map(typeIdentifier)).toEqual([
      'Shape',
      'Shape',
      'Vec',
      'Tri',
    ]);
  });

  it('never throws', () => {
    const pieces = fc.constantFrom(
      '_ZN',
      'K',
      '1a',
      '3abc',
      'C2',
      'D1',
      'E',
      'I',
      'S_',
      'St',
      'T_',
      'Lb1E',
      '99',
      'v',
    );
    fc.assert(
      fc.property(
        fc.array(pieces).map((list) => `_ZN${list.join('')}`),
        (name) => {
          expect(() => [
            readNestedName(name),
            canonicalVariant(name),
            methodIdentity(name),
            typeIdentifier(name),
          ]).not.toThrow();
        },
      ),
    );
  });
});

describe('readable names', () => {
  it.each([
    ['int main()', 'main', ''],
    ['virtual double n::Circle::scale(double) const', 'n::Circle::scale', 'double'],
    ['double (* choose(int))(double, double)', 'choose', 'int'],
    ['double apply(F, double) [with F = double (*)(double)]', 'apply', 'F,double'],
    ['std::unique_ptr<Shape> make(const std::map<int, T>&, int*)', 'make', 'std::map<int,T>&,int*'],
    ['{anonymous}::Tri::~Tri()', '(anonymous)::Tri::~Tri', ''],
    ['double Functor::operator()(double) const', 'Functor::operator()', 'double'],
    ['bool operator<(const A&, const A&)', 'operator<', 'A&,A&'],
    ['main()::<lambda(double)>', 'main::<lambda>', 'double'],
    ['main', 'main', undefined],
  ])('%s', (text, qualifiedName, signature) => {
    expect(readPrettyName(text)).toEqual(
      signature === undefined ? { qualifiedName } : { qualifiedName, signature },
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void readPrettyName(text)));
  });
});

describe('types as they are written', () => {
  it.each([
    ['double,int', 'double,int', true],
    ['double', 'int', false],
    ['Real_t', 'double', true],
    ['a::B&', 'B&', true],
    ['double', 'double,double', false],
    ['double*', 'double', false],
  ])('%s and %s', (a, b, expected) => {
    expect(signaturesAgree(a, b)).toBe(expected);
  });
});

describe('one type in all its spellings', () => {
  /** What each type may be written as; words in any order. */
  const spellings: readonly (readonly [string, readonly string[]])[] = [
    ['signed char', ['char signed']],
    ['unsigned char', ['char unsigned']],
    ['short', ['short int', 'signed short', 'short signed int']],
    ['unsigned short', ['short unsigned', 'unsigned short int']],
    ['int', ['signed', 'signed int', '__signed__ int']],
    ['unsigned int', ['unsigned']],
    ['long', ['long int', 'signed long', 'long signed int']],
    ['unsigned long', ['long unsigned', 'long unsigned int']],
    ['long long', ['long long int', 'signed long long']],
    ['unsigned long long', ['long long unsigned int', 'unsigned long long int']],
    ['__int128', ['__int128_t', 'signed __int128']],
    ['unsigned __int128', ['__uint128_t', '__int128 unsigned']],
    ['long double', ['double long']],
    ['_Complex double', ['double _Complex', '__complex__ double', '_Complex']],
    ['bool', ['_Bool']],
    ['char', ['char']],
    ['float', ['float']],
    ['wchar_t', ['wchar_t']],
  ];
  const spelling = (of: number): fc.Arbitrary<string> => {
    const [type, others] = spellings[of] ?? ['', []];
    const qualifier = fc.constantFrom('', '', 'const', 'volatile');
    return fc
      .constantFrom(type, ...others)
      .chain((text) =>
        fc.tuple(
          fc.shuffledSubarray(text.split(' '), { minLength: text.split(' ').length }),
          qualifier,
          fc.nat(3),
        ),
      )
      .map(([words, added, at]) =>
        [...words.slice(0, at), added, ...words.slice(at)].filter((each) => each !== '').join(' '),
      );
  };
  const around = fc.constantFrom(
    '#',
    '#*',
    '# &',
    '# const*',
    'std::vector<#>&',
    '#(*)(#)',
    'std::map<int, # >',
  );
  const kinds = fc.nat(spellings.length - 1);
  const read = (type: string, form: string): string =>
    readPrettyName(`void f(${form.replaceAll('#', type)}, int)`).signature ?? '';

  it('agrees with itself, and is told apart from all others', () => {
    const two = fc
      .tuple(kinds, kinds)
      .chain(([a, b]) => fc.tuple(fc.constant(a === b), spelling(a), spelling(b), around));
    fc.assert(
      fc.property(two, ([same, a, b, form]) => {
        const [left, right] = [read(a, form), read(b, form)];
        expect(signatureScore(left, right), `${left} and ${right}`)[same ? 'toBe' : 'toBeLessThan'](4);
        if (same || /[(<]/.test(form)) return;
        expect(signaturesAgree(left, right), `${left} and ${right}`).toBe(false);
      }),
    );
  });

  it.each([
    ['std::size_t', 'unsigned long'],
    ['uint64_t*', 'long unsigned int*'],
    ['std::vector<uint8_t>', 'vector<unsigned char,std::allocator<unsigned char>>'],
  ])('%s is what the headers make of it: %s', (a, b) => {
    expect(signatureScore(a, b)).toBe(2);
  });

  it('lets a program define such a name otherwise', () => {
    expect(signatureScore('size_t', 'int')).toBe(0);
  });
});
