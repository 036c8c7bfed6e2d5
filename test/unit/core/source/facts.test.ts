import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { UnitCall, UnitFunction } from '../../../../src/core/source/unit';
import {
  isBuiltIn,
  normalBuiltIns,
  withoutUsualTypedefs,
} from '../../../../src/core/source/declarations/builtInTypes';
import {
  signaturesAgree,
  signatureScore,
  splitSignature,
} from '../../../../src/core/callgraph/merge/typeMatch';
import { analyseText, parserFor } from './parsers';

let cpp: Parser;
let c: Parser;
beforeAll(async () => {
  cpp = await parserFor('c++');
  c = await parserFor('c');
});
const unitOf = (text: string) => analyseText(cpp, text, 'c++').unit;
const only = (text: string): UnitFunction | undefined => unitOf(text).functions.at(-1);

describe('what the source says of a function', () => {
  test.each([
    ['int f(int a, const double *b, char d[]) {}', 'int,double*,char*', 'int', 3, 3],
    ["int f(int a, char d = 'x') {}", 'int,char', 'int', 1, 2],
    ['int f(int a, ...) {}', 'int,...', 'int', 1, undefined],
    ['void f(void) {}', '', 'void', 0, 0],
    ['void f(void *p) {}', 'void*', 'void', 1, 1],
    ['void f(int) {}', 'int', 'void', 1, 1],
    [
      'const std::vector<int> &f(std::map<int, double> &m, struct node *n) {}',
      'std::map<int,double>&,node*',
      'std::vector<int>&',
      2,
      2,
    ],
    ['auto f() { return 1; }', '', undefined, 0, 0],
    ['char **f(char ***p) {}', 'char***', 'char**', 1, 1],
    ['int (*f(int k))(double) {}', 'int', 'int()*', 1, 1],
    ['int (S::*f(int k))(double) {}', 'int', 'int()*', 1, 1],
    ['S::operator T() {}', '', undefined, 0, 0],
    ['S::operator const T *() const {}', '', undefined, 0, 0],
    ['S::operator T *&() {}', '', undefined, 0, 0],
    ['void f(double (*g)(double, int), int (&array)[3]) {}', 'double*(),int*&', 'void', 2, 2],
    ['int f(int a, int b = 1, ...) {}', 'int,int,...', 'int', 1, undefined],
    ['template <class... T> void f(T... a) {}', '...', 'void', 0, undefined],
    ['int (*f(int a))[3] {}', 'int', 'int**', 1, 1],
    ['int *&f() {}', '', 'int*&', 0, 0],
    ['auto f(int a) -> double { return a; }', 'int', undefined, 1, 1],
    [
      'void f(const char *const *a, unsigned  long int b, struct s &&c, int d[2][3], int (C::*m)(int)) {}',
      'char**,unsigned long int,s&,int**,int*()',
      'void',
      5,
      5,
    ],
    [`${'T'.repeat(201)} *f() {}`, '', `${'T'.repeat(200)}*`, 0, 0],
  ] as const)('%s', (text, signature, result, minimum, maximum) => {
    const found = only(text);
    expect(found?.signature).toBe(signature);
    expect(found?.result).toBe(result);
    expect(found?.parameters).toEqual(maximum === undefined ? { minimum } : { minimum, maximum });
  });

  it('in C, no parameters are any, and old definitions have their types below', () => {
    const first = (text: string) => analyseText(c, text, 'c').unit.functions[0];
    expect(first('int f() { return 1; }')?.parameters).toEqual({ minimum: 0 });
    expect(first('int f(void) { return 1; }')?.parameters).toEqual({ minimum: 0, maximum: 0 });
    expect(first('int f(a, b, d) char *b, d[]; { return 1; }')?.signature).toBe('int,char*,char*');
  });

  const flags = ({ isStatic, isInline, isTemplate, isVirtual }: UnitFunction): string =>
    [isStatic && 'static', isInline && 'inline', isTemplate && 'template', isVirtual && 'virtual']
      .filter(Boolean)
      .join(' ');
  test.each([
    ['int f() {}', ''],
    ['static int f() {}', 'static'],
    ['inline int f() {}', 'inline'],
    ['static inline int f() {}', 'static inline'],
    ['template <class T> T f(T a) {}', 'template'],
    ['struct S { void f() {} };', 'inline'],
    ['struct S { static void f() {} };', 'static inline'],
    ['struct S { virtual void f() {} };', 'inline virtual'],
    ['struct S { void f() override {} };', 'inline virtual'],
    ['struct S { void f() final {} };', 'inline virtual'],
    ['template <class T> struct S { void f() {} };', 'inline template'],
    ['struct S { void f(); }; void S::f() {}', ''],
    ['struct S { virtual void g(); void f() {} };', 'inline'],
  ])('%s: %s', (text, expected) => {
    const found = only(text);
    expect(found === undefined ? undefined : flags(found)).toBe(expected);
  });

  test.each([
    ['namespace n { inline namespace v1 { struct S { void f() {} }; } }', 'n::v1::S::f', 'n::v1::S'],
    ['namespace a::b { void f() {} }', 'a::b::f', undefined],
    ['namespace { void f() {} }', '(anonymous)::f', undefined],
    ['struct S { struct T { ~T() {} }; };', 'S::T::~T', 'S::T'],
    ['void S::f() {}', 'S::f', 'S'],
    ['namespace n { void S<int>::f() {} }', 'n::S::f', 'n::S'],
    ['struct S { explicit operator bool() const {} };', 'S::operator bool', 'S'],
    ['S &S::operator+=(const S &o) {}', 'S::operator+=', 'S'],
    ['typedef struct { void f() {} } Named;', 'Named::f', 'Named'],
    ['typedef struct { void f() {} } Named, *Pointer;', 'Named::f', 'Named'],
    ['typedef struct Tag { void f() {} } Named;', 'Tag::f', 'Tag'],
    ['S::operator int() const { return 1; }', 'S::operator int', 'S'],
    ['struct S { operator T *() const { return 0; } };', 'S::operator T*', 'S'],
    ['S::operator const T **() const { return 0; }', 'S::operator T**', 'S'],
    ['S::operator T &() { return t; }', 'S::operator T&', 'S'],
    ['S::operator T && () { return t; }', 'S::operator T&&', 'S'],
    ['struct S { void f(); }; namespace n { void S::f() {} }', 'n::S::f', 'n::S'],
    ['namespace n { void f(); } void n::f() {}', 'n::f', undefined],
    ['void g() { struct L { int f() { return 1; } }; }', 'g::L::f', 'g::L'],
    ['struct A { struct B { void f(); }; }; void A::B::f() {}', 'A::B::f', 'A::B'],
    ['union U { int i; int f() { return i; } };', 'U::f', 'U'],
    ['void operator delete(void *p) {}', 'operator delete', undefined],
    ['void *operator new[](size_t n) {}', 'operator new[]', undefined],
    ['C operator"" _k(unsigned long long v) {}', 'operator""_k', undefined],
  ])('%s: %s', (text, qualifiedName, memberOf) => {
    expect(only(text)).toMatchObject({ qualifiedName, name: qualifiedName.replace(/^.*::/, '') });
    expect(only(text)?.memberOf).toBe(memberOf);
  });
});

