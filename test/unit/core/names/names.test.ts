import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unqualifiedName } from '../../../../src/core/names/unqualifiedName';
import { foldTemplates } from '../../../../src/core/names/foldTemplates';
import { matchingCallPaths, matchingRegions, nameTest } from '../../../../src/core/names/namePattern';

describe('template folding', () => {
  it.each([
    [
      'std::vector<std::pair<int, std::allocator<long> > >::at(unsigned long)',
      'std::vector<…>::at(unsigned long)',
    ],
    ['void solve<double>(Grid<double, 3>&)', 'void solve<…>(Grid<…>&)'],
    ['main', 'main'],
    ['bool operator<(A const&, A const&)', 'bool operator<(A const&, A const&)'],
    ['bool operator< <int>(A<int> const&)', 'bool operator< <…>(A<…> const&)'],
    ['std::ostream& operator<< <std::char_traits<char> >(int)', 'std::ostream& operator<< <…>(int)'],
    ['Ptr<T>::operator->() const', 'Ptr<…>::operator->() const'],
    ['Ptr<T>::operator->*<int>() const', 'Ptr<…>::operator->*<…>() const'],
    [
      'A<int>::operator()(int)::{lambda(B<int>)#1}::operator()<C>(C) const',
      'A<…>::operator()(int)::{lambda(B<…>)#1}::operator()<…>(C) const',
    ],
    ['main()::<lambda(int)>', 'main()::<lambda(int)>'],
    ['std::function<void(main()::<lambda(int)>)>::call', 'std::function<…>::call'],
    ['f<(2 > 1), 3>()', 'f<…>()'],
    ['f<((1)<<(3))>()', 'f<…>()'],
    ['decltype(a->b) g<&A::operator< >()', 'decltype(a->b) g<…>()'],
    ['broken<int', 'broken<int'],
    ['f<(>)', 'f<(>)'],
    ['a < b', 'a < b'],
  ])('%s', (name, folded) => {
    expect(foldTemplates(name)).toBe(folded);
  });

  it('is the same when done twice, and never longer', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      '::',
      '<',
      '>',
      '(',
      ')',
      'operator',
      '->',
      ' ',
      ',',
      '…',
      '[',
      '{',
      '}',
      '<int>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = foldTemplates(pieces.join(''));
        expect(foldTemplates(once)).toBe(once);
        // `<>` grows by the dots.
        expect(once.length).toBeLessThanOrEqual(
          pieces.join('').length + (pieces.join('').match(/<\s*>/g)?.length ?? 0),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('is linear: 10 kB and hostile names take no time', () => {
    expect(foldTemplates(`f${'<g'.repeat(3000)}${'>'.repeat(3000)}()`)).toBe('f<…>()');
    // Quadratic work would exceed the time limit of a test; `npm run bench growth` shows the growth.
    for (const name of [`f${'<g'.repeat(200_000)}`, `f${'operator<'.repeat(50_000)}`])
      expect(foldTemplates(name).length).toBeLessThanOrEqual(name.length);
  });
});

describe('search', () => {
  it('finds what a plain search finds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string()),
        fc.string({ maxLength: 3 }),
        fc.boolean(),
        (names, text, matchCase) => {
          const marked = matchingRegions(names, [], nameTest({ text, regex: false, matchCase }));
          const plain = names.map((name) =>
            text !== '' && (matchCase ? name.includes(text) : name.toLowerCase().includes(text.toLowerCase()))
              ? 1
              : 0,
          );
          expect([...marked]).toEqual(plain);
        },
      ),
    );
  });

  it('matches regular expressions as JavaScript does', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'c',
      '.',
      '[ab]',
      '[^a]',
      '\\d',
      '\\w',
      '\\b',
      '(?:ab|c)',
      '(a)',
      '^',
      '$',
      'A',
    );
    const quantified = fc.tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,}', '*?'));
    const piece = quantified.map(([one, many]) => (/^(\^|\$|\\b)$/.test(one) ? one : one + many));
    const pattern = fc
      .array(
        fc.array(piece, { maxLength: 5 }).map((all) => all.join('')),
        { minLength: 1, maxLength: 3 },
      )
      .map((all) => all.join('|'));
    const word = fc
      .array(fc.constantFrom('a', 'b', 'c', 'A', '1', ' ', '_', 'é'), { maxLength: 12 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(pattern, fc.array(word, { maxLength: 5 }), fc.boolean(), (text, words, matchCase) => {
        fc.pre(text !== '');
        const test = nameTest({ text, regex: true, matchCase });
        const peer = new RegExp(text, matchCase ? 's' : 'si');
        for (const one of words) expect(test(one), `/${text}/ on “${one}”`).toBe(peer.test(one));
      }),
      { numRuns: 2000 },
    );
  });

  it('is linear for patterns that ruin a backtracking search', () => {
    const name = `${'a'.repeat(10_000)}!`;
    for (const text of ['(a+)+$', '(a|a)*b$', '(.*)*x', '.*.*.*.*.*x', '(a?){50}a{50}b'])
      expect(nameTest({ text, regex: true, matchCase: false })(name)).toBe(false);
  });

  it.each(['(', 'a)', '[a', '*a', '(?=a)', '\\1', 'a{3,1}', '\\', '((a{99}){99}){99}', 'a'.repeat(400)])(
    'says what is wrong with %s',
    (text) => {
      expect(() => nameTest({ text, regex: true, matchCase: false })).toThrow(
        /^The pattern cannot be used: /,
      );
    },
  );

  it('looks into shown and full names, and finds the call paths', () => {
    const test = nameTest({ text: 'vector<…>', regex: false, matchCase: true });
    const marked = matchingRegions(['vector<int>', 'main'], ['vector<…>', 'main'], test);
    expect([...matchingCallPaths(Uint32Array.of(1, 0, 1, 0), marked)]).toEqual([1, 3]);
  });
});

describe('names where there is little room', () => {
  it.each([
    ['main', 'main'],
    ['ns::Grid<…>::step(int, double const*)', 'step'],
    ['void sweep<…>(int)', 'sweep<…>'],
    ['(anonymous namespace)::helper(int)', 'helper'],
    ['ns::(anonymous namespace)::Class::~Class()', '~Class'],
    ['Solver::operator()(int) const', 'operator()'],
    ['std::ostream& operator<<(std::ostream&, int)', 'operator<<'],
    ['heat_mod::advance_', 'advance_'],
    ['A::operator std::string() const', 'operator std::string'],
    ['void* operator new(unsigned long)', 'operator new'],
    ['n::operators(int)', 'operators'],
    ['A::my_operator()', 'my_operator'],
    ['f(int) ', 'f'],
    ['f(void (*)(int))', 'f'],
    ['ns::f(int) [clone .isra.0]', 'f'],
    ['Minisat::vec::push [T = Minisat::Watcher; Size = int]', 'push'],
    ['Minisat::vec::operator[] [with T = Minisat::Lit]', 'operator[]'],
    ['heat::norm [OpenMP region]', 'norm [OpenMP region]'],
    ['heat::norm [OpenMP region 1]', 'norm [OpenMP region 1]'],
    ['void ns::sweep(int) [OpenMP region]', 'sweep [OpenMP region]'],
    ['a::', 'a::'],
    ['', ''],
  ])('%s → %s', (name, short) => {
    expect(unqualifiedName(name)).toBe(short);
  });
});
