import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProperties } from '../../src/core/problems/findProperties';
import { mergeResults } from '../../src/measurement/results/mergeResults';
import { Workbench, type Measured } from './harness';
import { readIterations } from './iterations';
import { everything, readSites } from './selection';
import { inconsistencies, visitsByRegion, waiting, type ResultThread } from './result';

const bench = new Workbench();
let waits = '';
beforeAll(() => {
  waits = bench.compile(
    { compiler: 'gcc', kind: 'entry', flags: ['-O2', '-rdynamic', '-fopenmp'] },
    'waits.c',
  );
});
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

function run(...words: readonly string[]): Measured {
  const measured = bench.measureAll(waits, 'entry', new Map(), words);
  expect(measured.outcome).toMatchObject({ status: 0, output: '' });
  expect(measured.results.flatMap(inconsistencies)).toEqual([]);
  return measured;
}

/** Seconds of a function over all threads, and its exclusive waiting time. */
function times({ results, slots }: Measured, name: string): { seconds: number; waited: number } {
  const sum = { seconds: 0, waited: 0 };
  for (const { ticksPerSecond, threads } of results)
    for (const { nodes } of threads)
      for (const node of nodes) {
        if (slots[node.slot] === name) sum.seconds += node.ticks / ticksPerSecond;
        const above = nodes[node.parent]?.slot ?? -1;
        if (node.slot === waiting && slots[above] === name) sum.waited += node.ticks / ticksPerSecond;
      }
  return sum;
}

const sumOf = ({ results }: Measured, field: keyof Pick<ResultThread, 'cpuTime' | 'preempted'>): number =>
  results.flatMap(({ threads }) => threads).reduce((sum, thread) => sum + thread[field], 0) / 1e9;

// The kernel guarantees these bounds, however busy the machine is: a thread that sleeps for 100 ms is blocked for that long.
describe('time between two events', () => {
  it('waiting time belongs to the call path that waited', () => {
    const measured = run('nap', '100');
    const nap = times(measured, 'nap');
    expect(nap.waited).toBeGreaterThan(0.099);
    expect(nap.seconds).toBeGreaterThanOrEqual(nap.waited);
    expect(nap.seconds - nap.waited).toBeLessThan(0.05);
    expect(times(measured, 'spin').waited).toBeLessThan(0.05);
  });

  it('no recorded time contains the time in which other threads had the processor', () => {
    const measured = run('spin', '150', '4');
    const { seconds, waited } = times(measured, 'spin');
    expect(waited).toBeLessThan(0.02);
    expect(seconds).toBeGreaterThan(0.149);
    expect(seconds).toBeLessThan(0.25); // Five threads share a processor, which takes 0.75 s of wall time.
    expect(sumOf(measured, 'preempted')).toBeGreaterThan(0.2);
    expect(sumOf(measured, 'cpuTime')).toBeGreaterThan(0.149);
    expect(measured.results[0]?.cpuTime ?? 0).toBeGreaterThan(0.3e9); // It includes the competing threads, which are not recorded.
  });

  it('each iteration says how long its thread was ready and had no processor', () => {
    const sites = everything(readSites(waits), 'entry', new Map());
    const measured = bench.measure(waits, [sites], ['spin', '150', '4'], {}, new Map(), ['spin']);
    const [result] = measured.results;
    if (result === undefined) throw new Error('no result');
    const preempted = readIterations(measured, result).map(({ preemptedSeconds }) => preemptedSeconds);
    expect(preempted).toHaveLength(1);
    expect(preempted[0]).toBeGreaterThan(0.2);
    expect(preempted[0]).toBeLessThanOrEqual(sumOf(measured, 'preempted') + 1e-9);
  });

  it('earlier pre-empted time of a thread does not shorten a later wait', () => {
    expect(times(run('spin', '150', '4', '100'), 'nap').waited).toBeGreaterThan(0.099);
  });

  it('the workers of a pool wait for work, and the thread that waits for them has waiting time, too', () => {
    const measured = run('pool', '20');
    expect(visitsByRegion(measured.results, measured.slots)).toMatchObject({ task: 20, worker: 4, take: 24 });
    expect(times(measured, 'take').waited).toBeGreaterThan(4 * 0.015);
    expect(times(measured, 'finish').waited).toBeGreaterThan(0.005);
    const task = times(measured, 'task');
    expect(task.seconds - task.waited).toBeGreaterThan(20 * 0.0019);
    expect(task.waited).toBeLessThan(0.01);
  });

  it.each(['early', 'late'])('what a look loses itself is missing in no gap: %s', (when) => {
    const task = times(run(when, '20'), 'task');
    expect(task.seconds - task.waited).toBeGreaterThan(20 * 0.0019);
    expect(task.waited).toBeLessThan(0.01);
    expect(task.seconds).toBeLessThan(20 * 0.003);
  });

  it('the tree of an ended thread gains no time until a new thread continues there', () => {
    const { results, slots } = run('again', '300');
    expect(visitsByRegion(results, slots)).toMatchObject({ short_lived: 300 });
    const threads = results.flatMap((result) => result.threads.map((thread) => ({ result, thread })));
    for (const { result, thread } of threads.filter(({ thread: { number } }) => number > 0))
      expect((thread.nodes[0]?.ticks ?? 0) / result.ticksPerSecond).toBeLessThan(0.035);
  });
});

describe('“Only one of N threads computes”', () => {
  const told = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { results, slots, folder } = run(...words);
    const { profile } = await mergeResults({
      directory: folder,
      selectionId: (results[0]?.selection ?? 0n).toString(16).padStart(16, '0'),
      slots,
      graph: { functions: [], edges: [] },
      executable: waits,
    });
    return findProperties({ profile })
      .filter(({ id }) => id === 'imbalance:one-thread')
      .map(({ title }) => title);
  };

  it('is true of a program with an idle pool', async () => {
    const [title] = await told('serial', '200');
    expect(title).toMatch(/^Only one of 5 threads computes for at least \d+(\.\d+)? % of the run time$/);
  });

  it('is not reported for a pool in which all compute, nor for an OpenMP loop', async () => {
    expect(await told('pool', '100')).toEqual([]);
    expect(await told('loop', '40')).toEqual([]);
  });
});
