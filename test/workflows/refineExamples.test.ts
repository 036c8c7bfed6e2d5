import { spawnSync } from 'node:child_process';
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
  channel: ['400', '${columns}', '300'],
};
const examples = path.resolve(import.meta.dirname, '../../examples');

const hasMpi = ['mpicc', 'mpifort', 'mpirun'].every(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0,
);

/** What `kymo efficiency` says of a function with its callees, in the run that the shares are of. */
function efficiencyOf(
  { directory }: RefineResult,
  name: string,
): { readonly loadBalance: number; readonly slowestRanks?: string } | undefined {
  const { functions } = kymo(['efficiency', directory]) as {
    functions: { name: string; loadBalance: number; slowestRanks?: string }[];
  };
  return functions.find((own) => own.name === name);
}

/** Mean by largest time of the ranks in a function itself; NaN where it was not measured. */
function balanceOfRanks({ directory }: RefineResult, name: string): number {
  const { functions } = JSON.parse(readFileSync(path.join(directory, 'functions.json'), 'utf8')) as {
    functions: { name: string; ranks?: { meanSeconds: number; mostSeconds: number } }[];
  };
  const { meanSeconds = NaN, mostSeconds = NaN } = functions.find((own) => own.name === name)?.ranks ?? {};
  return meanSeconds / mostSeconds;
}

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

  // Three ranks of two threads share two processors here: again where other work took those of rank 0.
  it.skipIf(!hasMpi)('heat: C with MPI and OpenMP, an imbalance that grows on rank 0', { retry: 2 }, () => {
    const { result } = refineExample('heat', { ranks: [2, 3] });
    const { final, iterations } = result;
    expect(iterations.at(-1)).toMatchObject({ clock: 'rank', slowestRank: 0 });
    expect(final.ranks?.map(({ ranks, slowestRank }) => [ranks, slowestRank])).toEqual([
      [2, 0],
      [3, 0],
    ]);
    // All burning cells are those of rank 0: half of the ranks compute nothing there, whatever their threads do.
    expect(efficiencyOf(result, 'burn')).toMatchObject({ slowestRanks: '0' });
    expect(efficiencyOf(result, 'burn')?.loadBalance).toBeLessThan(0.75);
    // The ranks have as many rows each, which their threads take as they go.
    expect(balanceOfRanks(result, 'conduct_row')).toBeGreaterThan(
      efficiencyOf(result, 'burn')?.loadBalance ?? 1,
    );
    expect(result.properties.find(({ kind }) => kind === 'parallel-efficiency')).toBeDefined();
  });

  it.skipIf(!hasMpi)('channel: Fortran with MPI, rank 0 is a late sender', () => {
    const { result } = refineExample('channel');
    expect(result.iterations.at(-1)).toMatchObject({ clock: 'rank', slowestRank: 0 });
    expect(efficiencyOf(result, 'inflow::incoming')).toMatchObject({ slowestRanks: '0' });
    expect(efficiencyOf(result, 'inflow::incoming')?.loadBalance).toBeCloseTo(0.5, 2);
    // On a busy machine waiting ranks use up so much more time that the imbalance may be a small part of it, and not reported.
    const late = result.properties.filter(
      ({ kind, region }) => kind === 'imbalance' && region?.name === 'inflow::incoming',
    );
    for (const own of late) expect(own).toMatchObject({ ranks: '0', waitingRanks: '1' });
  });

  it('solver: Fortran, known from measured edges alone', () => {
    const { result } = refineExample('solver');
    const names = result.hotFunctions.map((f) => f.name).join(' ');
    expect(names).toMatch(/apply_laplacian/);
  });
});
