import { describe, expect, it } from 'vitest';
import { at } from '../../../../../src/core/at';
import { bottlenecksOf } from '../../../../../src/core/diagnosis/comparison/bottlenecks';
import { DeepStart, deepStartDefaults } from '../../../../../src/core/diagnosis/deepStart/deepStart';
import type { StackSample } from '../../../../../src/core/diagnosis/deepStart/functionCountGraph';
import { publishedHypotheses } from '../../../../../src/core/diagnosis/hypotheses/published';
import type { ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import { CostThrottle } from '../../../../../src/core/diagnosis/search/costThrottle';
import type { SearchCommand } from '../../../../../src/core/diagnosis/search/messages';
import { Search } from '../../../../../src/core/diagnosis/search/search';
import type { SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import type { VirtualSpec } from '../virtual/program';
import { VirtualRun, type VirtualOptions } from '../virtual/virtualRun';

const process = ['c2-047', 'om3{1374}'];
const code = (name: string): ResourcePath => ['om3.c', name];

interface Om3 {
  /** `caller callee callee` */
  readonly calls: readonly string[];
  /** Stacks of the process, outermost first. */
  readonly stacks: readonly string[];
  /** Share of the time with callees; of all others 0. */
  readonly hot: Readonly<Record<string, number>>;
  readonly cost?: (name: string) => number;
  readonly seconds: number;
}

/** A search of CPUBound in one process of om3, refined to functions only. */
function searchOm3({ calls, stacks, hot, cost = () => 0.001, seconds }: Om3): {
  readonly record: SearchRecord;
  /** Functions in the order in which their measurement was asked for. */
  readonly enabled: readonly string[];
} {
  const callees = new Map(
    calls.map((line) => line.split(' ')).map(([caller, ...called]) => [caller, called]),
  );
  const calleesOf = ([, name]: ResourcePath): readonly ResourcePath[] => (callees.get(name) ?? []).map(code);
  const search = new Search({
    hypotheses: publishedHypotheses.filter(({ id }) => id === 'CPUBound'),
    program: {
      entries: [code('main')],
      callees: calleesOf,
      children: () => [],
      predictedCost: (_, focus) => cost(focus.Code[1] ?? ''),
    },
    budget: new CostThrottle(1.5),
    about: { strategy: 'centralised', run: 'om3', clock: 'virtual', deepStart: true, costLimit: 1.5 },
  });
  const samples: readonly StackSample[] = stacks.map((stack) => ({
    machine: process,
    functions: stack.split(' ').map(code),
  }));
  const deepStart = new DeepStart(search, { poll: () => samples, callees: calleesOf });
  const measured = new Map<number, number>();
  const enabled: string[] = [];
  const obey = (command: SearchCommand): void => {
    if (command.type === 'disable') return void measured.delete(command.experiment);
    const [, name = ''] = command.focus.Code;
    measured.set(command.experiment, name === '' ? 1 : (hot[name] ?? 0));
    enabled.push(name);
  };
  search.start({ focus: { Code: [], Machine: process, SyncObject: [] }, along: 'Code' }).forEach(obey);
  for (let time = 1; time <= seconds; time++) {
    for (const [experiment, value] of [...measured]) {
      if (!measured.has(experiment)) continue;
      search.handle({ type: 'sample', time, experiment, value, start: time - 1, end: time }).forEach(obey);
      deepStart.onNews(time, search.takeNews()).forEach(obey);
    }
  }
  return { record: search.record(), enabled };
}

/** Names of the functions that lead to each node. */
function parentsOf({ nodes }: SearchRecord, name: string): readonly string[] {
  const found = nodes.filter(({ focus }) => focus.Code[1] === name);
  expect(found).toHaveLength(1);
  return at(found, 0).parents.map(({ node = -1, by }) => `${by} of ${nodes[node]?.focus.Code[1] ?? 'none'}`);
}

/** Whether parents lead from each node to a root. */
function isConnected({ nodes }: SearchRecord): boolean {
  const reached = new Set(nodes.filter(({ parents }) => parents.some(({ by }) => by === 'root')));
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const node of nodes)
      if (node.parents.some((parent) => reached.has(at(nodes, parent.node ?? node.id)))) reached.add(node);
  }
  return reached.size === nodes.length;
}

