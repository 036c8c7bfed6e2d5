import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readObject } from '../../src/measurement/symbols/readObject';
import { WrapperTrial } from './wrappersTool';

let trial: WrapperTrial;
beforeAll(() => {
  trial = new WrapperTrial();
});
afterAll(() => trial.close());

const shared = `
struct Small { int v; __attribute__((noinline)) int twice(int x) { return x * 2 + v; } };
template <class T> __attribute__((noinline)) T third(T x) { return x / 3; }
struct Long { int v; __attribute__((noinline)) int sum(int x) { int s = 0; for (int i = 0; i < x; i++) s += i * v; return s; } };
`;

/** Inline functions and templates of which two units have a copy each; the linker takes one of them. */
describe('C++ units that share code', () => {
  it.each(['-O0', '-O2', '-O2 -ffunction-sections -Wl,--gc-sections', '-O2 -static', '-O2 -no-pie -fno-pie'])(
    'link in every order, and all functions keep their sites: %s',
    async (options) => {
      const flags = options.split(' ');
      trial.write('shared.h', shared);
      trial.write(
        'a.cc',
        '#include "shared.h"\nint a(int x) { Small s{x}; Long l{x}; return s.twice(x) + l.sum(x) + third(x); }\n',
      );
      trial.write(
        'b.cc',
        '#include "shared.h"\nint a(int);\nstruct Own { int v; __attribute__((noinline)) int of(int x) { return x - v; } };\n' +
          'int main(int c, char **) { Own o{c}; Small s{c}; Long l{c}; return o.of(c) + s.twice(c) + l.sum(c) + third(c) + a(c) - 6; }\n',
      );
      for (const unit of ['a', 'b'])
        expect(trial.run(trial.wrapper('cxx'), [...flags, '-c', `${unit}.cc`])).toMatchObject({ status: 0 });
      for (const order of [
        ['a.o', 'b.o'],
        ['b.o', 'a.o'],
      ]) {
        const made = trial.run(trial.wrapper('cxx'), [...flags, ...order, '-o', 'prog']);
        expect(made).toEqual({ status: 0, stdout: '', stderr: '' });
        expect(trial.run(trial.file('prog'), [])).toMatchObject({ status: 0 });
        const { functions, entries, sleds } = await readObject(trial.file('prog'));
        const nameAt = (at = -1): string | undefined => functions[at]?.simpleName.replace(/<.*/, '');
        const withEntry = new Set(entries.map((entry) => nameAt(entry.function)));
        const withProbes = new Set(sleds.map(({ chain }) => nameAt(chain[0])));
        for (const name of ['a', 'main', 'of', 'twice', 'third']) expect(withEntry).toContain(name);
        expect(withProbes).toEqual(new Set(['sum']));
        expect(withEntry).not.toContain('sum');
      }
    },
  );
});
