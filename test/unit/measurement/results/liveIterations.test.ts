import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveIterations, type WatchedProcess } from '../../../../src/measurement/results/live/liveIterations';
import { iterationsSeries } from '../../../../src/workflows/dynamics/iterationsSeries';
import { LiveIterationsFile } from '../../../../src/workflows/watch/liveIterationsFile';
import { bytesSource } from '../../../../src/formats/byteSource';
import { openIterations } from '../../../../src/formats/kymo-iterations/read';
import type { IterationNode, IterationSample } from '../../../../src/formats/control/messages';
import { fn } from '../../core/selection/graphs';
import type { StreamRecord } from '../../formats/kymo-iterations/streamBuilder';

const slots = ['main', 'step', 'solve', 'small'];
const graph = {
  functions: slots.map((key, at) =>
    fn(key, { name: key, file: '/src/a.c', line: 10 * at + 1, endLine: 10 * at + 5 }),
  ),
  edges: slots.map(() => []),
};
const program = { slots, graph, executable: '/bin/program', selectionId: 'ab' };
const result = { regions: [], ticksPerSecond: 1000 };
const options = { callPaths: false, inclusive: false, metrics: ['time', 'visits'] };
const definitions: readonly StreamRecord[] = [
  { phase: { thread: 0, slot: 1, above: [0] } },
  { node: { thread: 0, parent: 1, slot: 2 } },
];
const iteration = (ticks: number): readonly StreamRecord[] => [
  { values: [1, 1, 10 * ticks, 1] },
  { values: [2, 2, 4 * ticks, 0] },
  { end: 'whole' },
];
type Records = readonly (StreamRecord & object)[];

/** A process that is watched, and sends what its file of iterations has. */
class Sender {
  private nodes = 1;
  private iterations = 0;

  constructor(
    readonly stream: ReturnType<LiveIterations['begin']>,
    private readonly process: WatchedProcess = result,
  ) {}

  send(...records: Records): void {
    let rows: (readonly number[])[] = [];
    for (const record of records)
      if ('values' in record) rows.push(record.values);
      else if ('end' in record) {
        this.iteration(rows);
        rows = [];
      } else if ('phase' in record)
        this.define({ parent: 0, ...record.phase, above: [...record.phase.above].reverse() });
      else if ('node' in record) this.define(record.node);
  }

  /** Iterations that were not sent. */
  skip(count: number): void {
    this.iterations += count;
  }

  define(node: IterationNode): void {
    this.stream.define(this.nodes++, [node]);
  }

  private iteration(rows: readonly (readonly number[])[]): void {
    const column = (at: number): number[] => rows.map((row) => row[at] ?? 0);
    const [node, visits, ticks, childEvents] = [
      Uint32Array.from(column(0)),
      ...[1, 2, 3].map((at) => Float64Array.from(column(at))),
    ];
    this.stream.add(
      {
        number: ++this.iterations,
        lost: 0,
        cutShort: false,
        preemptedNanoseconds: 0,
        node,
        visits,
        ticks,
        childEvents,
      } as IterationSample,
      this.process,
    );
  }
}

/** The file that is written of them. */
class Seen {
  private readonly file = new LiveIterationsFile(folder);

  constructor(private readonly live: LiveIterations) {}

  /** By metric, rank, thread and region: values so far. */
  async take(): Promise<Record<string, number[]>> {
    this.file.add(this.live.take());
    const { directory } = this.live;
    if (directory === undefined || this.file.count === 0) return {};
    this.file.write({ ...directory, notes: [] });
    const name = path.join(folder, 'iterations.kymo');
    const values: Record<string, number[]> = {};
    const source = iterationsSeries(openIterations(bytesSource(readFileSync(name)), name), options);
    for await (const burst of source.bursts(1024))
      for (const { context, values: own } of burst.series) {
        const { metric, rank, thread, region } = context;
        values[`${metric} ${rank}.${thread} ${region.kind} ${region.name}`] = [...own].map(
          (value) => Math.round(value * 1e6) / 1e6,
        );
      }
    return values;
  }
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-live-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the iterations of a run that is not over', () => {
  it('are those that all its processes have', async () => {
    const live = new LiveIterations(program);
    const seen = new Seen(live);
    const [a, b] = [
      new Sender(live.begin(() => 0, 'process 1')),
      new Sender(live.begin(() => 1, 'process 2')),
    ];
    a.send(...definitions, ...iteration(1), ...iteration(2));
    expect(await seen.take()).toEqual({});
    b.send(...definitions, ...iteration(3));
    expect(await seen.take()).toEqual({
      'time 0.0 phase step': [0.01],
      'time 1.0 phase step': [0.03],
      'time 0.0 function step': [0.006],
      'time 0.0 function solve': [0.004],
      'time 1.0 function step': [0.018],
      'time 1.0 function solve': [0.012],
      'visits 0.0 function step': [1],
      'visits 0.0 function solve': [2],
      'visits 1.0 function step': [1],
      'visits 1.0 function solve': [2],
    });
    // One that has ended is not waited for.
    b.stream.end();
    expect(await seen.take()).toMatchObject({
      'time 0.0 phase step': [0.01, 0.02],
      'time 1.0 phase step': [0.03, 0],
    });
  });