describe('a search with Deep Start', () => {
  it('T5: time_step is tested with the hypothesis and the process of main, as soon as main is', () => {
    const { record, enabled } = searchOm3({
      calls: ['main init time_step', 'time_step solve'],
      stacks: ['main init', 'main time_step', 'main time_step', 'main time_step'],
      hot: { main: 1, time_step: 0.8 },
      seconds: 30,
    });
    expect(enabled.slice(0, 3)).toEqual(['', 'main', 'time_step']);
    const starter = record.nodes.find(({ priority }) => priority === 'deep starter');
    expect(starter).toMatchObject({
      hypothesis: 'CPUBound',
      focus: { Code: code('time_step'), Machine: process, SyncObject: [] },
      parents: [{ by: 'deep starter' }],
    });
    expect(parentsOf(record, 'time_step')).toEqual(['deep starter of main']);
  });

  it('T5: the refinement of main adds no second experiment at a starter', () => {
    const { record } = searchOm3({
      calls: ['main init time_step', 'time_step solve'],
      stacks: ['main time_step'],
      hot: { main: 1, time_step: 0.8 },
      seconds: 100,
    });
    const names = record.nodes.map(({ focus }) => focus.Code[1] ?? '');
    expect(names.toSorted()).toEqual(['', 'init', 'main', 'solve', 'time_step']);
    expect(parentsOf(record, 'time_step')).toEqual(['deep starter of main']);
    expect(parentsOf(record, 'solve')).toEqual(['where of time_step']);
  });

  it('T7: three experiments connect p_makeMG with main, and all have a way to the root', () => {
    const { record } = searchOm3({
      calls: ['main a_anneal', 'a_anneal a_neighbor', 'a_neighbor p_isvalid', 'p_isvalid p_makeMG'],
      stacks: ['main a_anneal a_neighbor p_isvalid p_makeMG'],
      hot: { main: 1 },
      seconds: 60,
    });
    expect(record.nodes.filter(({ priority }) => priority === 'connecting')).toHaveLength(3);
    expect(parentsOf(record, 'a_anneal')).toContain('connecting of main');
    expect(parentsOf(record, 'a_neighbor')).toEqual(['connecting of a_anneal']);
    expect(parentsOf(record, 'p_isvalid')).toEqual(['connecting of a_neighbor']);
    expect(parentsOf(record, 'p_makeMG')).toEqual(['deep starter of p_isvalid']);
    expect(isConnected(record)).toBe(true);
    expect(record.nodes.every(({ truth }) => truth !== 'unknown')).toBe(true);
  });

  it('T6: what is refined from a starter is served before older experiments, those that connect in between', () => {
    const older = ['a1', 'a2', 'a3', 'a4', 'a5'];
    const { record, enabled } = searchOm3({
      calls: [`main ${older.join(' ')} x`, 'x y', 'y z', 'z w1 w2', 'w1 v1'],
      stacks: ['main x y z'],
      hot: { main: 1, x: 0.9, y: 0.9, z: 0.9, w1: 0.5, w2: 0.4 },
      // Two fit.
      cost: (name) => (name === '' ? 0.001 : name === 'main' ? 0.1 : 0.15),
      seconds: 400,
    });
    const served = [...new Set(enabled)].filter((name) => name !== '');
    expect(served.slice(0, 2)).toEqual(['main', 'z']);
    const places = (names: readonly string[]): readonly number[] => names.map((name) => served.indexOf(name));
    expect(places(['w1', 'w2', 'v1', 'x', 'y', ...older])).not.toContain(-1);
    expect(Math.max(...places(['w1', 'w2', 'v1']))).toBeLessThan(Math.min(...places(older)));
    expect(Math.max(...places(['x', 'y']))).toBeLessThan(Math.min(...places(older)));
    const idOf = (name: string): number => record.nodes.findIndex(({ focus }) => focus.Code[1] === name);
    expect(Math.max(...older.map(idOf))).toBeLessThan(idOf('w1'));
    for (const name of ['w1', 'w2', 'v1']) expect(record.nodes[idOf(name)]?.priority).toBe('deep starter');
  });

  it('T5: a starter that is false is not refined, and costs one experiment with those that connect it', () => {
    const { record } = searchOm3({
      calls: ['main f', 'f g', 'g h i j'],
      stacks: ['main f g'],
      hot: { main: 1, f: 0.1, g: 0.1 },
      seconds: 100,
    });
    expect(record.nodes.map(({ focus, truth }) => `${focus.Code[1] ?? ''} ${truth}`).toSorted()).toEqual([
      ' true',
      'f false',
      'g false',
      'main true',
    ]);
  });

  it('T5: hypotheses that are not started deep are left alone', () => {
    const search = new Search({
      hypotheses: publishedHypotheses,
      program: {
        entries: [code('main')],
        callees: () => [],
        children: () => [],
        predictedCost: () => 0,
      },
      budget: new CostThrottle(1.5),
      about: { strategy: 'centralised', run: 'om3', clock: 'virtual', deepStart: true, costLimit: 1.5 },
    });
    let polls = 0;
    const deepStart = new DeepStart(
      search,
      {
        poll: () => (polls++, [{ machine: process, functions: [code('main'), code('deep')] }]),
        callees: () => [],
      },
      deepStartDefaults,
    );
    search.start();
    const io = search.record().nodes.find(({ hypothesis }) => hypothesis === 'ExcessiveIOBlockingTime');
    search.handle({ type: 'sample', time: 30, experiment: io?.id ?? -1, value: 0.9, start: 0, end: 30 });
    deepStart.onNews(30, search.takeNews());
    expect(polls).toBe(0);
    expect(search.record().nodes.map(({ focus }) => focus.Code[1])).not.toContain('deep');
  });
});

