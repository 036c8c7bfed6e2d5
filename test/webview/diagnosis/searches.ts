import type { Hypothesis } from '../../../src/core/diagnosis/hypotheses/hypothesis';
import { wholeProgram, type Focus } from '../../../src/core/diagnosis/resources/focus';
import type {
  ParentEdge,
  SearchNode,
  SearchRecord,
  Truth,
} from '../../../src/core/diagnosis/search/searchRecord';

const hypothesis = (
  id: string,
  label: string,
  metric: string | undefined,
  threshold: number,
  more: Partial<Hypothesis> = {},
): Hypothesis => ({
  id,
  label,
  ...(metric !== undefined && { metric }),
  holds: 'above',
  threshold,
  pruned: [],
  expansion: 'why-and-where',
  children: [],
  advice: `Look at what ${label.toLowerCase()} is about.`,
  ...more,
});

export const hypotheses: readonly Hypothesis[] = [
  hypothesis('CPUBound', 'CPU bound', 'computing', 0.3, {
    advice: 'Make this code cheaper: a better algorithm, fewer passes over the data, vectorisation.',
  }),
  hypothesis('ExcessiveSyncWaitingTime', 'Waiting for others', 'synchronisation', 0.2, {
    children: ['LateSender'],
    advice: 'Find out who comes late, and distribute the work before this more evenly.',
  }),
  hypothesis('LateSender', 'Late sender', 'lateSender', 0.05),
  hypothesis('ExcessiveIOBlockingTime', 'Input and output', 'inputOutput', 0.2, {
    children: ['TooManySmallIOOps'],
  }),
  hypothesis('TooManySmallIOOps', 'Many small I/O operations', 'bytesPerOperation', 4096, { holds: 'below' }),
  hypothesis('LoadImbalance', 'Load imbalance', undefined, 0),
];

/** A search that is written down experiment by experiment. */
export class Written {
  readonly nodes: SearchNode[] = [];

  add(
    id: string,
    focus: Partial<Focus>,
    truth: Truth,
    value: number | undefined,
    parents: readonly ParentEdge[],
    more: Partial<SearchNode> = {},
  ): number {
    const threshold = hypotheses.find((one) => one.id === id)?.threshold ?? 0;
    const number = this.nodes.length;
    const time = 20 + number / 2;
    this.nodes.push({
      id: number,
      hypothesis: id,
      focus: { ...wholeProgram, ...focus },
      parents,
      truth,
      activity: 'inactive',
      priority: 'where',
      ...(value !== undefined && { value }),
      threshold,
      ...(value !== undefined && { data: [number / 2, time] as const }),
      conclusions: truth === 'unknown' ? [] : [{ time, truth, value: value ?? 0 }],
      predictedCost: 0.002,
      ...more,
    });
    return number;
  }

  record(more: Partial<SearchRecord> = {}): SearchRecord {
    return {
      strategy: 'recorded',
      run: 'i3.r1',
      clock: 'recorded',
      deepStart: false,
      costLimit: 1.5,
      end: 0,
      state: 'complete',
      hypotheses,
      nodes: this.nodes,
      notices: [],
      ...more,
    };
  }
}

const root = [{ by: 'root', time: 0 }] as const;
const from = (node: number, by: ParentEdge['by'] = 'where'): ParentEdge => ({ node, by, time: 1 });