  it('have contexts that come later, and the thread of the phase as the first', async () => {
    const live = new LiveIterations(program);
    const seen = new Seen(live);
    const process = new Sender(live.begin(() => 0, 'process 1'));
    process.send({ phase: { thread: 3, slot: 1, above: [0] } }, { values: [1, 1, 10, 1] }, { end: 'whole' });
    await seen.take();
    process.send(
      { node: { thread: 0, parent: 0, slot: 2 } },
      { values: [1, 1, 20, 1] },
      { values: [2, 1, 5, 0] },
      { end: 'whole' },
    );
    expect(await seen.take()).toMatchObject({
      'time 0.0 phase step': [0.01, 0.02],
      'time 0.3 function solve': [0, 0.005],
    });
  });

  it('estimate visits that were only counted by those that were timed so far, in the first iteration, too', async () => {
    const live = new LiveIterations(program);
    const seen = new Seen(live);
    const process = new Sender(live.begin(() => 0, 'process 1'));
    const counted = 3 + 0x8000_0000;
    process.send(
      { phase: { thread: 0, slot: 1, above: [0] } },
      { node: { thread: 0, parent: 1, slot: 3 } },
      { node: { thread: 0, parent: 1, slot: counted } },
      ...([
        { values: [1, 1, 1000, 9] },
        { values: [2, 40, 80, 0] },
        { values: [3, 100, 0, 0] },
        { end: 'whole' },
      ] as const),
    );
    expect((await seen.take())['time 0.0 function small']).toEqual([0.28]);
    process.send({ values: [1, 1, 1000, 9] }, { values: [3, 50, 0, 0] }, { end: 'whole' });
    expect((await seen.take())['time 0.0 function small']).toEqual([0.28, 0.1]);
  });

  it('are of one phase: the target’s, or the first; the others are named', async () => {
    const other: readonly StreamRecord[] = [
      { phase: { thread: 0, slot: 2, above: [0] } },
      { values: [1, 1, 7, 0] },
      { end: 'whole' },
    ];
    const step: readonly StreamRecord[] = [
      { phase: { thread: 0, slot: 1, above: [0] } },
      { values: [2, 1, 9, 0] },
      { end: 'whole' },
    ];
    const phases = async (phase?: string): Promise<unknown> => {
      const live = new LiveIterations({ ...program, phase });
      const seen = new Seen(live);
      const regions = phase === undefined ? [] : [{ kind: 'phase' as const, name: phase }];
      new Sender(
        live.begin(() => 0, 'process 1'),
        { ...result, regions },
      ).send(...other, ...step);
      return [
        live.directory?.phase,
        [...live.otherPhases],
        (await seen.take())[`time 0.0 phase ${phase ?? 'solve'}`],
      ];
    };
    expect(await phases()).toEqual(['solve', ['step'], [0.007]]);
    expect(await phases('step')).toEqual(['step', ['solve'], [0.009]]);
  });

  it('are matched by their numbers: what came before a process was connected, or was lost, is missing in all', async () => {
    const live = new LiveIterations(program);
    const seen = new Seen(live);
    const [a, b] = [
      new Sender(live.begin(() => 0, 'process 1')),
      new Sender(live.begin(() => 1, 'process 2')),
    ];
    a.send(...definitions, ...[1, 2, 3, 4, 5].flatMap(iteration));
    b.skip(2);
    b.send(...definitions, ...iteration(30));
    b.skip(1);
    b.send(...iteration(50));
    expect(await seen.take()).toMatchObject({
      'time 0.0 phase step': [0.03, 0.05],
      'time 1.0 phase step': [0.3, 0.5],
    });
    expect([live.before, live.lost]).toEqual([2, 1]);
    b.send(...iteration(60));
    a.send(...iteration(6));
    expect((await seen.take())['time 1.0 phase step']).toEqual([0.3, 0.5, 0.6]);
    expect([live.before, live.lost]).toEqual([2, 1]);
  });

  it('wait for all processes at first, and not for one that has no iterations', async () => {
    const live = new LiveIterations(program);
    const seen = new Seen(live);
    const a = new Sender(live.begin(() => 0, 'process 1'));
    live.begin(() => 1, 'a helper');
    a.send(...definitions, ...iteration(1));
    expect(await seen.take()).toEqual({});
    a.send(...Array.from({ length: 255 }, () => iteration(1)).flat());
    expect((await seen.take())['time 0.0 phase step']).toHaveLength(256);
  });

  it('that cannot be read are an error that names the process', () => {
    const process = (): Sender => new Sender(new LiveIterations(program).begin(() => 0, 'Process 17 on n1'));
    expect(() => {
      process().send({ node: { thread: 0, parent: 3, slot: 1 } });
    }).toThrow(
      'Process 17 on n1 sent iterations that cannot be read: a node below node 3, which is not known.',
    );
    expect(() => {
      process().send({ values: [4, 1, 1, 1] }, { end: 'whole' });
    }).toThrow('an iteration that is of no phase');
    expect(() => {
      process().send(...definitions, { values: [1, 1, 1, 1] }, { values: [7, 1, 1, 1] }, { end: 'whole' });
    }).toThrow('a node that is not known');
    expect(() => {
      process().stream.define(5, []);
    }).toThrow('node 5 after node 0');
  });
});
