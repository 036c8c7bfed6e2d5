import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { kymo, refineProgram } from '../refineProgram';

/** Fewer steps, of which each is like the others; the threads of the stencil meet a quarter as often. */
const shorter: Readonly<Record<string, readonly string[]>> = {
  nbody: ['--bodies', '${bodies}', '--steps', '50', '--follow', '1700'],
  stencil: ['${cells}', '1000', 'corner'],
};
const examples = path.resolve(import.meta.dirname, '../../examples');

/** The bundled examples, in a folder whose path has spaces and letters of other alphabets. */
describe('refining the examples', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kymo examples Größe 流れ-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const refineExample = (name: string, options = {}): { workspace: string; result: RefineResult } => {
    const workspace = path.join(directory, name);
    cpSync(path.join(examples, name), workspace, {
      recursive: true,
      filter: (file) => !file.includes('.kymo'),
    });
    const config = parse(readFileSync(path.join(workspace, 'kymo.json'), 'utf8')) as {
      targets: [Record<string, unknown> & { readonly run: { readonly arguments: readonly string[] } }];
    };
    const [example] = config.targets;
    // A busy machine may take long: threads of OpenMP wait for each other by computing.
    const run = { ...example.run, arguments: shorter[name] ?? example.run.arguments, timeoutSeconds: 1200 };
    const target = { ...example, run, repetitions: 1 };
    return { workspace, result: refineProgram(workspace, target, options) };
  };

  it('nbody: C++ of tiny functions, virtual calls, templates, exceptions', () => {
    const { workspace, result } = refineExample('nbody', { compared: true });
    expect(result.hotFunctions[0]?.name).toMatch(/^pull/);
    expect(result.hotFunctions[0]?.selected).toBe(true);
    expect(result.properties.some((p) => p.kind === 'hot-spot')).toBe(true);
    const filter = readFileSync(result.filter, 'utf8');
    expect(filter).toMatch(/^SCOREP_REGION_NAMES_BEGIN\s+EXCLUDE \*/m);

    // What a user looks at next: the profile of the last iteration, the study's properties, another format.
    const iteration = path.join(result.directory, `i${result.iterations.length - 1}`);
    const experiment = readdirSync(iteration).find((entry) => entry.endsWith('.r1')) ?? '';
    const profile = path.join(iteration, experiment, 'profile.cubex');
    const shown = kymo(['profile', 'show', profile]) as {
      regions: { name: string; file?: string; line?: number }[];
      values: Record<string, { inclusive: number[] }>;
    };
    const pull = shown.regions.filter((region) => region.name.startsWith('pull'));
    // One region for each instance of the template.
    expect(pull.map((region) => region.file)).toEqual(Array(2).fill(path.join(workspace, 'laws.h')));
    expect(pull.map((region) => region.line)).toEqual([19, 19]);
    expect(shown.values.time?.inclusive.length).toBeGreaterThan(3);
    const { properties } = kymo(['properties', result.directory]) as { properties: unknown[] };
    expect(properties.length).toBeGreaterThan(0);
  });

  it('stencil: C with OpenMP, kernels that are inlined, two threads', () => {
    const { result } = refineExample('stencil');
    const sweep = result.hotFunctions.find((f) => f.name.includes('sweep_row') || f.name.includes('sweep'));
    expect(sweep?.hasSite).toBe(true);
  });

  it('solver: Fortran, known from measured edges alone', () => {
    const { result } = refineExample('solver');
    const names = result.hotFunctions.map((f) => f.name).join(' ');
    expect(names).toMatch(/apply_laplacian/);
  });
});
