/** C of all kinds that a scanner of brackets could misread. */
export interface OddText {
  readonly name: string;
  readonly text: Buffer;
  /** Whether some function in it gets a probe. */
  readonly probes: boolean;
  readonly options?: readonly string[];
  /** False: the parser's way leaves its functions without probes because its grammar does not know it. */
  readonly grammar?: false;
}

const loop = 'for (i = 0; i < n; i++) s += i;';
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

export const oddTexts: readonly OddText[] = [
  {
    name: 'K and R definitions',
    text: utf8(
      `int a(x, n) int x; char n; { int i, s = 0; ${loop} return s; }\nstatic int b(n)\n  register int n;\n{ while (n) n--; return n; }\nint c(int), d(int);\n`,
    ),
    probes: true,
  },
  {
    name: 'nested functions',
    text: utf8(
      `int outer(int n) { int inner(int k) { int deepest(void) { return 1; } while (k) k -= deepest(); return k; } int i, s = 0; ${loop} return inner(s); }\nint after(int n) { while (n) n--; return n; }\n`,
    ),
    probes: true,
  },
  {
    name: 'declarators',
    text: utf8(
      `int (*fp(int n))(int) { for (;;) n++; return 0; }\nint (plain)(int n) { while (n) n--; return n; }\nstruct s { int a; } made(int n) { struct s r = { 0 }; do r.a++; while (--n); return r; }\nint *const pointer(void) __attribute__((noinline));\nint *const pointer(void) { static int v; while (v < 3) v++; return &v; }\nint (*table[2])(int) = { plain, plain };\nint (*array(void))[3] { static int v[3]; for (;;) v[0]++; return &v; }\n`,
    ),
    probes: true,
  },
  {
    name: 'initialisers',
    text: utf8(
      `struct p { int x, y; const char *t; };\nstatic const struct p all[] = { [0] = { .x = 1, .t = "{" }, [1] = { 2, 3, "}" } };\nenum e { one = '{', two = '}', three = '"' };\nint f(enum e v) { struct p q = (struct p){ .x = v }; int r = ((struct p){ 1, 2, "" }).y; for (; q.x > 0; q.x--) r += all[0].x; return r; }\n`,
    ),
    probes: true,
  },
  {
    name: 'statements',
    text: utf8(
      `int f(int n) { int s = 0; switch (n) { case 1: s++; case 4: s--; break; default: s = 2; s = 3; case 9: { s = 4; } } if (n) ; else if (n > 1) s = n ? 1 : 2; else { s++; s++; } do s--; while (s > 0); goto end; end: return s; }\nint g(int n) { out: if (n) goto out; ; ; return n; }\nint duff(int n) { switch (n) { case 0: do { n--; case 3: n--; } while (n > 0); } return n; }\n`,
    ),
    probes: true,
  },
  {
    name: 'statement expressions and generic selection',
    text: utf8(
      `#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })\nint f(int n) { int w = 3, v = MAX(n, w); v += _Generic(n, int: ({ int q = 0; for (; q < n;) q++; q; }), default: 1); return v; }\n`,
    ),
    probes: true,
  },
  {
    name: 'attributes',
    text: utf8(
      `static inline int tiny(int n) __attribute__((always_inline));\nstatic inline int tiny(int n) { while (n) n--; return n; }\n__attribute__((noinline, used)) static int f(int n) { while (n) n--; return tiny(n); }\nint g(int n) __attribute__((no_instrument_function));\nint g(int n) { while (n) n--; return f(n); }\nvoid __attribute__((noreturn)) h(int n) { for (;;) n = g(n); }\nstruct __attribute__((packed)) q { char c; int i; } k(int n) { struct q r = { 1, 2 }; while (n) n--; return r; }\n`,
    ),
    probes: true,
  },
  {
    name: 'labels that come first',
    text: utf8(`int f(int n) { __label__ out; for (;;) if (n-- < 0) goto out; out: return n; }\n`),
    probes: false,
  },
  {
    name: 'macros that make several functions on one line',
    text: utf8(
      `#define PAIR(name) static int name##_a(int n) { while (n) n--; return n; } int name##_b(int n) { int i, s = 0; ${loop} return name##_a(s); }\nPAIR(one) PAIR(two)\nPAIR(three)\n#define BEGIN {\n#define END }\nint f(int n) BEGIN while (n) n--; return n; END\n`,
    ),
    probes: true,
  },
  {
    name: 'pragmas',
    text: utf8(
      `#define OMP(x) _Pragma(#x)\n#pragma GCC diagnostic push\nint f(int n) { int i, s = 0;\nOMP(omp parallel for reduction(+:s))\n${loop}\n#pragma omp barrier\nreturn s; }\n#pragma GCC diagnostic pop\n`,
    ),
    probes: true,
    options: ['-fopenmp'],
  },
  {
    name: 'CRLF, and no newline at the end',
    text: utf8(
      `int f(int n)\r\n{\r\n  while (n) n--;\r\n  return n;\r\n}\r\nint g(int n) { while (n) n--; return n; }`,
    ),
    probes: true,
  },
  {
    name: 'letters of all kinds',
    text: utf8(
      `const char *t = "流 ü 🙂"; int größe(int n) { const char *u = "ü🙂"; while (n) n -= *u; return n; } int g(int n) { while (n) n--; return n; }\n`,
    ),
    probes: true,
  },
  {
    name: 'Latin-1',
    text: Buffer.from(
      '/* \xe4 */ const char *t = "\xe4"; int f(int n) { while (n) n--; return n; }\n',
      'latin1',
    ),
    probes: true,
  },
  {
    name: 'comments that stay',
    text: utf8(
      `/* int no(void) { */ int f(int n) /* { */ { // }\n  while (n) n--; /* always_inline } */ return n; }\n`,
    ),
    probes: true,
    options: ['-C'],
  },
  {
    name: 'what the grammar does not know',
    text: utf8(
      `int f(int n) { switch (n) { case 2 ... 4: n--; } while (n) n--; return n; }\nint g(int n) { static const void *to[] = { &&a, &&b }; goto *to[n]; a: while (n) n--; b: return n; }\n`,
    ),
    probes: true,
    grammar: false,
  },
  {
    name: 'nothing to probe',
    text: utf8('int x = 1;\nint f(void) { return x; }\ntypedef struct { int a; } t;\nextern int g(t);\n'),
    probes: true,
  },
];
