import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readObject } from '../../src/measurement/symbols/readObject';
import { WrapperTrial } from './wrappersTool';
import { cPrograms, cxxPrograms, type TrialProgram } from './wrappersPrograms';
import { onlyInFull } from '../volume';

let trial: WrapperTrial;
beforeAll(() => {
  trial = new WrapperTrial();
});
afterAll(() => trial.close());
beforeEach(() => trial.forget());

const families = [
  { family: 'gcc', cc: 'gcc', cxx: 'g++' },
  { family: 'clang', cc: 'clang-19', cxx: 'clang++-19' },
] as const;
const levels = ['-O0', '-O2', ...onlyInFull(['-O3'])];

const cc = (...argumentList: string[]) => trial.run(trial.wrapper('cc'), argumentList);
const clean = { status: 0, stdout: '', stderr: '' };

describe.each(families)(
  '$family: programs do what they do in a plain build',
  ({ cc: plainCc, cxx: plainCxx }) => {
    const environment = { KYMO_CC: plainCc, KYMO_CXX: plainCxx };
    const all: (TrialProgram & { kind: 'cc' | 'cxx'; suffix: string; plain: string })[] = [
      ...cPrograms.map((one) => ({ ...one, kind: 'cc' as const, suffix: 'c', plain: plainCc })),
      ...cxxPrograms.map((one) => ({ ...one, kind: 'cxx' as const, suffix: 'cc', plain: plainCxx })),
    ].filter(({ only }) => only === undefined || plainCc.startsWith(only));
    it.each(all)('$name', ({ name, kind, suffix, plain, text, options = [], sleds = 2 }) => {
      const source = `${name.replace(/\W+/g, '_')}.${suffix}`;
      trial.write(source, text);
      for (const level of levels) {
        const expected = trial.run(plain, [...options, level, source, '-o', 'plain']);
        expect(expected.status, expected.stderr).toBe(0);
        const made = trial.run(
          trial.wrapper(kind),
          [...options, level, '-c', source, '-o', 'probed.o'],
          environment,
        );
        // No message that the plain compiler does not give, and none of ours.
        expect(made).toEqual(clean);
        expect(trial.sleds('probed.o')).toBeGreaterThanOrEqual(sleds);
        const linked = trial.run(plain, [...options, 'probed.o', '-o', 'probed']);
        expect(linked.status, linked.stderr).toBe(0);
        expect(trial.run(trial.file('probed'), [])).toEqual(trial.run(trial.file('plain'), []));
      }
    });
  },
);

const loop = 'int f(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }\n';

const body = '{ int s = 0; for (; n > 0; n--) s += n; return s; }';
const definitions = {
  'c.c': [
    `int plain(int n) ${body}`,
    `static int *pointer(int n) { static int s; for (; n > 0; n--) s += n; return &s; }`,
    `static int (*of_functions(int n))(int) { int s = 0; for (; n > 0; n--) s += n; return s > 0 ? plain : 0; }`,
    `int (in_brackets)(int n) { return *pointer(n) + (of_functions(n) != 0); }`,
    `int old_style(n) int n; ${body}`,
    `int declared(int n) __attribute__((cold)); int declared(int n) ${body}`,
    `static inline int in_line(int n) ${body} int user(int n) { return in_line(n); }`,
  ],
  'c.cc': [
    `struct A { int v; explicit A(int n) : v(0) { for (; n > 0; n--) v += n; } virtual ~A() { for (; v > 0; v--) v--; } operator bool() const { int n = v; ${body} } template <class T> int t(T n) ${body} int outside(int) const; static int one(int n) ${body} friend int near(int n) ${body} };`,
    `int A::outside(int n) const ${body}`,
    `template <class T> int of(T n) ${body} template <> int of<int>(int n) ${body}`,
    `auto late(int n) -> int ${body} extern "C" int plain(int n) ${body} namespace { int hidden(int n) ${body} }`,
    `[[gnu::cold]] int marked(int n) ${body} int lambda(int n) { return [](int n) ${body}(n); }`,
    `int near(int); int all() { A a(1); return a + a.t(2L) + a.outside(1) + A::one(2) + near(3) + of(1) + of(2L) + hidden(1); }`,
  ],
};

