import { describe, expect, it } from 'vitest';
import { LiveIterations, type WatchedProcess } from '../../../../src/measurement/results/live/liveIterations';
import { SeriesOfIterations } from '../../../../src/workflows/dynamics/iterationsSeries';
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
const layout = { hasWaits: false, hasPreempted: false };
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

/** By metric, rank, thread and region: values so far. */
class Seen {
  readonly values: Record<string, number[]> = {};
  private series: SeriesOfIterations | undefined;
  private first = 0;

  constructor(private readonly live: LiveIterations) {}

  take(): Record<string, number[]> {
    const samples = this.live.take();
    const { directory } = this.live;
    if (directory === undefined) return this.values;
    this.series ??= new SeriesOfIterations(directory, layout, options);
    const burst = this.series.burst(this.first, samples.length, samples);
    for (const { context, values } of burst.series) {
      const { metric, rank, thread, region } = context;
      const all = (this.values[`${metric} ${rank}.${thread} ${region.kind} ${region.name}`] ??= []);
      while (all.length < this.first) all.push(0);
      all.push(...[...values].map((value) => Math.round(value * 1e6) / 1e6));
    }
    this.first += samples.length;
    return this.values;
  }
}

describe('the iterations of a run that is not over', () => {
  it('are those that all its processes have', () => {
    const live = new LiveIterations(program);
    const seen = new Seen(live);
    const [a, b] = [
      new Sender(live.begin(() => 0, 'process 1')),
      new Sender(live.begin(() => 1, 'process 2')),
    ];
    a.send(...definitions, ...iteration(1), ...iteration(2));
    expect(seen.take()).toEqual({ 'time 0.0 phase step': [] });
    b.send(...definitions, ...iteration(3));
    expect(seen.take()).toEqual({
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
    expect(seen.take()['time 0.0 phase step']).toEqual([0.01, 0.02]);
    expect(seen.values['time 1.0 phase step']).toEqual([0.03, 0]);
  });

  it('have contexts that come later, and the thread of the phase as the first', () => {
    const live = new LiveIterations(program);
    const seen = new Seen(live);
    const process = new Sender(live.begin(() => 0, 'process 1'));
    process.send({ phase: { thread: 3, slot: 1, above: [0] } }, { values: [1, 1, 10, 1] }, { end: 'whole' });
    seen.take();
    process.send(
      { node: { thread: 0, parent: 0, slot: 2 } },
      { values: [1, 1, 20, 1] },
      { values: [2, 1, 5, 0] },
      { end: 'whole' },
    );
    expect(seen.take()).toMatchObject({
      'time 0.0 phase step': [0.01, 0.02],
      'time 0.3 function solve': [0, 0.005],
    });
  });

  it('estimate visits that were only counted by those that were timed so far, in the first iteration, too', () => {
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
    expect(seen.take()['time 0.0 function small']).toEqual([0.28]);
    process.send({ values: [1, 1, 1000, 9] }, { values: [3, 50, 0, 0] }, { end: 'whole' });
    expect(seen.take()['time 0.0 function small']).toEqual([0.28, 0.1]);
  });

  it('are of one phase: the target’s, or the first; the others are named', () => {
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
    const phases = (phase?: string): unknown => {
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
        seen.take()[`time 0.0 phase ${phase ?? 'solve'}`],
      ];
    };
    expect(phases()).toEqual(['solve', ['step'], [0.007]]);
    expect(phases('step')).toEqual(['step', ['solve'], [0.009]]);
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
