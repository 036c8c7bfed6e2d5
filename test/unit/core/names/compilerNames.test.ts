import { describe, expect, test } from 'vitest';
import { canonicalVariant, methodIdentity, typeIdentifier } from '../../../../src/core/names/mangled';
import { readPrettyName } from '../../../../src/core/names/prettyName';

describe('names as compilers and demanglers write them, with their parameters', () => {
  test.each([
    ['f()', 'f', ''],
    ['f(void)', 'f', ''],
    ['f(int, ...)', 'f', 'int,...'],
    ['static int n::A::f(int)', 'n::A::f', 'int'],
    ['virtual void A::g() const', 'A::g', ''],
    ['a::~a()', 'a::~a', ''],
    ['$x(int)', '$x', 'int'],
    ['f(int) [clone .isra.0]', 'f', 'int'],
    ['void f(const int, volatile long*, struct S, enum E)', 'f', 'int,long*,S,E'],
    ['void f(int (*)(int), std::pair<int, long> [3])', 'f', 'int(*)(int),std::pair<int,long>[3]'],
    ['f(int [2][3], char (&)[4])', 'f', 'int[2][3],char(&)[4]'],
    ['int (*f(char))(double)', 'f', 'char'],
    ['void (*A::get(int) const)(char)', 'A::get', 'int'],
    ['decltype (a->b) f(int)', 'f', 'int'],
    ['A<int>::A(A<int> const&)', 'A::A', 'A<int>&'],
    ['f(A<B>::C, D)', 'f', 'A<B>::C,D'],
    ['void f<A<B>, C>(D<E, F<G>>, int)', 'f', 'D<E,F<G>>,int'],
    ['void f(T...) [with T = {int, double}]', 'f', 'T...'],
    ['(anonymous namespace)::g(int)', '(anonymous)::g', 'int'],
    ['n::{anonymous}::g(long)', 'n::(anonymous)::g', 'long'],
    ['n::f(int)::<lambda(double, char)>', 'n::f::<lambda>', 'double,char'],
    ['main()::<lambda(auto:1)> [with auto:1 = int]', 'main::<lambda>', 'auto:1'],
    ['bool n::operator==(n::A const&, n::A const&)', 'n::operator==', 'n::A&,n::A&'],
    ['std::ostream& operator<< <char>(std::ostream&, char)', 'operator<<', 'std::ostream&,char'],
    ['bool operator< <int>(A<int> const&)', 'operator<', 'A<int>&'],
    ['A::operator()(int, B<(C)1>)', 'A::operator()', 'int,B<(C)1>'],
    ['A::operator[](int)', 'A::operator[]', 'int'],
    ['T& A<T>::operator [](int) [with T = int]', 'A::operator[]', 'int'],
    ['A::operator->()', 'A::operator->', ''],
    ['A::operator->*(int)', 'A::operator->*', 'int'],
    ['A::operator<=(A const&)', 'A::operator<=', 'A&'],
    ['A::operator<=>(A const&)', 'A::operator<=>', 'A&'],
    ['A::operator>>(int)', 'A::operator>>', 'int'],
    ['A::operator,(int)', 'A::operator,', 'int'],
    ['A::operator!()', 'A::operator!', ''],
    ['A::operator int() const', 'A::operator int', ''],
    ['A::operator T const*() const', 'A::operator T*', ''],
    ['A::operator const n::T<int>*() const', 'A::operator n::T*', ''],
    ['A::operator T&()', 'A::operator T&', ''],
    ['A::operator unsigned long**()', 'A::operator unsigned long**', ''],
    ['void* operator new [](unsigned long)', 'operator new[]', 'unsigned long'],
    ['operator new(unsigned long)', 'operator new', 'unsigned long'],
  ])('%s', (text, qualifiedName, signature) => {
    expect(readPrettyName(text)).toEqual({ qualifiedName, signature });
  });

  test.each(['_start', 'f.constprop.0', 'heat_mod_', 'a@b'])('%s has no parameters', (text) => {
    expect(readPrettyName(text)).toEqual({ qualifiedName: text });
  });
});