describe.each(families)(
  'of each definition either probes are recorded, or its entry: $family',
  ({ cc: plainCc, cxx: plainCxx }) => {
    it.each(Object.entries(definitions))('%s', async (source, lines) => {
      trial.write(source, `${lines.join('\n')}\n`);
      const kind = source.endsWith('.cc') ? 'cxx' : 'cc';
      const warnings = [
        '-Wall',
        '-Wextra',
        '-Wredundant-decls',
        '-Wno-unused-function',
        '-Wno-deprecated-non-prototype',
      ];
      const options = ['-O0', '-fPIC', ...(plainCc.startsWith('clang') ? warnings : warnings.slice(0, -1))];
      const made = trial.run(trial.wrapper(kind), [...options, '-c', source, '-o', 'c.o'], {
        KYMO_CC: plainCc,
        KYMO_CXX: plainCxx,
      });
      expect(made).toEqual(clean);
      expect(trial.run(trial.wrapper(kind), ['-shared', 'c.o', '-o', 'c.so'])).toMatchObject({ status: 0 });
      const { functions, entries, sleds } = await readObject(trial.file('c.so'));
      const nameAt = (at = -1): string => functions[at]?.name ?? '';
      const withEntry = new Set(entries.map((entry) => nameAt(entry.function)));
      const withProbes = new Set(sleds.map(({ chain }) => nameAt(chain[0])));
      const both = [...withProbes].filter((name) => withEntry.has(name));
      // Nothing may stand before `[[…]]`, nor before a lambda.
      expect(both.filter((name) => !/marked|lambda/.test(name))).toEqual([]);
      expect(withProbes.size).toBeGreaterThan(5);
    });
  },
);

