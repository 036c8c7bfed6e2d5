import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readObject } from '../../../src/measurement/symbols/readObject';
import { has, run, scratch, sites } from './build';

const folder = scratch();

/** The first unit has a function whose place is only in the line table: the one that initialises its global variable. Other tables follow. */
const units = ['one', 'two', 'three'].map((name, number) => {
  const file = path.join(folder, `${name}.cc`);
  const kernel = `__attribute__((noinline)) double ${name}(int n) { double s = 0; for (int i = 0; i < n; i++) sink = s += i; return s; }`;
  const lines = ['extern volatile double sink;', 'extern double one(int), two(int), three(int);', kernel];
  const main = ['volatile double sink = one(9);', 'int main() { return one(3) + two(4) + three(5) > 1e9; }'];
  writeFileSync(file, [...lines, ...(number === 0 ? main : []), ''].join('\n'));
  return file;
});

/** Forms of debug information that compilers and linkers write; the test asks a toolchain which forms it supports. */
const forms = [
  '-gdwarf-3',
  '-gdwarf-5 -gdwarf64 -gz=zlib',
  '-gdwarf-4 -fdebug-types-section -gz=zlib-gnu',
  '-flto',
  '-flto -gdwarf-4 -g3 -gz=zlib',
];

async function placesOf(compiler: string, options: readonly string[]): Promise<unknown> {
  const program = path.join(folder, `${compiler}${options.join('')}`.replace(/\W/g, '_'));
  run(compiler, '-O1', ...sites, ...options, ...units, '-o', program);
  const { functions, problems } = await readObject(program);
  const own = functions.filter(({ mangledName }) =>
    /(?:one|two|three)i$|^main$|^_GLOBAL__sub_I/.test(mangledName),
  );
  return {
    problems,
    places: own.map(({ name, file, line }) => `${name} ${path.basename(file ?? '')}:${String(line)}`).sort(),
  };
}

describe.each(['g++', 'clang++-19'].filter(has))('debug information of %s', (compiler) => {
  it('is read in every form, including optimised links of several units', async () => {
    const plain = await placesOf(compiler, []);
    expect(plain).toMatchObject({ problems: [] });
    let known = 0;
    for (const form of forms) {
      const found = await placesOf(compiler, form.split(' ')).catch((error: unknown) => {
        if (error instanceof Error && error.message.startsWith('Command failed')) return undefined;
        throw error;
      });
      if (found === undefined) continue;
      known++;
      expect(found, form).toEqual(plain);
    }
    expect(known).toBeGreaterThan(2);
  });
});
