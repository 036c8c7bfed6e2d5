/** What wrapped compilers leave for the measurement: fragments of the call graph, and linked programs with the runtime. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WrapperTrial } from './wrappersTool';

let trial: WrapperTrial;
beforeAll(() => {
  trial = new WrapperTrial();
  // The first unit of a compiler makes the inserter; only later units of the same text have the same hash.
  trial.write('first.c', loop);
  expect(cc('-c', 'first.c')).toEqual(clean);
});
afterAll(() => trial.close());
beforeEach(() => trial.forget());

const cc = (...argumentList: string[]) => trial.run(trial.wrapper('cc'), argumentList);
const clean = { status: 0, stdout: '', stderr: '' };
const loop = 'int f(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }\n';

describe('fragments', () => {
  it('are the same for the same unit, and another for another', () => {
    trial.write('u.c', loop);
    cc('-O2', '-c', 'u.c');
    const [first] = trial.units();
    cc('-O2', '-c', 'u.c', '-o', 'elsewhere.o');
    expect(trial.units()).toEqual([first]);
    cc('-O2', '-Wall', '-DX', '-c', 'u.c', '-MD');
    cc('-O1', '-c', 'u.c');
    expect(trial.units().length).toBeGreaterThan(1);
    expect(first).toMatchObject({ kymoUnit: 1, source: trial.file('u.c'), language: 'c', parsed: true });
    expect(first?.functions.map(({ name, probe }) => ({ name, probe }))).toEqual([
      { name: 'f', probe: true },
    ]);
    // What the parser knows of calls in C is all there is to know; of C++ the compiler is asked.
    expect(first?.compiler).toBeUndefined();
    expect(trial.run('readelf', ['-x', '.kymo.units', 'u.o']).status).toBe(0);
  });
  it('hold the compiler’s own calls in C++', () => {
    trial.write(
      'u.cc',
      'struct A { A(); }; void g(int); void g(double);\nint f() { A a; g(1.0); return 0; }\n',
    );
    expect(trial.run(trial.wrapper('cxx'), ['-O2', '-c', 'u.cc'])).toEqual(clean);
    const f = trial.units()[0]?.compiler?.functions.find(({ mangledName }) => mangledName === '_Z1fv');
    expect(f?.callees).toEqual(expect.arrayContaining(['_ZN1AC1Ev', '_Z1gd']));
  });
  it('KYMO_PROBES=off keeps the fragment and the entries', () => {
    trial.write('u.c', loop);
    expect(trial.run(trial.wrapper('cc'), ['-c', 'u.c'], { KYMO_PROBES: 'off' })).toEqual(clean);
    expect(trial.sleds('u.o')).toBe(0);
    expect(trial.units()[0]?.functions[0]?.probe).toBe(false);
  });
  it('KYMO_MINIMUM_STATEMENTS moves the border', () => {
    trial.write('few.c', 'int f(int n) { n++; n++; n++; return n; }\n'); // without a loop it takes twice as many
    const sledsWith = (minimum: string): number => {
      trial.run(trial.wrapper('cc'), ['-c', 'few.c'], { KYMO_MINIMUM_STATEMENTS: minimum });
      return trial.sleds('few.o');
    };
    expect(['10', '3', '2'].map(sledsWith)).toEqual([0, 0, 2]);
  });
});

describe('links', () => {
  it('of objects into a program need no Node.js after the first one', () => {
    trial.write('main.c', 'int main(void) { return 3; }\n');
    expect(cc('-O2', '-c', 'main.c')).toEqual(clean);
    expect(cc('-O2', 'main.o', '-o', 'first')).toEqual(clean);
    const second = trial.run(trial.wrapper('cc'), ['-O2', 'main.o', '-o', 'second'], {
      KYMO_NODE: '/no/node',
    });
    expect(second).toEqual(clean);
    expect(trial.run('cmp', ['first', 'second']).status).toBe(0);
  });
  it('executables and shared libraries carry a build id and the registration, and run as before', () => {
    trial.write('lib.c', loop);
    trial.write(
      'main.c',
      '#include <stdio.h>\nint f(int);\nint main(void) { printf("%d\\n", f(10)); return 3; }\n',
    );
    expect(cc('-O2', '-fPIC', '-shared', 'lib.c', '-o', 'libf.so')).toEqual(clean);
    expect(cc('-O2', 'main.c', '-L.', '-lf', '-Wl,-rpath,$ORIGIN', '-o', 'main')).toEqual(clean);
    expect(cc('-O2', '-static', 'main.c', 'lib.c', '-o', 'static')).toEqual(clean);
    expect(cc('-O2', '-no-pie', '-s', 'main.c', 'lib.c', '-o', 'fixed')).toEqual(clean);
    for (const program of ['main', 'static', 'fixed']) {
      expect(trial.run(trial.file(program), [])).toEqual({ status: 3, stdout: '45\n', stderr: '' });
      expect(trial.run('readelf', ['-n', program]).stdout).toContain('Build ID');
      expect(trial.run('nm', [program]).stdout).toContain('kymo');
    }
    expect(trial.run('readelf', ['-n', 'libf.so']).stdout).toContain('Build ID');
    expect(trial.run('nm', ['libf.so']).stdout).toMatch(/kymo_attach/);
  });
  it('a link that fails shows the linker’s own message once', () => {
    trial.write('undefined.c', 'int nowhere(void);\nint main(void) { return nowhere(); }\n');
    const made = cc('undefined.c', '-o', 'x');
    expect(made.status).toBe(1);
    expect(made.stderr.match(/undefined reference to .nowhere/g)).toHaveLength(1);
  });
  it('make -j builds the library once', () => {
    for (let at = 0; at < 4; at++) trial.write(`j${String(at)}.c`, 'int main(void) { return 0; }\n');
    trial.write('Makefile', 'all: j0 j1 j2 j3\n%: %.c\n\t$(CC) -O1 $< -o $@\n');
    const cache = trial.file('fresh-cache');
    const made = trial.run('make', ['-s', '-j2', `CC=${trial.wrapper('cc')}`], { XDG_CACHE_HOME: cache });
    expect(made).toEqual(clean);
    expect(trial.run('sh', ['-c', 'ls fresh-cache/kymo/runtime | wc -l']).stdout.trim()).toBe('1');
    expect(trial.run('sh', ['-c', 'ls -d /tmp/kymo-?????? 2>/dev/null | wc -l']).status).toBe(0);
  });
});
