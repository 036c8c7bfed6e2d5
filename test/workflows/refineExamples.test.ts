import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { efficiencyOf, hasMpi, refineExample } from '../refineExample';
import { kymo } from '../refineProgram';

/** The bundled examples, in a folder whose path has spaces and letters of other alphabets. */
describe('refining the examples', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kymo examples Größe 流れ-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('nbody: C++ of tiny functions, virtual calls, templates, exceptions', () => {
    const { workspace, result } = refineExample(directory, 'nbody', { compared: true });
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
    const { result } = refineExample(directory, 'stencil');
    const sweep = result.hotFunctions.find((f) => f.name.includes('sweep_row') || f.name.includes('sweep'));
    expect(sweep?.hasSite).toBe(true);
  });

  it.skipIf(!hasMpi)('channel: Fortran with MPI, rank 0 is a late sender', () => {
    const { result } = refineExample(directory, 'channel');
    expect(result.iterations.at(-1)).toMatchObject({ clock: 'rank', slowestRank: 0 });
    expect(efficiencyOf(result, 'inflow::incoming')).toMatchObject({ slowestRanks: '0' });
    expect(efficiencyOf(result, 'inflow::incoming')?.loadBalance).toBeCloseTo(0.5, 2);
    // On a busy machine waiting ranks use up so much more time that the imbalance may be a small part of it, and not reported.
    const late = result.properties.filter(
      ({ kind, region }) => kind === 'imbalance' && region?.name === 'inflow::incoming',
    );
    for (const { ranks, waitingRanks } of late) {
      expect(ranks).toBe('0');
      // Nor is it told who waits, where the machine makes the ranks wait for a processor for longer.
      if (waitingRanks !== undefined) expect(waitingRanks).toBe('1');
    }
  });

  it('solver: Fortran, known from measured edges alone', () => {
    const { result } = refineExample(directory, 'solver');
    const names = result.hotFunctions.map((f) => f.name).join(' ');
    expect(names).toMatch(/apply_laplacian/);
  });
});
