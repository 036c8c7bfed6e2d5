import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamicsResult } from '../../src/core/degradations/model/result';
import { overheadCell } from '../../src/core/cost/overheadWords';
import { escapeMarkup } from '../../src/core/names/escapeMarkup';
import type { MeasureResult } from '../../src/workflows/measure';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { kymo } from '../refineProgram';

/** Its function `spread` takes four times as long from the 40th of 60 steps on. */
const program = `#include <stdio.h>
double __attribute__((noinline)) spread(int step, int n) {
  double sum = 0;
  int all = step < 40 ? n : 4 * n;
  for (int i = 0; i < all; ++i) sum += 1.0 / (1 + (i + step) % 97);
  return sum;
}
double __attribute__((noinline)) step(int number, int n) { return spread(number, n) + number; }
int main(void) {
  double sum = 0;
  for (int i = 0; i < 60; ++i) sum += step(i, 200000);
  printf("%g\\n", sum);
  return 0;
}
`;
const target = {
  name: 'prog',
  build: { command: '${cc} -O2 -g prog.c -o prog', clean: 'rm -f prog' },
  executable: 'prog',
  repetitions: 2,
  phase: 'step',
  refinement: { maximumIterations: 2 },
};

interface Written {
  readonly out: string;
  readonly sections: readonly string[];
  readonly notes: readonly string[];
}

describe('the report on a real program', () => {
  let workspace: string;
  let refined: RefineResult;
  const report = (...words: readonly string[]): Written & { readonly page: string } => {
    const written = kymo(['report', ...words, '--workspace', workspace]) as Written;
    return { ...written, page: readFileSync(written.out, 'utf8') };
  };
  beforeAll(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo report ü '));
    writeFileSync(path.join(workspace, 'prog.c'), program);
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    refined = kymo(['refine', '--workspace', workspace]) as RefineResult;
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  it('of a refinement has its verdict, rounds, selection, hot spots and iterations, and how it was measured', () => {
    const { sections, notes, page } = report(refined.directory);
    expect(notes).toEqual([]);
    expect(sections).toEqual(['summary', 'refinement', 'hot-spots', 'diagnosis', 'dynamics', 'measured']);
    expect(page).toContain('<title>Performance of prog</title>');
    expect(page).toContain(`<p class="verdict">${escapeMarkup(refined.verdict?.sentence ?? 'none')}</p>`);
    for (const round of refined.iterations)
      expect(page).toContain(`>${escapeMarkup(overheadCell(round))}</td>`);
    for (const { name, selected } of refined.hotFunctions)
      if (selected) expect(page).toContain(`>${name}</th>`);
    // Relative to the workspace, which is named nowhere.
    expect(page).toContain('>prog.c:2<');
    expect(page).not.toContain(workspace);
    expect(page).toContain(
      '<dt>Build command</dt><dd>${cc} -O2 -g prog.c -o prog (kymo.json as it is now)</dd>',
    );
    expect(page).toMatch(/<dt>Noise<\/dt><dd>±[\d.<]/);
    expect(page).not.toMatch(/<script|https?:/);
  });

  it('of a measurement has what changes over its iterations, as kymo dynamics says', () => {
    const measured = kymo(['measure', '--workspace', workspace]) as MeasureResult;
    const { rows } = kymo(['dynamics', measured.directory, '--workspace', workspace]) as DynamicsResult;
    // The newest is the default.
    const { sections, page } = report();
    expect(sections).toEqual(['summary', 'hot-spots', 'diagnosis', 'dynamics', 'measured']);
    expect(page).toContain(path.basename(measured.directory));
    expect(rows.some(({ title }) => title.startsWith('Degradation'))).toBe(true);
    for (const { title } of rows) expect(page).toContain(escapeMarkup(title));
    expect(page).toMatch(/<figcaption>spread, rank 0<\/figcaption>/);
  });

  it('of a round has no refinement, and lies beside the study without changing which one is the newest', () => {
    const { out, sections } = report(path.join(refined.directory, 'i0'));
    expect(out).toBe(`${refined.directory}.i0.html`);
    expect(sections).not.toContain('refinement');
    expect(report().out).not.toContain('refine-');
  });
});
