import type { Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { UnitCall } from '../../../../src/core/source/unit';
import { analyseText, parserFor } from './parsers';

let parser: Parser;
beforeAll(async () => {
  parser = await parserFor('c++');
});

const declarations = `
  struct Part { void r(); Part *next; double (*fp)(int, char); int n; };
  struct Other { Part part; void o(); };
  struct S : Other { Part own; Part *ptr; std::vector<Part> all; void r(); int m(); S operator+(const S &o) const; S &operator++(); void operator()(int); };
  namespace n { struct In { void i(); }; In get(); }
  using op = double (*)(double); typedef double (*old)(int, char);
  using Alias = S; typedef S *Handle; typedef Handle Again; typedef struct { void (*call)(int); } Node, *NodePointer;
  S make(); S *ptr(); int plain(int);
  S table[3]; Part *global; op chosen; n::In inside;`;
const parameters =
  'S s, S &ref, S *p, S **pp, std::vector<Part> v, op o, old q, void (*par)(int), int (S::*m)(int), double (*fpp[2])(int), void fun(int), int, std::unique_ptr<Part> *up, Part S::*dm';

/** `name form arguments [type] [→result] [#own parameter] [member] [^loops around it]` */
function shown(call: UnitCall): string {
  const parts = [call.name, call.form, call.arguments];
  if (call.type !== undefined) parts.push(call.type);
  if (call.result !== undefined) parts.push(`→${call.result}`);
  if (call.parameter !== undefined) parts.push(`#${call.parameter}`);
  if (call.toMember === true) parts.push('member');
  if (call.loopDepth > 0) parts.push(`^${call.loopDepth}`);
  return parts.join(' ');
}

describe('the calls of a method with the type of the receiver or of the pointer', () => {
  test.each<readonly [string, readonly string[]]>([
    ['auto p = unknown(); delete p;', ['unknown plain 0']],
    ['delete[] p;', ['~S member 0 S']],
    ['for (auto &e : v) e.r();', ['r member 0 Part ^1']],
    ['for (S *q : list) q->r();', ['r member 0 S ^1']],
    ['for (auto e : p->all) e.r();', ['r member 0 Part ^1']],
    ['s[0];', ['operator[] member 1 S']],
    ['-s;', ['operator- member 0 S']],
    ['++s;', ['operator++ member 0 S']],
    ['s++;', ['operator++ member 0 S']],
    ['s == s;', ['operator== member 1 S']],
    ['s = s;', ['operator= member 1 S']],
    ['p + 1;', []],
    ['*p;', []],
    ['p[0].r();', ['r member 0 S']],
    ['((S *)x)->r();', ['r member 0 S']],
    ['((Again)x)->r();', ['r member 0 S']],
    ['S{1}.r();', ['r member 0 S', 'S construct 1']],
    ['(new S)->r();', ['r member 0 S', 'S construct 0']],
    ['(S(1)).r();', ['r member 0 S', 'S construct 1']],
    ['reinterpret_cast<S *>(x)->r();', ['r member 0 S']],
    ['static_cast<S &>(x).r();', ['r member 0 S']],
    ['std::make_unique<S>(1)->r();', ['r member 0 S', 'std::make_unique plain 1']],
    ['make_shared<S>()->r();', ['r member 0 S', 'make_shared plain 0']],
    ['(s + s).r();', ['r member 0 S', 'operator+ member 1 S']],
    ['(a ? p : q)->r();', ['r member 0 S']],
    ['(p = q)->r();', ['r member 0 S']],
    ['(&s)->r();', ['r member 0 S']],
    ['(**pp).r();', ['r member 0 S']],
    // Pointers to members are compared, and not their members.
    ['dm == dm;', []],
    ['this->r();', ['r member 0 S']],
    ['(*up)->r();', ['r member 0 Part']],
    ['up[1]->r();', ['r member 0 Part']],
    ['(*&*up)->r();', ['r member 0 Part']],
    ['(*up).get();', ['get member 0 std::unique_ptr']],
    ['up->get();', ['get member 0 std::unique_ptr']],
    ['own.r();', ['r member 0 Part']],
    ['part.r();', ['r member 0 Part']],
    ['Alias a; a.r();', ['S construct 0', '~S member 0 S', 'r member 0 S']],
    ['Handle h; h->r();', ['r member 0 S']],
    ['Again h = p; h->r();', ['r member 0 S']],
    ['auto h = p; h->r();', ['r member 0 S']],
    ['auto h = make(); h.r();', ['make plain 0', 'r member 0 S']],
    ['Node w; w.call(1);', ['Node construct 0', '~Node member 0 Node', 'call pointer 1 int →void']],
    ['NodePointer w; w->call(1);', ['call pointer 1 int →void']],
    ['auto l = [](int x) { return x; }; l(1);', ['S::go::<lambda:10> plain 1']],
    ['[](int x) { return x; }(2);', ['S::go::<lambda:10> plain 1']],
    ['([] { return 1; })();', ['S::go::<lambda:10> plain 0']],
    ['make().own.r();', ['r member 0 Part', 'make plain 0']],
    ['s.own.r();', ['r member 0 Part']],
    ['s.part.r();', ['r member 0 Part']],
    ['p->ptr->next->r();', ['r member 0 Part']],
    ['s.own.fp(1, 2);', ['fp pointer 2 int,char →double']],
    ['(s.own.fp)(1, 2);', ['fp pointer 2 int,char →double']],
    ['(*s.own.fp)(1, 2);', [' pointer 2 int,char →double']],
    ['(*o)(1.0);', [' pointer 1 double']],
    ['(**o)(1.0);', [' pointer 1 double']],
    ['(***s.own.fp)(1, 2);', [' pointer 2 int,char →double']],
    ['(o)(1.0);', ['o pointer 1 double #5']],
    ['chosen(1.0);', ['chosen pointer 1 double']],
    ['q(1, 2);', ['q pointer 2 int,char →double #6']],
    ['old z = q; z(1, 2);', ['z pointer 2 int,char →double']],
    ['fun(1);', ['fun pointer 1 int →void #10']],
    ['par(1);', ['par pointer 1 int →void #7']],
    [
      '{ S par; par.r(); } par(1);',
      ['S construct 0', '~S member 0 S', 'r member 0 S', 'operator() member 1 S'],
    ],
    ['fpp[0](1);', [' pointer 1 int →double']],
    ['get()(1);', [' pointer 1', 'get plain 0']],
    ['unknown.r();', ['r member 0']],
    ['unknown->r();', ['r member 0']],
    ['unknown.fp(1, 2);', ['fp pointer 2 int,char →double']],
    ['inside.i();', ['i member 0 n::In']],
    ['n::get().i();', ['i member 0 In', 'n::get plain 0']],
    ['x.template t<int>(1);', ['t member 1']],
    ['(this->*m)(1);', ['m pointer 1 int →int #8 member']],
    ['(s.*m)(1);', ['m pointer 1 int →int #8 member']],
    ['(p->*m)(1, 2);', ['m pointer 2 int →int #8 member']],
    ['p->S::r();', ['S::r member 0 S']],
    ['p-> r();', ['r member 0 S']],
    ['S a = make();', ['S construct 1', '~S member 0 S', 'make plain 0']],
    ['S a = {1, 2};', ['S construct 2', '~S member 0 S']],
    ['S *a;', []],
    ['S *a = new S;', ['S construct 0']],
    ['S &a = s;', []],
    ['S a[3];', []],
    ['S f(int);', []],
    ['n::In a;', ['n::In construct 0', '~In member 0 n::In']],
    ['int a(3);', []],
    ['new int(1);', []],
    ['new Part[4];', ['Part construct 0']],
    ['std::vector<int> w(3);', ['std::vector construct 1', '~vector member 0 std::vector']],
    [
      'std::function<int(int)> w; w(1);',
      ['std::function construct 0', '~function member 0 std::function', 'operator() member 1 std::function'],
    ],
    [
      'std::unique_ptr<S> w; w->r(); w.reset(1);',
      [
        'std::unique_ptr construct 0',
        '~unique_ptr member 0 std::unique_ptr',
        'r member 0 S',
        'reset member 1 std::unique_ptr',
      ],
    ],
    ['sizeof(s); decltype(s) z; noexcept(s);', []],
    ['int(1); double(2);', []],
    ['T(3); S(4);', ['T plain 1', 'S construct 1']],
    ['plain((1, 2));', ['plain plain 1']],
    ['plain(/* none */);', ['plain plain 0']],
    ['plain(a /* c */, b);', ['plain plain 2']],
    ['throw S(1);', ['S construct 1']],
    ['return S(1);', ['S construct 1']],
    [
      'for (S t; t.m(); ) plain(1);',
      ['S construct 0 ^1', '~S member 0 S ^1', 'm member 0 S ^1', 'plain plain 1 ^1'],
    ],
    ['switch (plain(1)) { case 1: s.r(); }', ['plain plain 1', 'r member 0 S']],
    ['struct L { void z() { s.r(); } }; L l; l.z();', ['L construct 0', '~L member 0 L', 'z member 0 L']],
  ])('%s', (body, calls) => {
    const text = `${declarations}\nvoid S::go(${parameters}) { ${body} }`;
    const { unit } = analyseText(parser, text, 'c++');
    expect(unit.functions.find(({ name }) => name === 'go')?.calls.map(shown)).toEqual(calls);
    expect(unit.parsed).toBe(true);
  });
});

describe('a constructor', () => {
  it('constructs its bases and fields, but no pointers', () => {
    const text =
      'struct X {}; struct C : Base { X x; X *y; int z; C(int a); }; C::C(int a) : Base(a, 1), x{a, 2, 3}, y(a), z(a), n::Other() {}';
    const [only] = analyseText(parser, text, 'c++').unit.functions;
    expect(only?.calls.map(shown)).toEqual([
      'Base construct 2',
      'X construct 3',
      'int construct 1',
      'n::Other construct 0',
    ]);
  });
});

describe('a place after text that the grammar does not know', () => {
  it('is where it was', () => {
    const text =
      'void f(int n) { S **list = new S *[n]; (s.*m)(1); (s->*m)(1); int (S::*m)(int) = 0; } int g() { return 1; }';
    const { probePoints, unit } = analyseText(parser, text, 'c++');
    expect(probePoints.map(({ bodyOffset }) => bodyOffset)).toEqual([
      text.indexOf('{') + 1,
      text.lastIndexOf('{') + 1,
    ]);
    expect(unit.functions[1]).toMatchObject({ line: 1, column: text.indexOf('g()') + 1 });
  });
});