describe('what a build system does passes through', () => {
  it('-c without -o, with -o, several sources', () => {
    trial.write('p/a.c', loop);
    trial.write('b.c', loop.replace('f', 'g'));
    expect(cc('-c', 'p/a.c', 'b.c')).toEqual(clean);
    expect([trial.sleds('a.o'), trial.sleds('b.o')]).toEqual([2, 2]);
    expect(cc('-c', 'p/a.c', '-oin p.o')).toEqual(clean);
    expect(trial.sleds('in p.o')).toBe(2);
  });
  it.each(families)('dependency files are the plain compiler’s: $family', ({ cc: plain }) => {
    trial.write('d/m.c', '#include "m.h"\n#include <stddef.h>\nint main(void) { return M; }\n');
    trial.write('d/m.h', '#define M 0\n');
    const cases = [
      ['-MD', '-c', 'd/m.c'],
      ['-MMD', '-MP', '-c', 'd/m.c', '-o', 'd/x.obj'],
      ['-MD', '-MF', 'f.dep', '-c', 'd/m.c', '-o', 'd/x.o'],
      ['-MMD', '-MT', 'a b', '-MFg.dep', '-c', 'd/m.c', '-o', 'x'],
      ['-MD', '-MQ', '$(x)', '-MF', 'h.dep', '-c', 'd/m.c', '-o', 'x.o'],
      ['-Wp,-MD,w.dep', '-c', 'd/m.c', '-o', 'd/x.o'],
      ['-MD', 'd/m.c', '-o', 'prog'],
    ];
    const files = ['m.d', 'd/x.d', 'f.dep', 'g.dep', 'h.dep', 'w.dep', 'prog.d', 'x.d'].map((name) =>
      trial.file(name),
    );
    const state = (): (string | undefined)[] =>
      files.map((file) => {
        const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
        rmSync(file, { force: true });
        return text;
      });
    for (const one of cases) {
      expect(trial.run(plain, one).status).toBe(0);
      const expected = state();
      expect(expected.some((text) => text !== undefined)).toBe(true);
      expect(trial.run(trial.wrapper('cc'), one, { KYMO_CC: plain })).toEqual(clean);
      expect(state(), one.join(' ')).toEqual(expected);
    }
  });
  it('questions are answered by the plain compiler', () => {
    trial.write('q.c', loop);
    for (const one of [
      ['--version'],
      ['-dumpmachine'],
      ['-dumpversion'],
      ['-print-search-dirs'],
      ['-print-prog-name=ld'],
      ['-v'],
      ['-E', 'q.c'],
      ['-S', 'q.c', '-o', '-'],
      ['-MM', 'q.c'],
      ['-fsyntax-only', 'q.c'],
      [],
    ]) {
      expect(cc(...one), one.join(' ')).toEqual(trial.run('gcc', one));
    }
    expect(trial.units()).toEqual([]);
  });
  it('standard input, and configure’s trials', () => {
    expect(trial.run(trial.wrapper('cc'), ['-c', '-x', 'c', '-', '-o', 'stdin.o'], {}, loop)).toEqual(clean);
    expect(existsSync(trial.file('stdin.o'))).toBe(true);
    trial.write('conftest.c', 'int main(void) { return 0; }\n');
    expect(cc('-o', 'conftest', 'conftest.c')).toEqual(clean);
    expect(trial.units()).toEqual([]);
  });
  it('KYMO_WRAPPER=off is the plain compiler, without Node', () => {
    trial.write('o.c', loop);
    expect(
      trial.run(trial.wrapper('cc'), ['-c', 'o.c'], { KYMO_WRAPPER: 'off', KYMO_NODE: '/nowhere' }),
    ).toEqual(clean);
    expect(trial.sleds('o.o')).toBe(0);
  });
  it('assembler, preprocessed sources, -x', () => {
    trial.write('s.s', '.globl s\ns: ret\n.section .note.GNU-stack\n');
    trial.write('t.S', '#define R ret\n.globl t\nt: R\n.section .note.GNU-stack\n');
    trial.write('i.i', `# 1 "i.c"\n${loop}`);
    trial.write('odd.txt', loop);
    expect(cc('-c', 's.s', 't.S')).toEqual(clean);
    expect(cc('-c', 'i.i')).toEqual(clean);
    expect(trial.sleds('i.o')).toBe(2);
    expect(cc('-c', '-x', 'c', 'odd.txt')).toEqual(clean);
    expect(trial.sleds('odd.o')).toBe(2);
  });
  it('response files, also with thousands of objects', () => {
    trial.write('r.c', loop);
    trial.write('args', '-c "r.c" -O2\n-o \'r s.o\' -DLONG="x y"');
    expect(cc('@args')).toEqual(clean);
    expect(trial.sleds('r s.o')).toBe(2);
    const defines = Array.from({ length: 3000 }, (_, at) => `-DNAME_${String(at)}=${'x'.repeat(20)}`).join(
      '\n',
    );
    trial.write('long', `${defines}\n-c r.c -o long.o`);
    expect(cc('@long')).toEqual(clean);
    expect(trial.sleds('long.o')).toBe(2);
  });
  it('-r and archives get nothing added', () => {
    trial.write('l.c', loop);
    cc('-c', 'l.c');
    expect(cc('-r', '-nostdlib', 'l.o', '-o', 'whole.o')).toEqual(clean);
    expect(trial.run('ar', ['rcs', 'libl.a', 'l.o']).status).toBe(0);
    expect(trial.run('nm', ['whole.o']).stdout).not.toContain('kymo_attach');
    expect(trial.sleds('whole.o')).toBe(2);
  });
  it('-nostdlib -ffreestanding', () => {
    trial.write(
      'free.c',
      'void _start(void) { for (;;) { __asm__ volatile("mov $60,%eax; xor %edi,%edi; syscall"); } }\n',
    );
    expect(cc('-ffreestanding', '-nostdlib', '-static', 'free.c', '-o', 'free')).toEqual(clean);
    expect(trial.run(trial.file('free'), []).status).toBe(0);
  });
  it('-save-temps leaves the compiler’s own files', () => {
    trial.write('k.c', loop);
    const made = cc('-save-temps', '-c', 'k.c');
    expect(made.status).toBe(0);
    expect(made.stderr).toMatch(/^kymo: -save-temps .*\n$/);
    expect(existsSync(trial.file('k.i')) && existsSync(trial.file('k.s'))).toBe(true);
  });
  it('side files have the names of a plain build', () => {
    trial.write('cov.c', `${loop}int main(void) { return f(0); }\n`);
    expect(cc('--coverage', '-fstack-usage', '-c', 'cov.c', '-o', 'sub.o')).toEqual(clean);
    expect(existsSync(trial.file('sub.gcno')) && existsSync(trial.file('sub.su'))).toBe(true);
    for (const file of ['sub.gcno', 'sub.su']) rmSync(trial.file(file));
  });
  // Several units and one, and the names that programs have.
  it.each([
    ['a.out', ['cov.c', 'two.c']],
    ['sub dir/x.exe', ['cov.c', 'two.c']],
    ['alone', ['alone.c']],
  ])(
    'side files of one command that compiles and links have the names of a plain build: %s',
    (program, sources) => {
      const main = 'int main(void) { return f(0); }\n';
      trial.write('cov.c', `int f(int);\n${main}`);
      trial.write('two.c', loop);
      trial.write('alone.c', `${loop}${main}`);
      mkdirSync(trial.file('sub dir'), { recursive: true });
      const left = (compiler: string): readonly string[] => {
        const options = ['-O1', '-fprofile-generate', '-ftest-coverage', '-fstack-usage', '-gsplit-dwarf'];
        const output = program === 'a.out' ? [] : ['-o', program];
        expect(trial.run(compiler, [...options, ...output, ...sources])).toEqual(clean);
        expect(trial.run(trial.file(program), []).status).toBe(0);
        const side = readdirSync(trial.folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.(gcno|gcda|su)$/.test(file))
          .sort();
        for (const file of side) rmSync(trial.file(file));
        return side;
      };
      const plain = left('gcc');
      expect(left(trial.wrapper('cc'))).toEqual(plain);
      expect(
        trial.run(trial.wrapper('cc'), ['-O1', '-fprofile-use', '-Wno-missing-profile', ...sources]),
      ).toEqual(clean);
      expect(trial.sleds('a.out')).toBe(2);
    },
  );
  it('Fortran gets entries', () => {
    trial.write('f.f90', 'subroutine s(n)\n integer :: n\n n = n + 1\nend subroutine\n');
    expect(trial.run(trial.wrapper('fc'), ['-O2', '-c', 'f.f90'])).toEqual(clean);
    expect(trial.run('readelf', ['-SW', 'f.o']).stdout).toContain('__patchable_function_entries');
    expect(trial.run('readelf', ['-SW', 'f.o']).stdout).toContain('.debug_line');
  });
  it('-flto, -g0, Latin-1 and CRLF sources, a unit without functions', () => {
    trial.write('lto.c', `${loop}int main(void) { return f(0); }\n`);
    expect(cc('-O2', '-flto', '-c', 'lto.c')).toEqual(clean);
    expect(trial.run('gcc', ['-O2', '-flto', 'lto.o', '-o', 'lto'])).toEqual(clean);
    expect(trial.sleds('lto')).toBeGreaterThanOrEqual(2);
    writeFileSync(
      trial.file('latin.c'),
      Buffer.from(`/* \xe4 */\r\nconst char *t = "\xe4";\r\n${loop}`, 'latin1'),
    );
    expect(cc('-c', 'latin.c')).toEqual(clean);
    expect(readFileSync(trial.file('latin.o')).includes(Buffer.from([0xe4, 0]))).toBe(true);
    trial.write('empty.c', '');
    expect(cc('-c', 'empty.c')).toEqual(clean);
  });
});

