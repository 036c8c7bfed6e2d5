import { DeepStart, type DeepStartOptions } from '../../../../../src/core/diagnosis/deepStart/deepStart';
import { SampleBuffer } from '../../../../../src/core/diagnosis/deepStart/sampleBuffer';
import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import { publishedHypotheses } from '../../../../../src/core/diagnosis/hypotheses/published';
import { CostThrottle } from '../../../../../src/core/diagnosis/search/costThrottle';
import type { SearchCommand, SearchEvent } from '../../../../../src/core/diagnosis/search/messages';
import { Search } from '../../../../../src/core/diagnosis/search/search';
import type { SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { at } from '../../../../../src/core/at';
import { randomNumbers } from '../../../../../src/core/randomNumbers';
import { VirtualProgram, type VirtualSpec } from '../virtual/program';

export interface VirtualSearch {
  readonly spec: VirtualSpec;
  /** Of the stacks that are sampled, and of how long requests take. */
  readonly seed: number;
  /** Absent: the search follows the call graph alone. */
  readonly deepStart?: DeepStartOptions;
  readonly hypotheses?: readonly Hypothesis[];
  readonly costLimit?: number;
  /** Virtual seconds after which a search ends that is not complete before. */
  readonly longest?: number;
}

/** Metrics of the synthetic program, by hypothesis. */
const metricOf: Readonly<Record<string, string>> = {
  CPUBound: 'cpu',
  ExcessiveSyncWaitingTime: 'sync',
  ExcessiveIOBlockingTime: 'io',
  TooManySmallIOOps: 'bytes per operation',
};

interface Measured {
  readonly experiment: number;
  readonly gauge: (start: number, end: number) => number;
  readonly calls: readonly SearchEvent[];
  /** When the request is answered. */
  readonly from: number;
  isAccepted: boolean;
}

/** A centralised search in a synthetic program until it is complete, in steps of a virtual second. */
export function searchVirtually(options: VirtualSearch): SearchRecord {
  const {
    spec,
    seed,
    deepStart,
    hypotheses = publishedHypotheses,
    costLimit = 1.5,
    longest = 20_000,
  } = options;
  const program = new VirtualProgram(spec);
  const random = randomNumbers(seed);
  const search = new Search({
    hypotheses,
    program: program.searched,
    budget: new CostThrottle(costLimit),
    about: {
      strategy: 'centralised',
      run: spec.executable ?? 'app',
      clock: 'virtual',
      deepStart: deepStart !== undefined,
      costLimit,
    },
  });
  let time = 0;
  const stacks = new SampleBuffer((machine) =>
    program.processesIn(machine).map((process) => ({
      machine: [at(program.hostNames, program.hostOf(process)), at(program.processNames, process)],
      functions: program.stack(process, time, random),
    })),
  );
  const starter =
    deepStart &&
    new DeepStart(search, { poll: () => stacks.poll(), callees: program.searched.callees }, deepStart);
  const measured = new Map<number, Measured>();
  const obey = (command: SearchCommand): void => {
    stacks.onCommand(command);
    if (command.type === 'disable') return void measured.delete(command.experiment);
    const { experiment, hypothesis, focus } = command;
    const calls = program.indirectCalls(focus.Code);
    measured.set(experiment, {
      experiment,
      gauge: program.gauge(metricOf[hypothesis] ?? hypothesis, focus),
      calls: calls.map((callee) => ({ type: 'call', time: 0, caller: focus.Code, callee })),
      from: time + 0.1 + 0.9 * random(),
      isAccepted: false,
    });
  };
  const tell = (event: SearchEvent): void => search.handle(event).forEach(obey);
  const startDeep = (): void => starter?.onNews(time, search.takeNews()).forEach(obey);
  search.start().forEach(obey);
  while (search.state !== 'complete' && time < longest) {
    const start = time;
    time++;
    for (const one of [...measured.values()]) {
      if (one.from > time || !measured.has(one.experiment)) continue;
      const { experiment } = one;
      if (!one.isAccepted) tell({ type: 'accepted', time, experiment });
      one.isAccepted = true;
      const begin = Math.max(start, one.from);
      if (begin < time)
        tell({ type: 'sample', time, experiment, value: one.gauge(begin, time), start: begin, end: time });
      for (const call of one.calls) if (begin > start) tell({ ...call, time });
    }
    ephemeralTags(spec, time).forEach(tell);
    tell({ type: 'time', time });
    startDeep();
  }
  return search.record();
}

function ephemeralTags({ tagsPerSecond = 0 }: VirtualSpec, time: number): readonly SearchEvent[] {
  return Array.from({ length: tagsPerSecond }, (_, index) => ({
    type: 'resource',
    time,
    tree: 'SyncObject',
    parent: ['Message'],
    name: `tag ${time}.${index}`,
  }));
}