describe('classes', () => {
  it('have bases and virtual methods, declared or defined', () => {
    const { classes } = unitOf(`
      namespace n { struct Base { virtual double area() const = 0; virtual void move(int) {} void plain(); int count() { return 1; } };
      struct Derived final : public Base, protected virtual Other<int> { double area() const override; int last() final { return 1; } void own(); }; }
      union U { int i; }; struct Forward;`);
    expect(classes).toEqual([
      { qualifiedName: 'n::Base', bases: [], virtuals: ['area', 'move'] },
      { qualifiedName: 'n::Derived', bases: ['Base', 'Other'], virtuals: ['area', 'last'] },
      { qualifiedName: 'U', bases: [], virtuals: [] },
    ]);
  });
});

describe('calls', () => {
  const declarations = `
    struct S { int f; void r(); double (*fp)(int); S *next; void operator()(int); S operator+(const S &o) const; };
    using op = double (*)(double); typedef double (*old)(int, char); typedef struct { void (*cb)(int, char); } Table;
    double dot(double); S make(); S *ptr(); S table[3]; S *const global = 0;
    `;
  const callsOf = (body: string): readonly UnitCall[] =>
    only(
      `${declarations} void go(S s, S &ref, S *p, std::unique_ptr<S> u, std::vector<S> v, op o, old q, Table *t) { ${body} }`,
    )?.calls ?? [];
  const shown = (body: string) =>
    callsOf(body).map(({ name, form, arguments: count, type }) =>
      [name, form, count, ...(type === undefined ? [] : [type])].join(' '),
    );

  test.each([
    ['dot(1);', ['dot plain 1']],
    ['s.r();', ['r member 0 S']],
    ['ref.r();', ['r member 0 S']],
    ['p->r();', ['r member 0 S']],
    ['(*p).r();', ['r member 0 S']],
    ['u->r();', ['r member 0 S']],
    ['v[0].r();', ['r member 0 S']],
    ['table[1].r();', ['r member 0 S']],
    ['global->r();', ['r member 0 S']],
    ['p->next->r();', ['r member 0 S']],
    ['make().r();', ['r member 0 S', 'make plain 0']],
    ['ptr()->r();', ['r member 0 S', 'ptr plain 0']],
    ['static_cast<S *>(p)->r();', ['r member 0 S']],
    ['s(3);', ['operator() member 1 S']],
    ['o(2.0);', ['o pointer 1 double']],
    ["q(2, 'c');", ['q pointer 2 int,char']],
    ['s.fp(1);', ['fp pointer 1 int']],
    ["t->cb(1, 'a');", ['cb pointer 2 int,char']],
    ['n::k::call(1, 2);', ['n::k::call plain 2']],
    ['::other();', ['other plain 0']],
    ['dot(dot(1));', ['dot plain 1', 'dot plain 1']],
    ['S x(1, 2);', ['S construct 2', '~S member 0 S']],
    ['S x{3};', ['S construct 1', '~S member 0 S']],
    ['p = new S(4);', ['S construct 1']],
    ['delete p;', ['~S member 0 S']],
    ['ref = s + s;', ['operator= member 1 S', 'operator+ member 1 S']],
    ['int k = 1 + 2;', []],
  ])('%s', (body, expected) => {
    expect(shown(body)).toEqual(expected);
  });

  it('know the loops around them, and the parameter that they go through', () => {
    const calls = callsOf(
      'dot(0); for (int i = 0; i < 3; i++) { dot(1); while (i) dot(2); } do dot(1); while (0); if (o(1)) dot(0); for (auto &e : v) e.r();',
    );
    expect(calls.map(({ loopDepth }) => loopDepth)).toEqual([0, 1, 2, 1, 0, 0, 1]);
    expect(calls.map(({ parameter }) => parameter).filter((each) => each !== undefined)).toEqual([5]);
  });

  it('stand at their lines', () => {
    const [function_] = unitOf('void f() {\n  g();\n\n  h(\n    k());\n}').functions;
    expect(function_?.calls.map(({ name, line }) => [name, line])).toEqual([
      ['g', 2],
      ['h', 4],
      ['k', 5],
    ]);
    expect(function_).toMatchObject({ line: 1, column: 6, endLine: 6 });
  });

  it('of a lambda are its own', () => {
    const { functions } = unitOf(
      'double dot(double); void f() { auto l = [](int x) { dot(x); return 1; }; l(3); }',
    );
    expect(functions.map(({ name }) => name)).toEqual(['f', '<lambda>']);
    expect(functions[0]?.calls.map(({ name }) => name)).toEqual([functions[1]?.qualifiedName]);
    expect(functions[1]?.calls.map(({ name }) => name)).toEqual(['dot']);
    expect(functions[1]).toMatchObject({ signature: 'int', parameters: { minimum: 1, maximum: 1 } });
  });
});

