import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredRow } from '../../src/workflows/studies/functionsFile';
import { kymo, refineProgram } from '../refineProgram';

/** Five million visits of a function that takes nearly all of the time, and that nothing can time within the target. */
const rounds = 320;
const length = 16384;
const sources = {
  // Independent chains keep the processor's units busy: nothing is left to hide the cost of recording in.
  'step.c': `unsigned step(unsigned x) {
  unsigned a = x, b = x + 1, c = x + 2, d = x + 3;
  for (int i = 0; i < 300; ++i) {
    a ^= a << 7, b ^= b >> 3, c ^= c << 5, d ^= d >> 9;
    a += 11, b += 13, c += 17, d += 19;
  }
  return a ^ b ^ c ^ d;
}
`,
  'main.c': `#include <stdio.h>
#include <stdlib.h>
unsigned step(unsigned x);
static void fill(unsigned *values, unsigned count) {
  for (unsigned i = 0; i < count; ++i) values[i] = step(i);
}
int main(void) {
  unsigned *values = malloc(sizeof(unsigned) * ${length}), sum = 0;
  for (int i = 0; i < ${rounds}; ++i) {
    fill(values, ${length});
    sum += values[i];
  }
  printf("%u\\n", sum);
  free(values);
  return 0;
}
`,
  Makefile: `prog: main.o step.o
\t$(CC) main.o step.o -o prog
%.o: %.c
\t$(CC) -O2 -g -c $< -o $@
clean:
\trm -f *.o prog
`,
};

/** One function takes nearly all of the time, in as few visits as hundreds of small ones have. */
const small = 300;
const manySource = `#include <stdio.h>
${Array.from({ length: small }, (_, at) => `static int part${at}(int n) { int x = n; for (int i = 0; i < 3; ++i) x += (n + i) % ${at + 2}; return x; }`).join('\n')}
__attribute__((noinline)) static double sweep(int n) { double x = n; for (int i = 0; i < 40000; ++i) x = x * 0.5 + i; return x; }
static int (*const parts[])(int) = {${Array.from({ length: small }, (_, at) => `part${at}`).join(', ')}};
int main(void) {
  double sum = 0;
  for (int n = 0; n < 2000; ++n) {
    sum += sweep(n);
    for (int at = 0; at < ${small}; ++at) sum += parts[at](n);
  }
  printf("%g\\n", sum);
  return 0;
}
`;

describe('a function that takes nearly all of the time, among hundreds that are called as often', () => {
  const workspace = mkdtempSync(path.join(tmpdir(), 'kymo-few-visits-'));
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  it('is recorded in the end, and little else', () => {
    writeFileSync(path.join(workspace, 'many.c'), manySource);
    const result = refineProgram(workspace, {
      name: 'many',
      build: { command: '${cc} -O2 -g -o many many.c', clean: 'rm -f many' },
      executable: 'many',
      run: { arguments: [] },
      // On a busy machine a visit costs more, and what was only counted is timed in several rounds.
      refinement: { maximumIterations: 6 },
      repetitions: 1,
    });
    expect(result.iterations[0]?.instrumented).toBeGreaterThan(small);
    expect(result.hotFunctions[0]).toMatchObject({ name: 'sweep', selected: true, visits: 2000 });
    expect(result.hotFunctions[0]?.exclusiveShare).toBeGreaterThan(0.7);
    expect(result.iterations.at(-1)?.instrumented).toBeLessThan(10);
  });
});

describe('a hot function that is too small to be timed at every visit', () => {
  let workspace: string;
  beforeAll(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo-sampled-'));
    for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(workspace, name), text);
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  it('is counted at each and timed at some, within the overhead target', () => {
    const result = refineProgram(workspace, {
      name: 'prog',
      build: { command: 'make CC=${cc}', clean: 'make clean' },
      executable: 'prog',
      run: { arguments: [] },
      repetitions: 1,
    });
    const last = result.iterations.at(-1);
    const step = result.hotFunctions.find((f) => f.name === 'step');
    expect(step).toMatchObject({ selected: true, visits: rounds * length });
    expect(step?.exclusiveShare).toBeGreaterThan(0.05);
    // On a machine so slow that timing all visits is within the target, nothing has to be sampled.
    const inFull = (100 * rounds * length * 15e-9) / (last?.baselineSeconds ?? 1);
    if (inFull < 6) return;
    expect(step?.timedOneIn).toBeGreaterThanOrEqual(16);
    expect(last?.visits).toBeGreaterThan(rounds * length);
    expect(last?.timedVisits).toBeLessThan((rounds * length) / 8);

    const { functions } = JSON.parse(readFileSync(path.join(result.directory, 'functions.json'), 'utf8')) as {
      functions: readonly StoredRow[];
    };
    const predicted = functions
      .filter((f) => f.selected)
      .reduce((sum, f) => sum + (f.overheadPercent ?? 0), 0);
    expect(predicted).toBeLessThanOrEqual(5);
    expect(functions.find((f) => f.name === 'step')?.reason).toMatch(/: 1 in \d+ visits is timed\)$/);

    const hot = result.properties.find((p) => p.kind === 'hot-spot' && p.region?.name === 'step');
    expect(hot?.title).toMatch(/\(estimated from 1 of \d+ visits\)$/);
    const { properties } = kymo(['properties', result.directory]) as { properties: { title: string }[] };
    expect(properties.some((p) => p.title.includes('estimated from 1 of'))).toBe(true);
  });
});
