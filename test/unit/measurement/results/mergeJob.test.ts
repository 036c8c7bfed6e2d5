import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeCube } from '../../../../src/formats/cube4/write';
import { counterNames, firstCounterSlot, waitingSlot } from '../../../../src/formats/kymo-result/slots';
import { mergeResults } from '../../../../src/measurement/results/mergeResults';
import { buildStream } from '../../formats/kymo-iterations/streamBuilder';
import { buildJob } from '../../formats/kymo-result/jobBuilder';
import {
  buildResult,
  untimed,
  type TestNode,
  type TestResult,
} from '../../formats/kymo-result/resultBuilder';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'kymo-job-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const slots = ['main', 'f', 'g', 'h'];
const names = ['MPI_Send', 'MPI_Recv', 'MPI_Wait'];

async function merged(results: string, of: Partial<Parameters<typeof mergeResults>[0]> = {}) {
  const all = await mergeResults({
    directory: results,
    selectionId: '00000000000000ab',
    slots,
    samples: slots.map(() => ({ interval: 10, kind: 'entry' as const })),
    graph: { functions: [], edges: [] },
    executable: '/bin/program',
    ...of,
  });
  const { profile, visits, edges, processor, iterations } = all;
  return {
    profile,
    cube: Buffer.from(writeCube(profile)).toString('base64'),
    visits,
    edges,
    processor,
    iterations: iterations?.iterations,
  };
}

/** A tree in any shape: call paths, visits that were only counted, waiting and counters, some below call paths that are there already. */
const nodes = fc
  .array(
    fc.record({
      above: fc.nat(),
      slot: fc.nat(slots.length + names.length - 1),
      kind: fc.constantFrom('timed', 'timed', 'counted', 'waiting', 'counter'),
      counter: fc.nat(counterNames.length - 1),
      visits: fc.nat(100),
      ticks: fc.nat(1e9),
    }),
    { maxLength: 20 },
  )
  .map((drawn) => {
    const callPaths = [0];
    return drawn.map(({ above, slot, kind, counter, visits, ticks }, index): TestNode => {
      const parent = callPaths[above % callPaths.length] ?? 0;
      if (kind === 'waiting') return { parent, slot: waitingSlot, visits, ticks };
      if (kind === 'counter') return { parent, slot: firstCounterSlot + counter, visits, ticks };
      if (kind === 'counted') return { parent, slot: untimed + (slot % slots.length), visits, ticks: 0 };
      callPaths.push(index + 1);
      return { parent, slot, visits, ticks };
    });
  });
const thread = fc.record({ ticks: fc.nat(2e9), cpuTime: fc.nat(1e9), preempted: fc.nat(1e9), nodes });
const process = fc.record({
  ticksPerSecond: fc.constantFrom(1e9, 2.5e9, 3e6),
  threads: fc.array(thread, { minLength: 1, maxLength: 3 }),
  regions: fc
    .shuffledSubarray(names, { minLength: names.length })
    .map((ordered) => ordered.map((name) => ({ name, kind: 'mpi' as const }))),
});

describe('the results of a job', () => {
  it('in one file are merged as in a file of each rank, whatever the order of these', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(process, { minLength: 1, maxLength: 5 })
          .chain((drawn) =>
            fc.tuple(fc.constant(drawn), fc.shuffledSubarray([...drawn.keys()], { minLength: drawn.length })),
          ),
        async ([drawn, order]) => {
          const results = drawn.map((one, rank) =>
            buildResult({
              ...one,
              rank,
              pid: rank + 1,
              ranks: drawn.length,
              cpuTime: 1e9,
            } satisfies TestResult),
          );
          const [job, files] = ['job', 'files'].map((name) => mkdtempSync(path.join(directory, name)));
          writeFileSync(path.join(job ?? '', 'run.job'), buildJob(results.map((result) => ({ result }))));
          results.forEach((result, rank) =>
            writeFileSync(path.join(files ?? '', `n.${order[rank]}.kymo`), result),
          );
          const [ofJob, ofFiles] = [await merged(job ?? ''), await merged(files ?? '')];
          expect({ ...ofJob, profile: undefined }).toEqual({ ...ofFiles, profile: undefined });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('hold the same times of a process as its own result, also where visits were only counted', async () => {
    const results = [3000, 7000, 4000].map((ticks, rank) =>
      buildResult({
        rank,
        pid: rank + 1,
        ranks: 3,
        cpuTime: 1e9,
        threads: [
          {
            ticks: 1_000_000,
            nodes: [
              { parent: 0, slot: 0, visits: 1, ticks: 900_000 - 100_000 * rank },
              { parent: 1, slot: 1, visits: 100, ticks, maximum: ticks / 50 },
              { parent: 1, slot: untimed + 1, visits: 1000 + rank, ticks: 0 },
              { parent: 1, slot: untimed + 2, visits: 10, ticks: 0 },
              { parent: 2, slot: waitingSlot, visits: 1, ticks: 10 * rank },
            ],
          },
        ],
      }),
    );
    const columnsOf = async (parts: readonly Buffer[]): Promise<ReadonlyMap<string, Float64Array>> => {
      const folder = mkdtempSync(path.join(directory, 'part'));
      writeFileSync(path.join(folder, 'run.job'), buildJob(parts.map((result) => ({ result }))));
      return (await merged(folder)).profile.stored;
    };
    const together = await columnsOf(results);
    expect([...together.keys()]).toHaveLength(7);
    for (const [rank, result] of results.entries())
      for (const [metric, column] of await columnsOf([result]))
        expect([metric, ...column]).toEqual([
          metric,
          ...(together.get(metric) ?? []).filter((_, cell) => cell % results.length === rank),
        ]);
  });

  it('may be more files than a process may open', async () => {
    const ranks = 120;
    const nodes = [{ parent: 0, slot: 0, visits: 2, ticks: 100 }];
    const stream = buildStream([
      { phase: { thread: 0, slot: 0, above: [] } },
      ...[1, 2].flatMap(() => [{ values: [1, 1, 50, 0] as const }, { end: 'whole' as const }]),
    ]);
    const results = path.join(directory, 'results');
    mkdirSync(results);
    for (let rank = 0; rank < ranks; rank++) {
      const result = {
        rank,
        ranks,
        pid: rank + 1,
        iterations: 2,
        regions: [],
        threads: [{ ticks: 200, nodes }],
      };
      writeFileSync(path.join(results, `n.${rank}.kymo`), buildResult(result));
      writeFileSync(path.join(results, `n.${rank}.iterations`), stream);
    }
    const script = path.join(directory, 'merge.mjs');
    const module = path.resolve(import.meta.dirname, '../../../../src/measurement/results/mergeResults.ts');
    const options = {
      directory: results,
      iterationsInto: directory,
      selectionId: '00000000000000ab',
      slots,
      graph: { functions: [], edges: [] },
      executable: '/bin/program',
    };
    await build({
      stdin: {
        contents: `import { mergeResults } from ${JSON.stringify(module)};
          const { iterations, threadCount } = await mergeResults(${JSON.stringify(options)});
          console.log(JSON.stringify([iterations.iterations, threadCount]));`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    const command = 'ulimit -n 80 && exec "$0" "$1"';
    const printed = execFileSync('sh', ['-c', command, globalThis.process.execPath, script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(printed)).toEqual([2, ranks]);
  });
});
