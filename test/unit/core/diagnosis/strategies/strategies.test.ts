import { describe, expect, test } from 'vitest';
import { foldedTree, membersOf, type FoldedNode } from '../../../../../src/core/diagnosis/folding/foldedTree';
import { pathKey, type Folding } from '../../../../../src/core/diagnosis/folding/folding';
import { numbersOf } from '../../../../../src/core/diagnosis/folding/runs';
import type { SearchNode } from '../../../../../src/core/diagnosis/search/searchRecord';
import { oneSlowProcess, smallProgram } from '../virtual/smallProgram';
import { VirtualRun, type VirtualOptions } from '../virtual/virtualRun';

/** Conclusions after 4 s instead of 20, and a sample per second: what is tested here does not depend on it. */
const rules = { minTimeToTrue: 4, minTimeToFalse: 4, completeAfter: 5 };
const strategies = ['centralised', 'partially distributed', 'truly distributed'] as const;
const [, pda, tda] = strategies;

/** A centralised search of many processes waits for ever for room among 300 active experiments: that is what the other two are for. */
const withRoom = { ...rules, maxActive: 3000 };

function finished(options: VirtualOptions): VirtualRun {
  const run = new VirtualRun({ samplingInterval: 1, rules, longest: 400, ...options });
  expect(run.run(), `${options.strategy} is complete`).toBe(true);
  return run;
}

