import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import type { StoredRow } from '../../src/workflows/studies/functionsFile';
import { kymo } from '../refineProgram';

const sources = {
  'prog.c': `#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) double hot(int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += 1.0 / (1 + i % 97);
  return sum;
}
__attribute__((noinline)) double cold(int n) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += n % (i + 2);
  return sum;
}
int main(void) {
  double sum = 0;
  for (int i = 0; i < 2000; ++i) sum += hot(40000) + cold(i);
  printf("%g\\n", sum);
  return 0;
}
`,
  Makefile: `prog: prog.c
\t$(CC) -O2 -g prog.c -o prog
clean:
\trm -f prog
`,
  'kymo.json': JSON.stringify({
    version: 1,
    targets: [
      {
        name: 'prog',
        build: { command: 'make CC=${cc}', clean: 'make clean' },
        executable: 'prog',
        repetitions: 1,
        refinement: { maximumIterations: 3 },
      },
    ],
  }),
};

describe('pins', () => {
  let workspace: string;
  beforeAll(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo-pins-'));
    for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(workspace, name), text);
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  const run = (...args: readonly string[]): unknown => kymo([...args, '--workspace', workspace]);
  const refined = (): ReadonlyMap<string, StoredRow> => {
    const { directory } = run('refine') as RefineResult;
    const text = readFileSync(path.join(directory, 'functions.json'), 'utf8');
    const { functions } = JSON.parse(text) as { readonly functions: readonly StoredRow[] };
    return new Map(functions.map((one) => [one.name, one]));
  };

  it('keep a hot function out, and a cold one in, from the next refinement on; undone, the refinement decides again', () => {
    const before = refined();
    expect(before.get('hot')?.selected).toBe(true);

    expect(run('pin', 'hot', '--out')).toMatchObject({
      message: 'Excluded hot: it will be left out from the next round on.',
    });
    run('pin', 'cold', '--in');
    const pinned = refined();
    expect(pinned.get('hot')).toMatchObject({ selected: false, reason: 'out: excluded by the user' });
    expect(pinned.get('cold')).toMatchObject({ selected: true });
    expect(pinned.get('cold')?.reason).toMatch(/^in: pinned by the user/);

    run('pin', '--undo');
    run('pin', '--undo');
    expect(run('pins')).toMatchObject({ pins: [] });
    const after = refined();
    expect(after.get('hot')?.selected).toBe(true);
    expect(after.get('cold')?.reason).not.toContain('pinned');
  });
});
