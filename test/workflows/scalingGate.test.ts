import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GateReport } from '../../src/core/gate/report';

const built = existsSync(path.resolve('dist/wrapper.js'));
let workspace = '';

/** `visit` takes so many steps for each of n elements. */
const program = (steps: string): string => `#include <stdio.h>
#include <stdlib.h>
typedef unsigned long word;
__attribute__((noinline)) word fill(long n) { word s = 1; for (long i = 0; i < n * 20; i++) s = s * 6364136223846793005u + 1442695040888963407u; return s; }
__attribute__((noinline)) word visit(long n) { word s = 0; for (long i = 0; i < n; i++) for (${steps}) { s += (s ^ (word)k) * 31 + i; s ^= s >> 7; } return s; }
int main(int argc, char **argv) {
  word s = argc;
  for (int t = 0; t < 20; t++) { s += fill(atol(argv[1])); s += visit(atol(argv[1])); }
  printf("%lx\\n", s);
  return 0;
}
`;
const target = {
  ...{ name: 'scale', executable: 'scale', run: { arguments: ['${n}'] } },
  build: { command: '${cc} -O1 -g -o scale main.c', clean: 'rm -f scale' },
  parameters: { n: [10_000] },
  study: { parameters: { n: [20_000, 40_000, 80_000, 160_000, 320_000] }, repetitions: 3 },
};

function kymo(...words: readonly string[]): { readonly status: number | null; readonly result: unknown } {
  const { status, stdout } = spawnSync(process.execPath, [path.resolve('dist/cli.js'), ...words, '--json'], {
    cwd: workspace,
    encoding: 'utf8',
  });
  return { status, result: JSON.parse(stdout) };
}

function studied(steps: string): string {
  writeFileSync(path.join(workspace, 'main.c'), program(steps));
  const { result } = kymo('study', '--filter', 'all.txt');
  return (result as { readonly directory: string }).directory;
}

beforeAll(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo scaling ü '));
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
  writeFileSync(path.join(workspace, 'all.txt'), 'fill\nvisit\nmain\n');
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe.skipIf(!built)('kymo gate of two studies', () => {
  it('names the function that grows faster from five sizes, and no other one; a study does not differ from itself', () => {
    const linear = studied('long k = 0; k < 16; k++');
    const faster = studied('long k = 0; k < n / 4000; k++');
    const { status, result } = kymo('gate', '--baseline', linear, '--candidate', faster);
    const { entries } = result as GateReport;
    expect([
      status,
      entries.filter(({ verdict }) => verdict === 'regression').map(({ name }) => name),
    ]).toEqual([3, ['visit']]);
    expect(entries[0]).toMatchObject({
      ...{ criterion: 'scaling', growth: { candidate: expect.stringContaining('n²') as string } },
      place: { file: path.join(workspace, 'main.c'), line: 5 },
      sentence: expect.stringMatching(/^visit grows faster \(\d.* certain\): .* → .*n²/) as string,
    });
    expect(kymo('gate', '--baseline', linear, '--candidate', linear)).toMatchObject({
      status: 4,
      result: {
        verdict: 'cannot-tell',
        incomparable: [expect.stringContaining('does not differ from itself')],
      },
    });
  });
});