/** Truths by place of a folded graph, with who is there; of hosts and processes alone. */
function placesOf({ entries }: Folding): Record<string, readonly number[]> {
  return Object.fromEntries(
    [...entries.values()]
      .filter(({ owner }) => owner !== 'program')
      .map(({ path, runs }) => [pathKey(path), [...numbersOf(runs)]] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const truthsOf = (nodes: readonly SearchNode[]): readonly string[] =>
  nodes.map(({ hypothesis, focus, truth }) => JSON.stringify([hypothesis, focus, truth])).sort();

const rounded = (share: number): number => Math.round(share * 1e6) / 1e6;

function* nodesOf(nodes: readonly FoldedNode[]): Iterable<FoldedNode> {
  for (const node of nodes) {
    yield node;
    yield* nodesOf(node.children);
  }
}

describe('three strategies in one program', () => {
  test.each([2, 8, 32])('D1: the folded results of %i processes are equal', (processes) => {
    const [central, partial, distributed] = strategies.map(
      (strategy) => finished({ spec: smallProgram(processes / 2), strategy, rules: withRoom }).frontEnd,
    );
    expect(foldedTree(partial!.folded)).toEqual(foldedTree(central!.folded));
    const all = placesOf(central!.folded);
    const everywhere = placesOf(distributed!.folded);
    const only = (some: object, others: object): readonly string[] =>
      Object.keys(some).filter((path) => !(path in others));
    // Nobody gives agents functions that are true in the whole program: they come to them in processes.
    const ofHosts = only(all, everywhere);
    expect(ofHosts.filter((path) => !/"host"[^\n]*\n\["function"/.test(path))).toEqual([]);
    // And they test all hypotheses, also those that are false in the whole program.
    expect(only(everywhere, all)).toEqual([
      '["hypothesis","ExcessiveIOBlockingTime",null,null]\n["host","*","false",null]',
    ]);
    expect(Object.entries(all).filter(([path]) => !ofHosts.includes(path))).toEqual(
      Object.entries(everywhere).filter(([path]) => path in all),
    );
    expect(Object.keys(all).length - ofHosts.length).toBeGreaterThan(15);
  });

  test('D2: the front end evaluates no sample of a host, and agents search at the same time', () => {
    const [one, sixteen] = [1, 16].map((hosts) => finished({ spec: smallProgram(hosts), strategy: pda }));
    expect(sixteen!.received).not.toHaveProperty('sample of a host');
    const delegated = sixteen!.frontEnd.record!.nodes.filter(({ focus }) => focus.Machine.length > 0);
    expect(delegated.length).toBeGreaterThanOrEqual(16);
    expect(new Set(delegated.map(({ focus }) => focus.Machine.length))).toEqual(new Set([1]));
    expect(delegated.filter(({ data, truth }) => data !== undefined || truth !== 'unknown')).toEqual([]);
    expect(sixteen!.time).toBeLessThan(1.3 * one!.time);
  });

  test('D2: a delegated experiment is the root of what its agent finds, and concerns that host only', () => {
    const run = finished({ spec: smallProgram(3), strategy: pda });
    run.agents.forEach((agent, number) => {
      const nodes = agent.record!.nodes;
      expect(nodes[0]).toMatchObject({
        hypothesis: 'CPUBound',
        focus: { Code: [], Machine: [run.program.hostNames[number]], SyncObject: [] },
        truth: 'true',
      });
      expect(new Set(nodes.map(({ focus }) => focus.Machine[0]))).toEqual(
        new Set([run.program.hostNames[number]]),
      );
    });
  });

  test('D3: after the start, a front end of a truly distributed search sends nothing, and receives only results', () => {
    const run = finished({ spec: smallProgram(16), strategy: tda });
    expect([run.sent, run.sentBytes]).toEqual([{}, 0]);
    expect(Object.keys(run.received).sort()).toEqual(['results', 'steady']);
    expect(run.frontEnd.record).toBeUndefined();
    expect(run.frontEnd.folded.names.processes.size).toBe(32);
  });

  test.each([true, false])(
    'D6: with borrowing %s, no process is measured beyond the limit, and the search ends',
    (isBorrowing) => {
      const spec = smallProgram(4);
      const expensive = {
        ...spec,
        functions: spec.functions.map((fn, i) => ({ ...fn, rate: i > 1 ? 2e4 : fn.rate })),
      };
      const free = finished({ spec: expensive, strategy: pda, isBorrowing, costLimit: 3 });
      const tight = finished({ spec: expensive, strategy: pda, isBorrowing, costLimit: 1.08 });
      expect(free.largestCost).toBeGreaterThan(1 - 1 / 1.08);
      expect(tight.largestCost).toBeLessThanOrEqual(1 - 1 / 1.08 + 1e-9);
      expect(tight.time).toBeGreaterThan(free.time);
      expect(placesOf(tight.frontEnd.folded)).toEqual(placesOf(free.frontEnd.folded));
    },
  );

  test('D5: each agent knows the cost of each of its processes, the front end the largest of all', () => {
    const run = finished({ spec: smallProgram(9), strategy: pda });
    const costs = run.agents.flatMap(({ processCosts }) => processCosts.map(({ total }) => total));
    expect(Math.max(...costs)).toBeGreaterThan(0);
    expect(rounded(run.frontEnd.largestCost.total)).toBe(rounded(Math.max(...costs)));
    const [first, second] = run.agents[0]!.processCosts;
    expect([first!.process, second!.process]).toEqual(run.program.processNames.slice(0, 2));
    expect(first!.total).toBeCloseTo(first!.local + first!.global, 9);
  });

  test('D7: with stored samples the conclusions are the same, and earlier where data exist', () => {
    const most = 4800;
    let largest = 0;
    const spec = smallProgram(4);
    const independent = finished({ spec, strategy: pda });
    const stored = finished({
      spec,
      strategy: pda,
      storedBytes: most,
      script: ({ agents }) => (largest = Math.max(largest, ...agents.map(({ storedBytes }) => storedBytes))),
    });
    expect(placesOf(stored.frontEnd.folded)).toEqual(placesOf(independent.frontEnd.folded));
    const [later, earlier] = [independent, stored].map(
      (run) => run.agents[0]!.record!.nodes[0]!.conclusions[0]!.time,
    );
    expect(earlier).toBeLessThan(later! - 2);
    expect(stored.time).toBeLessThan(independent.time);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThanOrEqual(most);
  });

  test.each(strategies)('D8: one slow process of 64 is named by a %s search', (strategy) => {
    const slow = 41;
    const { program, frontEnd } = finished({ spec: oneSlowProcess(64, slow), strategy, rules: withRoom });
    const { folded } = frontEnd;
    const alone = [...nodesOf(foldedTree(folded).children)].filter(
      ({ level, truth, count }) => level === 'process' && truth !== undefined && count === 1,
    );
    expect(alone.length).toBeGreaterThan(0);
    for (const node of alone)
      expect(membersOf(node, folded.names, 2)).toEqual([
        { host: program.hostNames[20], process: program.processNames[slow], number: slow },
      ]);
    // It does not wait, and all others wait for it.
    expect(alone.map(({ truth }) => truth)).toContain('false');
  });

  test.each(strategies)(
    'D9: without a lost agent, a %s search goes on, and marks what is known of its host',
    (strategy) => {
      const lost = 2;
      const run = finished({
        spec: smallProgram(5),
        strategy,
        script: (one, time) => {
          if (time === 14) one.lose(lost);
        },
      });
      expect([...numbersOf(run.frontEnd.stale.host)]).toEqual([lost]);
      expect([...numbersOf(run.frontEnd.stale.process)]).toEqual([4, 5]);
      const host = run.program.hostNames[lost]!;
      const nodes = run.frontEnd.record?.nodes.filter(({ focus }) => focus.Machine[0] === host) ?? [];
      expect(nodes.every(({ stale }) => stale === true)).toBe(true);
      const others = finished({ spec: smallProgram(5), strategy });
      const without = (folding: Folding): typeof places => {
        const places = placesOf(folding);
        return Object.fromEntries(
          Object.entries(places).flatMap(([path, numbers]) => {
            const isProcess = path.includes('"process"');
            const left = numbers.filter((n) => (isProcess ? n !== 4 && n !== 5 : n !== lost));
            return left.length === 0 ? [] : [[path, left]];
          }),
        );
      };
      expect(without(run.frontEnd.folded)).toEqual(without(others.frontEnd.folded));
    },
  );

  test('D6: what one host cannot measure is measured by none', () => {
    const run = finished({
      spec: smallProgram(4),
      strategy: pda,
      refused: (host, metric, { Code }) =>
        host === 'node0003' && metric === 'cpu' && Code[1] === 'smooth' ? 'it is running' : undefined,
    });
    const smooth = run.frontEnd.record!.nodes.find(
      ({ hypothesis, focus }) =>
        hypothesis === 'CPUBound' && focus.Code[1] === 'smooth' && focus.Machine.length === 0,
    );
    expect(smooth).toMatchObject({
      truth: 'unknown',
      activity: 'inactive',
      problem: 'node0003: it is running',
    });
    for (const { costs } of run.hosts) expect(Math.max(...costs)).toBeLessThan(0.05);
  });

  test.each(strategies)('the same options give the same %s search', (strategy) => {
    const [one, other] = [1, 2].map(() => finished({ spec: smallProgram(3), strategy, noise: 0.01 }));
    expect(one!.time).toBe(other!.time);
    expect(one!.agents.map(({ record }) => record)).toEqual(other!.agents.map(({ record }) => record));
    expect(one!.frontEnd.record).toEqual(other!.frontEnd.record);
    expect(truthsOf(one!.frontEnd.record?.nodes ?? [])).toEqual(
      truthsOf(other!.frontEnd.record?.nodes ?? []),
    );
  });
});