describe('when something is wrong', () => {
  it('a source with errors: the compiler’s own messages, once, with its status', () => {
    trial.write('bad.c', 'int f(void) {\n  return nothing;\n}\n#warning once\n');
    expect(cc('-c', 'bad.c')).toEqual(trial.run('gcc', ['-c', 'bad.c']));
    trial.write('missing.c', '#include "nowhere.h"\n');
    expect(cc('-c', 'missing.c')).toEqual(trial.run('gcc', ['-c', 'missing.c']));
    expect(cc('-c', 'no such file.c')).toEqual(trial.run('gcc', ['-c', 'no such file.c']));
    expect(cc('--no-such-option', '-c', 'bad.c')).toEqual(
      trial.run('gcc', ['--no-such-option', '-c', 'bad.c']),
    );
  });
  it('warnings keep file, line and column', () => {
    trial.write(
      'warn.c',
      `${loop}int g(int a)\n{ int unused; for (;a > 0;) { unsigned u = 0; if (a < u) a--; } }\n`,
    );
    const place = (text: string) =>
      [...text.matchAll(/^warn\.c:\d+:\d+: warning: .*$/gm)].map(([line]) => line);
    const expected = place(trial.run('gcc', ['-Wall', '-Wextra', '-c', 'warn.c']).stderr);
    expect(expected.length).toBeGreaterThan(2);
    expect(place(cc('-Wall', '-Wextra', '-c', 'warn.c').stderr)).toEqual(expected);
  });
  it('what is only a warning in preprocessed text does not stop a -Werror build, and keeps its probes', () => {
    trial.write(
      'strict.c',
      `#define SAME(x) ((x) == (x))\nint h(int n) { int i, s = 0; for (i = 0; i < n; i++) if (SAME(i)) s++; return s; }\nint sw(int n) { switch (n) { case 1: n++; /* fall through */ case 2: n++; } return n; }\n`,
    );
    const made = cc('-Wall', '-Wextra', '-Werror', '-c', 'strict.c');
    expect(made).toEqual(clean);
    expect(trial.sleds('strict.o')).toBeGreaterThanOrEqual(2);
  });
  it('code that takes no probe is compiled without, and that is said', () => {
    trial.write('general.c', `__attribute__((target("general-regs-only"))) ${loop}`);
    const made = cc('-c', 'general.c');
    expect(made.status).toBe(0);
    if (trial.sleds('general.o') === 0) expect(made.stderr).toMatch(/^kymo: general\.c: /);
  });
  it.each([
    ['Node is missing', { KYMO_NODE: '/nowhere/node', XDG_CACHE_HOME: '/nowhere' }, /no Node\.js at/],
    ['Node fails', { KYMO_NODE: '/bin/false', XDG_CACHE_HOME: '/nowhere' }, /ended with status/],
    ['the store cannot be written', { KYMO_STORE: '/proc/nowhere' }, /cannot be kept/],
  ])('%s: the build goes on, one line says so', (_, extra, message) => {
    trial.write('go.c', loop);
    rmSync(trial.file('go.o'), { force: true });
    const made = trial.run(trial.wrapper('cc'), ['-c', 'go.c'], extra);
    expect(made.status).toBe(0);
    expect(made.stderr).toMatch(message);
    expect(made.stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(trial.file('go.o'))).toBe(true);
  });
  it('the wrapper as its own compiler is refused, not an endless chain', () => {
    const made = trial.run(trial.wrapper('cc'), ['-c', 'go.c'], { KYMO_CC: trial.wrapper('cc') });
    expect(made.status).toBe(1);
    expect(made.stderr).toContain('must name the plain compilers');
  });
});
