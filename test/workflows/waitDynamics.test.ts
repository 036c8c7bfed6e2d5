import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../src/core/profile/profile';
import { subtreeEnds } from '../../src/core/profile/tree';
import { silent } from '../../src/core/progress';
import { bytesSource } from '../../src/formats/byteSource';
import { readCube } from '../../src/formats/cube4/read';
import { openIterations } from '../../src/formats/kymo-iterations/read';
import { findProgram } from '../../src/measurement/launch/findProgram';
import { runDynamics } from '../../src/workflows/dynamics';
import { measure } from '../../src/workflows/measure';

const ready =
  existsSync(path.resolve('dist/wrapper.js')) &&
  (await findProgram('mpirun')) !== undefined &&
  (await findProgram('mpifort')) !== undefined;
let base: string;
beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'kymo waits ü '));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const waits = ['mpi_latesender', 'mpi_latereceiver', 'mpi_latebroadcast', 'mpi_wait_nxn'];

describe.skipIf(!ready)('waits of an example, by iteration', () => {
  it.each([
    { name: 'channel', call: 'MPI_Recv' },
    { name: 'heat', call: 'MPI_Sendrecv' },
  ])('$name: the rank that waits most in $call is named', async ({ name, call }) => {
    const workspace = path.join(base, name);
    cpSync(path.resolve('examples', name), workspace, { recursive: true });
    const settings = path.join(workspace, 'kymo.json');
    const text = readFileSync(settings, 'utf8');
    writeFileSync(settings, text.replace('"repetitions": 3', '"repetitions": 1'));
    const { profile: file } = await measure({ workspace, signal: new AbortController().signal });
    const profile = readCube(readFileSync(file), file);
    for (const metric of [...waits, 'bytes_sent', 'bytes_received']) {
      const { inside, outside } = sumsBelowPhase(profile, metric, call);
      // All calls below the phase are in its iterations.
      expect({ metric, outside: Math.round(outside * 1e9) / 1e9 }).toEqual({ metric, outside: 0 });
      if (metric === 'bytes_received') expect(inside).toBeGreaterThan(0);
    }
    const waited = waits.map((metric) => sumsBelowPhase(profile, metric, call));
    const iterations = path.join(path.dirname(file), 'iterations.kymo');
    const total = waited.reduce((sum, { inside }) => sum + inside, 0);
    expect(total).toBeGreaterThan(0);
    expect(Math.abs(waitsIn(iterations, call) - total)).toBeLessThan(1e-5 + 1e-4 * total); // whole nanoseconds
    const { result } = await runDynamics({ inputs: [path.dirname(file)] }, { workspace, progress: silent });
    const found = result.properties.filter(({ id }) =>
      id.startsWith(`dynamics:communication:waiting:wait:${call}:`),
    );
    // Which one that is depends on the machine, too, where its processors have other work.
    expect(found.map(({ ranks }) => ranks).join(' ')).toContain(String(mostWaitingRank(waited)));
  });
});

/** What a metric of a call has below the phase: in iterations, and outside of them. */
function sumsBelowPhase(
  { callPaths, regions, locations, stored }: Profile,
  metric: string,
  call: string,
): { readonly inside: number; readonly outside: number; readonly ofRanks: readonly number[] } {
  const ends = subtreeEnds(callPaths);
  const name = (callPath: number): string => regions[callPaths.region[callPath] ?? -1]?.name ?? '';
  const instances = Array.from({ length: callPaths.count }, (_, at) => at).filter((at) =>
    name(at).startsWith('instance='),
  );
  const isInside = new Uint8Array(callPaths.count);
  for (const at of instances) isInside.fill(1, at, ends[at]);
  const phase = callPaths.parent[instances[0] ?? -1] ?? -1;
  const sums = { inside: 0, outside: 0, ofRanks: [0, 0] };
  const column = stored.get(metric) ?? new Float64Array();
  for (let at = phase; at < (ends[phase] ?? 0); at++)
    for (let location = 0; name(at) === call && location < locations.length; location++) {
      const value = column[at * locations.length + location] ?? 0;
      sums[isInside[at] === 1 ? 'inside' : 'outside'] += value;
      const rank = locations[location]?.rank ?? 0;
      if (isInside[at] === 1) sums.ofRanks[rank] = (sums.ofRanks[rank] ?? 0) + value;
    }
  return sums;
}

function mostWaitingRank(waited: readonly { readonly ofRanks: readonly number[] }[]): number {
  const [first, second] = [0, 1].map((rank) =>
    waited.reduce((sum, { ofRanks }) => sum + (ofRanks[rank] ?? 0), 0),
  );
  return (second ?? 0) > (first ?? 0) ? 1 : 0;
}

function waitsIn(file: string, call: string): number {
  const iterations = openIterations(bytesSource(readFileSync(file)), file);
  const { directory } = iterations;
  let sum = 0;
  for (const { count, contexts, waitSeconds } of iterations.samples())
    for (let i = 0; i < count; i++) {
      const region = directory.contexts[contexts[i] ?? -1]?.region ?? -1;
      if (directory.regions[region]?.name === call) sum += waitSeconds?.[i] ?? 0;
    }
  return sum;
}