// The names are those of `g++ -c`; what `c++filt` makes of them stands beside them.
describe('methods without their class', () => {
  test.each([
    ['_ZN1S2inEv', '2in v'], // S::in()
    ['_ZN1S2In1fEv', '1f v'], // S::In::f()
    ['_ZN12_GLOBAL__N_14Anon1fEv', '1f v'], // (anonymous namespace)::Anon::f()
    ['_ZNK12_GLOBAL__N_14Anon1gEv', '1g const v'], // (anonymous namespace)::Anon::g() const
    ['_ZN1AIiLi3EEixEi', 'ix i'], // A<int, 3>::operator[](int)
    ['_ZN1AIiLin3EEixEi', 'ix i'], // A<int, -3>::operator[](int)
    ['_ZN1AIPFdiELi2EEpLERKS2_', 'pL RKS2_'], // A<double (*)(int), 2>::operator+=(A<double (*)(int), 2> const&)
    ['_ZNK1AIPFdiELi2EE3getES1_', '3get const S1_'], // A<double (*)(int), 2>::get(double (*)(int)) const
    ['_ZNKR1AIiLi3EE4crefEv', '4cref const v'], // A<int, 3>::cref() const &
    ['_ZNR1AIiLi3EE3refEv', '3ref v'], // A<int, 3>::ref() &
    ['_ZNV1AIiLi3EE3negEv', '3neg v'], // A<int, 3>::neg() volatile
    ['_ZN1PIJidEE1fEid', '1f id'], // P<int, double>::f(int, double)
    ['_ZN1PIJEE1fEv', '1f v'], // P<>::f()
    ['_ZN1LILb1ELc120EE1fEv', '1f v'], // L<true, (char)120>::f()
    ['_ZN1QIXadL_Z2fniEEE1fEv', '1f v'], // Q<&(fn(int))>::f()
    ['_ZN1AIN1b1cEE1fEv', '1f v'], // A<b::c>::f()
    ['_ZN1AISaIiEE1fEv', '1f v'], // A<std::allocator<int> >::f()
    ['_ZN1SD0Ev', 'D0 v'], // S::~S()
    ['_ZN2C22D12C2Ev', '2C2 v'], // C2::D1::C2()
  ])('%s: %s', (mangled, identity) => {
    expect(methodIdentity(mangled)).toBe(identity);
    expect(canonicalVariant(mangled)).toBe(mangled);
  });

  test.each(['_Z1fv', 'main', '_ZN', '_ZNE', '_ZN1a', '_ZN1aI', '_ZN1aIiE', '_ZNEv', '_ZN%E'])(
    '%s is none',
    (mangled) => {
      expect(methodIdentity(mangled)).toBeUndefined();
      expect(canonicalVariant(mangled)).toBe(mangled);
    },
  );

  test.each([
    ['_ZN1AIPFdiELi2EEC2Ev', '_ZN1AIPFdiELi2EEC1Ev'],
    ['_ZN1AIiLin3EEC5Ev', '_ZN1AIiLin3EEC1Ev'],
    ['_ZN1AIiLi3EED5Ev', '_ZN1AIiLi3EED1Ev'],
    ['_ZN2C22D1C2Ev', '_ZN2C22D1C1Ev'],
  ])('%s is a variant of %s', (mangled, canonical) => {
    expect(canonicalVariant(mangled)).toBe(canonical);
    expect(canonicalVariant(canonical)).toBe(canonical);
  });

  test.each([
    ['N1a1bIiE1cE', 'c'],
    ['N1aIiEE', 'a'],
    ['1aIN1b1cEE', 'a'],
    ['NL3abcE', 'abc'],
    ['i', 'i'],
  ])('%s is a type named %s', (mangled, identifier) => expect(typeIdentifier(mangled)).toBe(identifier));
});