describe('a function that is slow although none of its callers is', () => {
  const names = ['main', 'A', 'B', 'C', 'D', 'E'];
  const cpu = [0.05, 0.05, 0.03, 0.03, 0.03, 0.75];
  const hidden: VirtualSpec = {
    functions: names.map((name, index) => ({ module: 'app.c', name, cpu: at(cpu, index), rate: 100 })),
    calls: [
      { caller: 0, callee: 1, share: 1 },
      ...[2, 3, 4].map((callee) => ({ caller: 1, callee, share: 1 })),
      ...[2, 3, 4].map((caller) => ({ caller, callee: 5, share: 1 / 3 })),
    ],
    objects: [],
    hosts: 1,
    processesPerHost: 1,
  };
  const found = (record: SearchRecord): readonly (string | undefined)[] => [
    ...new Set([...bottlenecksOf(record).values()].map(({ focus }) => focus.Code[1])),
  ];

  const search = (options: Pick<VirtualOptions, 'seed' | 'deepStart'>): SearchRecord => {
    const run = new VirtualRun({ spec: hidden, strategy: 'centralised', ...options });
    run.run();
    return run.frontEnd.record!;
  };

  it('T8: is missed by the call graph', () => {
    const record = search({ seed: 1 });
    expect(found(record)).toEqual([undefined, 'main', 'A']);
    expect(record.state).toBe('complete');
  });

  it.each([1, 2, 3, 4, 5])('T8: is found with Deep Start, and connected (run %d)', (seed) => {
    const record = search({ seed, deepStart: deepStartDefaults.threshold });
    expect(found(record)).toContain('E');
    expect(found(record).toSorted()).toEqual(['A', 'E', 'main', undefined]);
    expect(isConnected(record)).toBe(true);
    expect(record.state).toBe('complete');
  });
});
