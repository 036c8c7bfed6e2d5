import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredRow } from '../../src/workflows/studies/functionsFile';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { kymo } from '../refineProgram';

const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/INTERFACES.md'), 'utf8');

/** Names in code style in the part of the document under a heading that begins so. */
function documented(heading: string): ReadonlySet<string> {
  const part = document.split(/^#{2,3} /m).find((text) => text.startsWith(heading)) ?? '';
  return new Set([...part.matchAll(/`([A-Za-z]+)`/g)].map(([, name = '']) => name));
}

/** All keys of objects at any depth. `free`: below these, keys are names that the user gave. */
function keysOf(value: unknown, free: ReadonlySet<string>, keys = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const one of value) keysOf(one, free, keys);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      keys.add(key);
      if (!free.has(key)) keysOf(inner, free, keys);
    }
  return keys;
}

const program = `#include <stdio.h>
static double __attribute__((noinline)) tiny(double x) { return x * 0.5 + 1; }
static double part(int i) { return 1.0 / (1 + i % 97); }
double __attribute__((noinline)) hot(int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = tiny(sum) + part(i);
  return sum;
}
int main(void) {
  double sum = 0;
  for (int i = 0; i < 500; ++i) sum += hot(20000);
  printf("%g\\n", sum);
  return 0;
}
`;
const target = {
  name: 'prog',
  build: { command: '${cc} -O2 -g prog.c -o prog' },
  executable: 'prog',
  run: { arguments: ['${size}'] },
  parameters: { size: [1] },
  repetitions: 1,
  refinement: { maximumIterations: 2 },
};

describe('what a refinement writes', () => {
  let workspace: string;
  let study: string;
  beforeAll(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo-documented-'));
    writeFileSync(path.join(workspace, 'prog.c'), program);
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    study = (kymo(['refine', '--workspace', workspace]) as RefineResult).directory;
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  const fieldsIn = (file: string): ReadonlySet<string> =>
    keysOf(JSON.parse(readFileSync(path.join(study, file), 'utf8')), new Set(['parameters']));

  it.each([
    ['`study.json`', 'study.json'],
    ['`functions.json`', 'functions.json'],
    ['`i<N>/selection.json`', 'i0/selection.json'],
  ])('of %s every field is documented', (heading, file) => {
    const known = documented(heading);
    expect([...fieldsIn(file)].filter((field) => !known.has(field))).toEqual([]);
  });

  it('and of the file of a study over parameters', () => {
    const words = ['study', '--values', 'size=1,2', '--repetitions', '1', '--workspace', workspace];
    const { directory } = kymo(words) as { readonly directory: string };
    const text = readFileSync(path.join(directory, 'parameter-study.json'), 'utf8');
    const known = documented('`study-<time>/parameter-study.json`');
    const fields = keysOf(JSON.parse(text), new Set(['coordinates']));
    expect(fields.size).toBeGreaterThan(15);
    expect([...fields].filter((field) => !known.has(field))).toEqual([]);
  });

  it('names at the callers what is not recorded itself: inlined, or too small and called too often', () => {
    const { functions } = JSON.parse(readFileSync(path.join(study, 'functions.json'), 'utf8')) as {
      readonly functions: readonly StoredRow[];
    };
    const hot = functions.findIndex(({ name }) => name === 'hot');
    const missing = functions.filter(({ selected }) => !selected);
    expect(missing.map(({ name, timeIn }) => [name, timeIn])).toContainEqual(['part', [hot]]);
    const contained = functions[hot]?.contains?.functions.map((position) => functions[position]?.name);
    expect(contained).toEqual(expect.arrayContaining(missing.map(({ name }) => name)));
  });

  it('of experiments every field is documented', () => {
    const known = documented('`i<N>/<experiment>/experiment.json`');
    const experiments = readdirSync(path.join(study, 'i0')).filter((name) => name.includes('.r'));
    expect(experiments.length).toBeGreaterThanOrEqual(2);
    for (const experiment of experiments)
      expect(
        [...fieldsIn(path.join('i0', experiment, 'experiment.json'))].filter((field) => !known.has(field)),
        experiment,
      ).toEqual([]);
  });
});