/** A solver that computes, waits for late senders, and writes little pieces; `pack` is called from two functions. */
export function solver(more: Partial<SearchRecord> = {}): SearchRecord {
  const search = new Written();
  const cpu = search.add('CPUBound', {}, 'true', 0.62, root);
  const wait = search.add('ExcessiveSyncWaitingTime', {}, 'true', 0.27, root);
  const io = search.add('ExcessiveIOBlockingTime', {}, 'false', 0.08, root);
  search.add('LoadImbalance', {}, 'unknown', undefined, root);
  const main = search.add('CPUBound', { Code: ['solver.c', 'main'] }, 'true', 0.62, [from(cpu)]);
  const solve = search.add('CPUBound', { Code: ['solver.c', 'solve'] }, 'true', 0.55, [from(main)]);
  search.add('CPUBound', { Code: ['solver.c', 'output'] }, 'false', 0.02, [from(main)]);
  const sweep = search.add('CPUBound', { Code: ['sweep.c', 'sweep'] }, 'true', 0.41, [from(solve)]);
  const norm = search.add('CPUBound', { Code: ['solver.c', 'norm'] }, 'false', 0.11, [from(solve)]);
  search.add('CPUBound', { Code: ['sweep.c', 'pack'] }, 'false', 0.04, [from(sweep), from(norm)]);
  for (const rank of [0, 1, 2, 3])
    search.add(
      'CPUBound',
      { Code: ['sweep.c', 'sweep'], Machine: ['c33', `solver{${1272 + rank}}`] },
      rank === 3 ? 'false' : 'true',
      rank === 3 ? 0.2 : 0.45 + rank / 100,
      [from(sweep)],
    );
  search.add('LateSender', {}, 'true', 0.17, [from(wait, 'why')]);
  search.add('ExcessiveSyncWaitingTime', { SyncObject: ['Message'] }, 'true', 0.25, [from(wait)]);
  search.add('TooManySmallIOOps', {}, 'false', 9000, [from(io, 'why')]);
  return search.record(more);
}

/** The same while it runs, with what only a live search has. */
export function live(): SearchRecord {
  const { nodes } = solver();
  const search = new Written();
  search.nodes.push(
    ...nodes.map((node, id): SearchNode => ({
      ...node,
      activity: id < 8 ? 'active' : 'inactive',
      ...(id === 14 && { stale: true as const }),
    })),
  );
  const starter = search.add(
    'CPUBound',
    { Code: ['fft.c', 'fft_inner'] },
    'unknown',
    0.31,
    [from(4, 'deep starter')],
    {
      activity: 'active',
      priority: 'deep starter',
    },
  );
  search.add('CPUBound', { Code: ['fft.c', 'fft'] }, 'unknown', undefined, [from(4, 'connecting')], {
    activity: 'waiting',
    priority: 'connecting',
  });
  search.add('CPUBound', { Code: ['fft.c', 'twiddle'] }, 'unknown', undefined, [from(starter)], {
    activity: 'deferred',
  });
  search.add('CPUBound', { Code: ['fft.c', 'swap'] }, 'unknown', undefined, [from(starter)], {
    problem: 'Predicted cost 0.41 exceeds the limit.',
  });
  return search.record({
    strategy: 'partially distributed',
    run: 'mpirun -np 4 solver',
    clock: 'wall',
    deepStart: true,
    end: 48.2,
    state: 'searching',
    notices: [
      { time: 12.5, message: 'The search is slowed: measuring reaches the cost limit.' },
      { time: 31, message: 'New tags of /SyncObject/Message/0 come too fast: they are not searched.' },
    ],
  });
}

/** As of a search on many processes: 30 experiments on each. */
export function large(processes: number): SearchRecord {
  const search = new Written();
  const top = search.add('CPUBound', {}, 'true', 0.6, root);
  for (let rank = 0; rank < processes; rank++) {
    const host = `node${String(Math.floor(rank / 2)).padStart(3, '0')}`;
    const Machine = [host, `su3_rmd{${4000 + rank}}`];
    const process = search.add('CPUBound', { Machine }, 'true', 0.6, [from(top)]);
    for (let number = 0; number < 29; number++) {
      const Code = ['ks.c', number === 0 ? '<img src=x onerror=alert(1)>' : `function_${number}`];
      const truth = number % 5 === 0 ? 'true' : 'false';
      search.add('CPUBound', { Code, Machine }, truth, truth === 'true' ? 0.4 : 0.05, [from(process)]);
    }
  }
  return search.record({ run: 'su3_rmd', clock: 'virtual', end: 300, strategy: 'truly distributed' });
}

/** Nothing is true. */
export function balanced(): SearchRecord {
  const search = new Written();
  search.add('CPUBound', {}, 'false', 0.1, root);
  search.add('ExcessiveSyncWaitingTime', {}, 'false', 0.01, root);
  return search.record();
}
