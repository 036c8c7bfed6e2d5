import { describe, expect, test } from 'vitest';
import { usualHypotheses } from '../../../../../src/core/diagnosis/hypotheses/usual';
import { answerable } from '../../../../../src/core/diagnosis/live/leftOut';
import { CodeTree } from '../../../../../src/core/diagnosis/live/codeTree';
import { printFocus } from '../../../../../src/core/diagnosis/resources/focusText';
import type { SearchNode, SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { readSearch, writeSearch } from '../../../../../src/formats/kymo-search/searchFile';
import { LiveSearch } from '../../../../../src/workflows/diagnosing/live/liveSearch';
import { liveDefaults } from '../../../../../src/workflows/diagnosing/live/settings';
import { liveStrategies } from '../../../../../src/workflows/diagnosing/live/diagnosisWish';
import type { LiveStrategy } from '../../../../../src/core/diagnosis/strategies/messages';
import { contradictionsOf } from '../../../../consistency/search/searchChecks';
import { windowOf } from '../../../core/diagnosis/live/windows';
import type { Call } from '../../../core/problems/runs';
import { fn, graphOf } from '../../../core/selection/graphs';

/** Four processes on two hosts; `kernel` is most of the time of all of them, and `rank 3` waits for the others. */
const twoHosts = ['a', 'a', 'b', 'b'];
const oneHost = ['a', 'a', 'a', 'a'];
const names = ['main', 'step', 'inlined', 'kernel', 'output'];
const code = new CodeTree(
  graphOf(
    names.map((key) => fn(key, { file: '/src/a.c' })),
    [
      ['main', 'step'],
      ['main', 'output'],
      ['step', 'inlined'],
      ['inlined', 'kernel'],
    ],
  ),
  (key) => key !== 'inlined',
);
const whole = (kernel: readonly number[], waiting: readonly number[]): Call => ({
  region: { name: 'main' },
  seconds: [0.1, 0.1, 0.1, 0.1],
  calls: [
    {
      region: { name: 'step' },
      seconds: [0.1, 0.1, 0.1, 0.1],
      calls: [
        { region: { name: 'kernel' }, seconds: kernel },
        { region: { name: 'MPI_Recv', paradigm: 'mpi', role: 'point2point', file: 'MPI' }, seconds: waiting },
      ],
    },
    { region: { name: 'output' }, seconds: [0.1, 0.1, 0.1, 0.1] },
  ],
});
const uneven = whole([0.6, 0.6, 0.6, 0.1], [0.1, 0.1, 0.1, 0.6]);

interface DriveOptions {
  readonly costLimit?: number;
  readonly concludeAfter?: number;
  /** Share of the processor time that recording a function takes. */
  readonly cost?: (key: string) => number;
  /** The same while it is recorded, where that is more than was predicted. */
  readonly real?: (key: string, second: number) => number;
  readonly seconds?: number;
  /** Of each process. */
  readonly hosts?: readonly string[];
  readonly program?: Call;
  /** Share that recording takes beside what the search has recorded. */
  readonly others?: (second: number) => number;
  /** At the end of each second. */
  readonly script?: (search: LiveSearch, second: number) => void;
}

interface Driven {
  readonly search: LiveSearch;
  readonly record: SearchRecord;
  /** Largest cost of what was recorded for the search in any second. */
  readonly largestCost: number;
}

/** Windows of a second each; what the search wants is recorded in the next one. */
function driven(strategy: LiveStrategy, options: DriveOptions = {}): Driven {
  const { costLimit = 0.03, concludeAfter = 2, seconds = 60, program = uneven } = options;
  const { cost = () => 0.001, real = cost, others = () => 0, script, hosts = twoHosts } = options;
  const always = new Set(['main']);
  let recorded = new Set(always);
  const first = windowOf(program, { hosts });
  const machine = first.values.resources.machine.children;
  const { hypotheses } = answerable(usualHypotheses, first);
  const search = new LiveSearch({
    settings: { ...liveDefaults, strategy, costLimit, concludeAfter, hypotheses },
    run: 'i0.r1',
    code,
    machine,
    cost: (key) => (recorded.has(key) ? 0 : cost(key)),
  });
  let largestCost = 0;
  for (let second = 0; second < seconds; second++) {
    const own = [...recorded].filter((key) => !always.has(key));
    const share = own.reduce((sum, key) => sum + real(key, second), others(second));
    if (search.state !== 'stopped') largestCost = Math.max(largestCost, share);
    const windows = search.hosts.map((host) =>
      windowOf(program, {
        ...{ start: second, end: second + 1, hosts, recorded: [...recorded] },
        ...(host !== undefined && { host }),
      }),
    );
    const costs = new Map(hosts.map((_, rank) => [`rank ${rank}`, share]));
    const dear = own.filter((key) => real(key, second) > costLimit);
    search.take(second + 1, windows, costs, [], new Map(dear.map((key) => [key, 'It took too much.'])));
    script?.(search, second + 1);
    recorded = new Set([...always, ...search.wanted]);
  }
  const { record } = search;
  // What takes more than was predicted is over the limit until it is seen.
  const isOver = (sentence: string): boolean => options.real !== undefined && sentence.includes('it cost');
  expect(contradictionsOf(record).filter((sentence) => !isOver(sentence))).toEqual([]);
  expect(record.largestCost?.share).toBe(largestCost);
  return { search, record, largestCost };
}

const text = ({ hypothesis, focus }: SearchNode): string => `${hypothesis} ${printFocus(focus)}`;
const trueOnes = ({ nodes }: SearchRecord): readonly string[] =>
  nodes
    .filter(({ truth }) => truth === 'true')
    .map(text)
    .sort();
const node = ({ nodes }: SearchRecord, name: string): SearchNode | undefined =>
  nodes.find((one) => text(one) === name);
const cpuBound = 'CPUBound < /Code, /Machine, /SyncObject >';
const cpuBoundKernel = 'CPUBound < /Code/a.c/kernel, /Machine, /SyncObject >';
const atA = (name: string): string => name.replace('/Machine', '/Machine/a');

describe('a search in running processes', () => {
  test.each(liveStrategies)('names the function, hosts and processes that compute (%s)', (strategy) => {
    const { record } = driven(strategy);
    expect(record).toMatchObject({ strategy, run: 'i0.r1', clock: 'wall', end: 60 });
    expect(['steady', 'complete']).toContain(record.state);
    const found = trueOnes(record);
    for (const rank of [0, 1])
      expect(found).toContain(`CPUBound < /Code/a.c/kernel, /Machine/a/rank ${rank}, /SyncObject >`);
    expect(found).toContain('CPUBound < /Code/a.c/kernel, /Machine/b/rank 2, /SyncObject >');
    expect(found.filter((name) => name.includes('rank 3') && name.includes('kernel'))).toEqual([]);
    expect(found.filter((name) => name.includes('output'))).toEqual([]);
    expect(readSearch(writeSearch(record), 'search.json')).toEqual(record);
  });

  test('finds the same at processes whoever searches, and the same of the whole program where that is searched', () => {
    const [ca, pda, tda] = liveStrategies.map((strategy) => trueOnes(driven(strategy).record));
    expect(pda).toEqual(ca);
    const ofProcesses = (all: readonly string[] = []): readonly string[] =>
      all.filter((name) => name.includes('/rank'));
    expect(ofProcesses(tda).filter((name) => !ca?.includes(name))).toEqual([]);
    expect(ofProcesses(tda).filter((name) => name.startsWith('CPUBound'))).toEqual(
      ofProcesses(ca).filter((name) => name.startsWith('CPUBound')),
    );
    expect(ca).toContain(cpuBoundKernel);
    expect(ca).toContain('ExcessiveSyncWaitingTime < /Code, /Machine, /SyncObject/Message/MPI_Recv >');
  });

  test.each(liveStrategies)('concludes after values have agreed for as long as it must (%s)', (strategy) => {
    const first = (seconds: number): number =>
      Math.min(
        ...driven(strategy, { concludeAfter: seconds, seconds: 12 }).record.nodes.flatMap(({ conclusions }) =>
          conclusions.map(({ time }) => time),
        ),
      );
    // What is asked for within a window counts from a little later.
    for (const seconds of [1, 3, 7]) {
      expect(first(seconds)).toBeGreaterThanOrEqual(seconds);
      expect(first(seconds)).toBeLessThanOrEqual(seconds + 1);
    }
  });

  // Each host records what its own agent wants.
  test.each(liveStrategies)('records no more than its limit allows on a host (%s)', (strategy) => {
    const of = { hosts: oneHost, cost: (): number => 0.012 };
    const free = driven(strategy, { ...of, costLimit: 0.5 });
    const tight = driven(strategy, { ...of, costLimit: 0.02, seconds: 200 });
    expect(free.largestCost).toBeGreaterThan(0.02);
    expect(tight.largestCost).toBeLessThanOrEqual(0.02 + 1e-9);
    expect(tight.largestCost).toBeGreaterThan(0);
  });

  test('finds the same within a tight limit, later', () => {
    const cost = (): number => 0.02;
    const free = driven('centralised', { cost, costLimit: 0.5 });
    const tight = driven('centralised', { cost, costLimit: 0.03, seconds: 200 });
    expect(trueOnes(tight.record)).toEqual(trueOnes(free.record));
  });

  test.each(liveStrategies)(
    'does not record what would cost more by itself, and says so (%s)',
    (strategy) => {
      const { record, largestCost } = driven(strategy, { cost: (key) => (key === 'kernel' ? 0.2 : 0.001) });
      expect(largestCost).toBeLessThanOrEqual(0.03);
      const kernels = record.nodes.filter((one) => text(one).includes('/kernel'));
      expect(kernels.length).toBeGreaterThan(0);
      expect(kernels.every(({ truth, problem }) => truth === 'unknown' && problem !== undefined)).toBe(true);
      expect(trueOnes(record).some((name) => name.includes('/step'))).toBe(true);
    },
  );

  test.each(liveStrategies)('gives up at once what takes more than was predicted (%s)', (strategy) => {
    const recorded: number[] = [];
    const { record } = driven(strategy, {
      real: (key, second) => (key === 'kernel' && second >= 30 ? 0.2 : 0.001),
      script: (search, second) => {
        if (search.wanted.has('kernel')) recorded.push(second);
      },
    });
    expect(Math.max(...recorded)).toBe(30);
    const kernels = record.nodes.filter((one) => text(one).includes('/kernel'));
    expect(kernels.some(({ problem }) => problem === 'It took too much.')).toBe(true);
    // What was concluded before stays so.
    expect(trueOnes(record).some((name) => name.includes('/kernel'))).toBe(true);
  });

  test.each(liveStrategies)('stops recording what it has concluded about, or stops (%s)', (strategy) => {
    const { search, record } = driven(strategy, {
      script: (one, second) => {
        if (second === 10) one.control({ type: 'stop' });
      },
    });
    expect([...search.wanted]).toEqual([]);
    expect(record.state).toBe('stopped');
  });

  test.each(liveStrategies)('has no cost of what is recorded after it was stopped (%s)', (strategy) => {
    const { record } = driven(strategy, {
      others: (second) => (second >= 20 ? 0.01 : 0),
      script: (one, second) => {
        if (second === 10) one.control({ type: 'stop' });
      },
    });
    expect(record.largestCost?.time).toBeLessThanOrEqual(10);
    expect(readSearch(writeSearch(record), 'search.json')).toEqual(record);
  });

  test.each(liveStrategies)('follows thresholds that change while it concludes (%s)', (strategy) => {
    const { record } = driven(strategy, {
      script: (search, second) => {
        if (second === 20) search.control({ type: 'threshold', hypothesis: 'CPUBound', threshold: 0.95 });
      },
    });
    expect(trueOnes(record).filter((name) => name.startsWith('CPUBound'))).toEqual([]);
    expect(record.hypotheses.find(({ id }) => id === 'CPUBound')?.threshold).toBe(0.95);
    const ofCpu = record.nodes.filter(
      ({ hypothesis, conclusions }) => hypothesis === 'CPUBound' && conclusions.length > 1,
    );
    expect(ofCpu.length).toBeGreaterThan(3);
  });

  test.each(liveStrategies)('makes nothing new while it is paused (%s)', (strategy) => {
    const counts: number[] = [];
    const { record } = driven(strategy, {
      concludeAfter: 4,
      script: (search, second) => {
        if (second === 5) search.control({ type: 'pause' });
        if (second === 30) search.control({ type: 'resume' });
        if ([6, 29].includes(second)) {
          expect(search.state).toBe('paused');
          counts.push(search.record.nodes.length);
        }
      },
    });
    expect(counts[1]).toBe(counts[0]);
    expect(record.nodes.length).toBeGreaterThan(counts[0] ?? Infinity);
    expect(trueOnes(record)).toEqual(trueOnes(driven(strategy, { concludeAfter: 4 }).record));
  });

  test.each(liveStrategies)(
    'goes on without a host that is lost, and says that what it knew is old (%s)',
    (strategy) => {
      const { record } = driven(strategy, {
        script: (search, second) => {
          if (second === 20) search.lost('a');
        },
      });
      const ofHost = (host: string): readonly SearchNode[] =>
        record.nodes.filter(({ focus, conclusions }) => focus.Machine[0] === host && conclusions.length > 0);
      expect(ofHost('a').length).toBeGreaterThan(2);
      expect(ofHost('a').every(({ stale }) => stale === true)).toBe(true);
      expect(ofHost('b').some(({ stale }) => stale === true)).toBe(false);
    },
  );

  test.each(liveStrategies)('ends with the program, also before anything has concluded (%s)', (strategy) => {
    const { record } = driven(strategy, {
      concludeAfter: 5,
      seconds: 2,
      script: (search, second) => {
        if (second === 2) search.end();
      },
    });
    expect(record.state).toBe('ended');
    expect(trueOnes(record)).toEqual([]);
    expect(record.nodes.length).toBeGreaterThan(0);
  });

  test('of the whole program has the ranks that compute longest', () => {
    const imbalance = 'ImbalanceOfProcesses < /Code, /Machine, /SyncObject >';
    expect(node(driven('centralised').record, imbalance)).toMatchObject({ truth: 'true' });
    expect(node(driven('partially distributed').record, cpuBound)).toMatchObject({ truth: 'true' });
    expect(node(driven('partially distributed').record, atA(cpuBound))).toMatchObject({ truth: 'true' });
  });
});