describe('text that the grammar does not know', () => {
  test.each([
    ['c++', 'void f(S *s, int (S::*m)(int)) { (s->*m)(1); g(); }'],
    ['c++', 'void f(int n) { S **list = new S *[n]; g(); }'],
    ['c++', 'void f(int n) { char **list = new char * [n]; g(); }'],
    ['c++', 'double (Grid<int>::*step)(double); void f() { g(); }'],
    ['c', '__extension__ typedef int T; void f(const char *__restrict a, __volatile__ int b) { g(); }'],
    ['c', '__inline__ __const__ int f(__signed__ char a) { return g(); }'],
  ] as const)('%s: %s', (language, text) => {
    const { unit, probePoints } = analyseText(language === 'c' ? c : cpp, text, language);
    expect(unit.parsed).toBe(true);
    expect(unit.functions.map(({ name }) => name)).toEqual(['f']);
    expect(unit.functions[0]?.calls.map(({ name }) => name)).toContain('g');
    // Places are those of the text as it was.
    expect(unit.functions[0]?.column).toBe(text.search(/\bf\(/) + 1);
    expect(probePoints.map(({ bodyOffset }) => text.slice(bodyOffset - 1, bodyOffset))).toEqual(['{']);
  });
});

describe('one spelling for each built-in type', () => {
  // C11 6.7.2, C++ [dcl.type.simple]: the words in any order, some of them may be left out.
  test.each([
    ['long int', 'long'],
    ['int long', 'long'],
    ['signed long', 'long'],
    ['long unsigned int', 'unsigned long'],
    ['int long unsigned long', 'unsigned long long'],
    ['signed', 'int'],
    ['unsigned', 'unsigned int'],
    ['short int', 'short'],
    ['unsigned short int', 'unsigned short'],
    ['char', 'char'],
    ['signed char', 'signed char'],
    ['char unsigned', 'unsigned char'],
    ['__signed__ char', 'signed char'],
    ['double long', 'long double'],
    ['float', 'float'],
    ['_Complex', '_Complex double'],
    ['float _Complex', '_Complex float'],
    ['long double _Complex', '_Complex long double'],
    ['__complex__ double', '_Complex double'],
    ['__int128 unsigned', 'unsigned __int128'],
    ['__uint128_t', 'unsigned __int128'],
    ['__int128_t', '__int128'],
    ['_Bool', 'bool'],
    ['Longer', 'Longer'],
    ['std::map<long int,unsigned>', 'std::map<long,unsigned int>'],
  ])('%s is %s', (given, expected) => {
    expect(normalBuiltIns(given)).toBe(expected);
    expect(normalBuiltIns(expected)).toBe(expected);
    if (!expected.includes('<') && expected !== 'Longer') expect(isBuiltIn(expected)).toBe(true);
  });

  test.each([
    ['size_t', 'unsigned long'],
    ['ssize_t', 'long'],
    ['ptrdiff_t', 'long'],
    ['uintptr_t', 'unsigned long'],
    ['int8_t', 'signed char'],
    ['uint8_t', 'unsigned char'],
    ['int16_t', 'short'],
    ['uint16_t', 'unsigned short'],
    ['int32_t', 'int'],
    ['uint32_t', 'unsigned int'],
    ['int64_t', 'long'],
    ['uint64_t', 'unsigned long'],
    ['intmax_t', 'long'],
    ['my_size_t', 'my_size_t'],
  ])('%s usually is %s', (given, expected) => {
    expect(withoutUsualTypedefs(given)).toBe(expected);
    expect(isBuiltIn(given)).toBe(false);
  });
});

describe('parameter lists', () => {
  test.each([
    ['', []],
    ['int', ['int']],
    ['int,double', ['int', 'double']],
    ['std::map<int,double>,int', ['std::map<int,double>', 'int']],
    ['void(*)(int,char),int', ['void(*)(int,char)', 'int']],
    ['int[a,b],c', ['int[a,b]', 'c']],
  ])('%s', (signature, parts) => {
    expect(splitSignature(signature)).toEqual(parts);
  });

  test.each([
    // Equal, differing in template arguments only, or hidden by a typedef; and what cannot be the same.
    ['int,double', 'int,double', 4],
    ['long int', 'long', 2],
    ['size_t', 'unsigned long', 2],
    ['std::vector<int>', 'vector<int,allocator<int>>', 2],
    ['vector<int>', 'vector<double>', 1],
    ['ns::T', 'T', 2],
    ['T', 'U', 0],
    ['T', 'int', 0],
    ['int', 'double', -1],
    ['int*', 'double*', -1],
    ['int', 'int,int', -1],
    ['T', 'U*', 0],
    ['T', 'int*', 0],
    ['T*', 'int', -1],
    ['f()', 'T', 0],
  ])('%s and %s: %d', (a, b, score) => {
    expect(signatureScore(a, b)).toBe(score);
    expect(signatureScore(b, a)).toBe(score);
    expect(signaturesAgree(a, b)).toBe(score >= 0);
  });
});
