import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Experiment } from '../../src/core/profile/experiment';
import { refine } from '../../src/workflows/refine';
import type { RefineResult } from '../../src/workflows/studies/refine.types';

/** Computes, and does at its begin what `BEGIN` says. */
const source = `#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) static double step(int n) { double x = 1; for (int i = 0; i < n; i++) { x = x * 0.999 + i; x -= 1 / x; if (x > 9) x = 1; } return x; }
int main(void) {
  double x = 0;
  BEGIN
  for (int i = 0; i < 300; i++) x += step(100000);
  printf("%g\\n", x);
  END
  return 0;
}
`;

let workspace = '';
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

async function refined(begin: string, end: string, run: object): Promise<RefineResult> {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo together-'));
  writeFileSync(path.join(workspace, 'main.c'), source.replace('BEGIN', begin).replace('END', end));
  const build = { command: '${cc} -O2 -g -o program main.c', clean: 'rm -f program' };
  const targets = [{ name: 'it', build, executable: 'program', run }];
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
  return refine({ workspace, signal: new AbortController().signal });
}

/** Of all runs of the study, in the order of their starts. */
function experiments(directory: string): Experiment[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'experiment.json' && !file.startsWith('vanilla'))
    .map((file) => JSON.parse(readFileSync(path.join(directory, file), 'utf8')) as Experiment)
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt));
}

describe('runs with and without recording', () => {
  it('take turns on one processor where the program leaves no trace', async () => {
    const { directory, iterations, notes } = await refined('', '', {});
    const all = experiments(directory);
    expect(all[0]?.variant).toBe('baseline');
    expect(all[0]?.processor).toBeUndefined();
    // The file system may note in a first run that the program was read, which is looked at once more.
    const others = all.slice(all.findIndex(({ processor }) => processor !== undefined));
    expect(all.length - others.length).toBeLessThanOrEqual(3);
    const baselines = others.filter(({ variant }) => variant === 'baseline');
    const measured = others.filter(({ variant }) => variant === 'measured');
    expect(baselines.length).toBe(measured.length);
    expect(new Set(others.map(({ processor }) => typeof processor))).toEqual(new Set(['number']));
    baselines.forEach((baseline, at) => {
      const twin = measured[at]!;
      expect(baseline.processor).toBe(twin.processor);
      const end = Date.parse(baseline.startedAt) + 1000 * baseline.wallSeconds;
      expect(Date.parse(twin.startedAt)).toBeLessThan(end);
    });
    expect(iterations.length).toBeGreaterThan(0);
    // It is only its own twin that had the processor.
    expect(notes.filter((note) => note.includes('kymo.json'))).toEqual([]);
  });

  it('go one after the other where it writes files, unless the user says that it may', async () => {
    const writes =
      'FILE *f = fopen("out.txt", "w"); for (int i = 0; i < 100000; i++) fputs("text", f); fclose(f);';
    const { directory } = await refined(writes, '', {});
    const runs = experiments(directory);
    expect(runs[0]?.writtenBytes).toBeGreaterThan(0);
    expect(runs.filter(({ processor }) => processor !== undefined)).toEqual([]);
    rmSync(workspace, { recursive: true });
    const asked = await refined(writes, '', { together: true });
    expect(experiments(asked.directory).some(({ processor }) => processor !== undefined)).toBe(true);
  });

  it('go one after the other where it fails beside another one, and nothing is lost', async () => {
    const lock = 'if (open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0) { puts("locked"); return 1; }';
    const { directory, iterations, stopReason, notes } = await refined(lock, 'unlink("lock");', {
      together: true,
    });
    expect(notes.join(' ')).toMatch(/failed when it ran twice at the same time.*"together": false/);
    expect(experiments(directory).filter(({ processor }) => processor !== undefined)).toEqual([]);
    expect(iterations.length).toBeGreaterThan(0);
    expect(stopReason).toBe('fixpoint');
  });
});
