import { describe, expect, it } from 'vitest';
import { extractUserText, placeAt } from '../../../../../src/core/source/syntax/userText';
import {
  withoutHeaderPrototypes,
  type Shortened,
} from '../../../../../src/core/source/declarations/prototypes';

/** A unit `/w/a.c` that includes a header with this text. */
function shorten(header: string, main = 'int main(void) { return 0; }\n'): Shortened {
  const text = `# 1 "/w/a.c"\n# 1 "/w/a.h" 1\n${header}\n# 2 "/w/a.c" 2\n${main}`;
  return withoutHeaderPrototypes(extractUserText(text, '/w/a.c'));
}

const remains = (header: string): string =>
  shorten(header)
    .user.text.replace(/int main[^]*/, '')
    .trim();
const names = (header: string): string[] => shorten(header).prototypes.map(({ name }) => name);

describe('withoutHeaderPrototypes', () => {
  it.each([
    ['int f(int a, double *b);', [{ name: 'f' }]],
    [
      'extern unsigned long f (void) __attribute__((__nothrow__ , __leaf__)) __attribute__ ((__pure__));',
      [{ name: 'f' }],
    ],
    ['extern int (lua_gettop) (lua_State *L);', [{ name: 'lua_gettop' }]],
    [
      'struct graph *make(int (*of)(int), int n);',
      [{ name: 'make', result: { name: 'graph', indirection: 1 } }],
    ],
    ['const item_t f();', [{ name: 'f', result: { name: 'item_t', indirection: 0 } }]],
    ['char **f(int a,\n   int b);', [{ name: 'f' }]],
    ['int f(int a); void g(void);', [{ name: 'f' }, { name: 'g' }]],
  ])('takes %j out', (header, expected) => {
    expect(remains(header)).toBe('');
    expect(shorten(header).prototypes).toEqual(expected);
  });

  it.each([
    'typedef int f(int);',
    'int f(int a) { return g(a); }',
    'int f(a) int a; { return a; }',
    'int x = f(1);',
    'int (*table(int n))(double);',
    'int (*pointer)(int);',
    'struct s { int (*call)(int); int n; };',
    'enum colour f(int a);',
    'void f(void) __attribute__((always_inline));',
    'void f(void) __asm__("g");',
    'int f(int a); int x;',
    'int x; int f(int a);',
    'inline int f(int a) {\nreturn a;\n}',
    'static int g(void) {\nreturn h(1);\nint k(int);\n}',
    "char c = '{'; /* don't } */ int f(int a);",
  ])('leaves %j', (header) => {
    expect(remains(header)).toBe(header);
    expect(names(header)).toEqual([]);
  });

  it('goes on after a body, a string with a brace and a comment', () => {
    const header = 'static const char *s = "{";\n/* { */\nstruct s {\n  int n;\n};\nint f(int);\n';
    expect(names(header)).toEqual(['f']);
    expect(remains(header)).not.toContain('int f');
  });

  it('keeps the lines before and between prototypes', () => {
    expect(shorten('int x;\nint f(int);\nint y;\nint g(int);\nint h(int);\nint z;').user.text).toBe(
      'int x;\nint y;\nint z;\nint main(void) { return 0; }\n',
    );
  });

  it('leaves the main file whole, and every place as it was', () => {
    const { user, prototypes } = shorten('int f(int);\nint x;\nint g(int);', 'int h(int);\n  int y;\n');
    expect(prototypes.map(({ name }) => name)).toEqual(['f', 'g']);
    expect(user.text).toBe('int x;\nint h(int);\n  int y;\n');
    expect(placeAt(user, user.text.indexOf('x'))).toEqual({ file: '/w/a.h', line: 2, column: 5 });
    expect(placeAt(user, user.text.indexOf('y'))).toEqual({ file: '/w/a.c', line: 3, column: 7 });
  });
});

describe('hostile headers', () => {
  const count = 50_000;
  it.each([
    ['words', 'a '.repeat(count)],
    ['stars', `a ${'*'.repeat(count)}`],
    ['parentheses', `int f${'('.repeat(count)}`],
    ['attributes', 'a __attribute__((x)) '.repeat(count)],
    ['comments', `{ ${'/* '.repeat(count)}`],
    ['quotes', `'\\"`.repeat(count)],
    ['semicolons', ';'.repeat(count)],
  ])('%s without end have no prototypes (their time: bench/growth)', (_, header) => {
    expect(names(header)).toEqual([]);
  });
});
