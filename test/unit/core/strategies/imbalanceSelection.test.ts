import { describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { accumulateKnowledge, type Knowledge } from '../../../../src/core/knowledge/knowledge';
import type { Profile } from '../../../../src/core/profile/profile';
import { explainReason } from '../../../../src/core/selection/explainReason';
import {
  defaultImbalanceOptions,
  type ImbalanceOptions,
} from '../../../../src/core/selection/imbalanceOptions';
import { selectedKeys, type Decision, type Selection } from '../../../../src/core/selection/selection';
import { nextStep } from '../../../../src/core/strategies/nextStep';
import { runOf, type Call } from '../problems/runs';
import { fn, graphOf } from '../selection/graphs';
import { costs, sampledCosts } from '../selection/simulatedProgram';

/** What a function computes itself on each of four ranks, what it waits in MPI, and what it calls. */
interface Part {
  readonly seconds: readonly number[];
  readonly calls?: readonly string[];
  readonly inMpi?: readonly number[];
  readonly statements?: number;
  readonly visits?: number;
}

/**
 * `step` and `solve` are unbalanced by what `kernel` computes; the others wait in `exchange`, which is balanced. `finish` is too short to matter.
 */
const program: Readonly<Record<string, Part>> = {
  main: { seconds: [0.1, 0.1, 0.1, 0.1], calls: ['step', 'finish'] },
  step: { seconds: [0.1, 0.1, 0.1, 0.1], calls: ['solve', 'even', 'exchange', 'tiny'] },
  solve: { seconds: [0.1, 0.1, 0.1, 0.1], calls: ['kernel'] },
  kernel: { seconds: [2, 2, 2, 6], calls: [] },
  even: { seconds: [3, 3, 3, 3], calls: ['below'] },
  below: { seconds: [1, 1, 1, 1] },
  exchange: { seconds: [1, 1, 1, 1], calls: ['receive'] },
  receive: { seconds: [0.01, 0.01, 0.01, 0.01], inMpi: [4, 4, 4, 0], calls: ['MPI_Recv'] },
  tiny: { seconds: [0, 0, 0, 0.5], statements: 1 },
  finish: { seconds: [0.01, 0.01, 0.01, 0.01], calls: ['deep'] },
  deep: { seconds: [0, 0, 0, 0.01] },
  apart: { seconds: [0, 0, 0, 0] },
};

const graph: CallGraph = graphOf(
  [
    ...Object.entries(program).map(([name, { statements = 20 }]) =>
      fn(name, { statements, mangledName: name }),
    ),
    fn('MPI_Recv', { hasBody: false, statements: 0 }),
  ],
  Object.entries(program).flatMap(([name, { calls = [] }]) => calls.map((callee) => [name, callee] as const)),
);

/** A run that records these functions: the time of others falls to their callers. */
function runOfSelected(selected: ReadonlySet<string>): Profile {
  const callsOf = (name: string): { readonly own: number[]; readonly calls: Call[] } => {
    const { seconds, inMpi, calls = [], visits = 1 } = program[name] ?? { seconds: [0, 0, 0, 0] };
    const own = [...seconds];
    const below: Call[] =
      inMpi === undefined
        ? []
        : [{ region: { name: 'MPI_Recv', paradigm: 'mpi', role: 'point2point' }, seconds: inMpi }];
    for (const callee of calls.filter((one) => one !== 'MPI_Recv')) {
      const part = callsOf(callee);
      if (selected.has(callee))
        below.push({
          region: { name: callee, mangledName: callee },
          seconds: part.own,
          calls: part.calls,
          visits: part.own.map(() => visits * (program[callee]?.visits ?? 1)),
        });
      else {
        part.own.forEach((value, rank) => (own[rank] = (own[rank] ?? 0) + value));
        below.push(...part.calls);
      }
    }
    return { own, calls: below };
  };
  const { own, calls } = callsOf('main');
  return runOf({ region: { name: 'main', mangledName: 'main' }, seconds: own, calls }, 4);
}

interface Refined {
  readonly rounds: readonly (readonly string[])[];
  readonly last: Selection;
}

function refined(imbalance: Partial<ImbalanceOptions> = {}, overheadPercent = 5): Refined {
  const rounds: (readonly string[])[] = [];
  let knowledge: Knowledge | undefined;
  let previous: Selection | undefined;
  for (;;) {
    const { selection }: { readonly selection: Selection } = nextStep({
      graph,
      ...(knowledge === undefined ? {} : { knowledge }),
      ...(previous === undefined ? {} : { previous }),
      pairCosts: costs,
      baselineSeconds: 12,
      options: {
        strategy: 'imbalance',
        overheadPercent,
        imbalance: { ...defaultImbalanceOptions, ...imbalance },
      },
    });
    const keys = [...selectedKeys(selection)];
    if (keys.join() === rounds.at(-1)?.join()) return { rounds, last: selection };
    rounds.push(keys);
    knowledge = accumulateKnowledge(knowledge, runOfSelected(new Set(keys)), graph, costs, keys);
    previous = selection;
  }
}

function reasons({ last }: Refined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...last.decisions.values()].map(({ key, reason }) => [
      key,
      explainReason(reason).replace(/; costs .*/, ''),
    ]),
  );
}

describe('the strategy imbalance', () => {
  it('goes one call further down in each round, and ends with what is unbalanced', () => {
    const { rounds } = refined({ context: 'none' });
    expect(rounds).toEqual([
      ['main'],
      ['main', 'step', 'finish'],
      ['main', 'step', 'solve', 'even', 'exchange'],
      ['main', 'step', 'solve', 'kernel', 'below', 'receive'],
      ['main', 'step', 'solve', 'kernel'],
    ]);
  });

  it('gives each function its reason', () => {
    expect(reasons(refined({ context: 'none' }))).toEqual({
      main: 'in: the program begins here',
      step: expect.stringMatching(
        /^in: unbalanced over ranks and threads: the imbalance of its computation is [\d.]+ % \(threshold 5\.0 %\)$/,
      ) as string,
      solve:
        'in: unbalanced over ranks and threads: the imbalance of its computation is 65.6 % (threshold 5.0 %)',
      kernel:
        'in: unbalanced over ranks and threads: the imbalance of its computation is 66.7 % (threshold 5.0 %)',
      even: 'out: balanced over ranks and threads: the imbalance of its computation is 0 % (threshold 5.0 %)',
      below:
        'out: balanced over ranks and threads: the imbalance of its computation is 0 % (threshold 5.0 %)',
      exchange:
        'out: balanced over ranks and threads: the imbalance of its computation is <0.1 % (threshold 5.0 %)',
      receive:
        'out: balanced over ranks and threads: the imbalance of its computation is <0.1 % (threshold 5.0 %)',
      tiny: 'out: 1 statements in it and its callees (threshold 10)',
      finish: expect.stringMatching(
        /^out: 0\.1 % of the run time is spent in it and its callees \(threshold 5\.0 %\)$/,
      ) as string,
      deep: 'out: the analysis does not ask for it by now',
      apart: 'out: no call path from the entry function',
      MPI_Recv: expect.stringMatching(/^out: inlined/) as string,
    });
  });

  it('counts new functions first where their cost is unknown, and times them before it judges them', () => {
    const first = accumulateKnowledge(undefined, runOfSelected(new Set(['main'])), graph, costs, ['main']);
    const decisionOn = (knowledge: Knowledge): Decision | undefined =>
      nextStep({
        graph,
        knowledge,
        pairCosts: sampledCosts,
        options: { strategy: 'imbalance', imbalance: { ...defaultImbalanceOptions, childRelevance: 'all' } },
      }).selection.decisions.get('step');
    expect(decisionOn(first)).toMatchObject({
      selected: true,
      reason: { rule: 'descend', countedFirst: 1024 },
    });
    const seen = accumulateKnowledge(first, runOfSelected(new Set(['main', 'step'])), graph, costs, [
      'main',
      'step',
    ]);
    const functions = new Map(seen.functions);
    // Of its few visits, none was timed.
    functions.set('step', {
      ...functions.get('step')!,
      counted: true,
      inclusiveSeconds: 0,
      exclusiveSeconds: 0,
    });
    const timed = decisionOn({ ...seen, functions });
    expect(timed).toMatchObject({ selected: true, reason: { rule: 'descend' } });
    expect(timed?.reason.countedFirst).toBeUndefined();
  });

  it('says of a new function what it is below', () => {
    const { selection } = nextStep({
      graph,
      knowledge: accumulateKnowledge(undefined, runOfSelected(new Set(['main'])), graph, costs, ['main']),
      pairCosts: costs,
      options: { strategy: 'imbalance' },
    });
    const decision = selection.decisions.get('step');
    expect(decision?.selected).toBe(true);
    expect(explainReason(decision!.reason)).toBe(
      'in: called by main, which takes 100 % of the run time: recorded to see whether it is balanced',
    );
  });

  it.each<[Partial<ImbalanceOptions>, readonly string[]]>([
    // In step and what it calls: 7.21, 7.21, 7.21 and 11.71 s without MPI, so 1.4 times the mean.
    [{ metric: 'efficiency', imbalanceThreshold: 1.5 }, ['main', 'solve', 'kernel']],
    [{ metric: 'efficiency', imbalanceThreshold: 1.05 }, ['main', 'step', 'solve', 'kernel']],
    [{ metric: 'variation', imbalanceThreshold: 0.3 }, ['main', 'solve', 'kernel']],
    [{ imbalanceThreshold: 0.66 }, ['main', 'kernel']],
    [{ relevanceThreshold: 0.5 }, ['main', 'step']],
    [{ childRelevance: 'all', relevanceThreshold: 0.005 }, ['main', 'step', 'solve', 'kernel']],
    [{ childRelevance: 'constant', childConstantThreshold: 50 }, ['main', 'step']],
    [{ childRelevance: 'relative-to-parent', childFraction: 0.45 }, ['main', 'step']],
    [{ childRelevance: 'relative-to-main', childFraction: 0.25 }, ['main', 'step']],
  ])('with %j ends with %j', (options, expected) => {
    expect(refined({ context: 'none', ...options }).rounds.at(-1)).toEqual(expected);
  });

  it.each<[ImbalanceOptions['context'], number, readonly string[]]>([
    ['none', 2, ['main', 'kernel']],
    ['all-paths', 2, ['main', 'step', 'solve', 'kernel']],
    ['major-paths', 2, ['main', 'step', 'solve', 'kernel']],
    ['major-parents', 1, ['main', 'solve', 'kernel']],
    ['major-parents', 2, ['main', 'step', 'solve', 'kernel']],
  ])('context %s (%i)', (context, contextSteps, expected) => {
    expect(refined({ context, contextSteps, imbalanceThreshold: 0.66 }).rounds.at(-1)).toEqual(expected);
  });

  it('context all-paths has also what no run recorded, and major-paths has not', () => {
    // step is too small to be looked into, so that its caller's descent ends there.
    const small = {
      imbalanceThreshold: 0.2,
      childRelevance: 'constant',
      childConstantThreshold: 1000,
    } as const;
    expect(refined({ ...small, context: 'all-paths' }).rounds.at(-1)).toEqual(['main']);
    const way = refined({ imbalanceThreshold: 0.66, context: 'all-paths' });
    expect(reasons(way).step).toBe(
      'in: on a path from the entry function to an unbalanced function (step → solve → kernel)',
    );
  });

  it('context synchronisation: where the others wait, below the nearest balanced caller', () => {
    const found = refined({ imbalanceThreshold: 0.66, context: 'synchronisation' });
    expect(found.rounds.at(-1)).toEqual(['main', 'kernel', 'receive']);
    expect(reasons(found).receive).toBe(
      'in: it calls MPI where others may wait for an unbalanced function (step → exchange → receive)',
    );
    // Below solve, which is balanced by that threshold, nobody waits; where it is not, step is the next one, too.
    expect(refined({ imbalanceThreshold: 0.5, context: 'synchronisation' }).rounds.at(-1)).toEqual([
      'main',
      'solve',
      'kernel',
      'receive',
    ]);
  });

  it('leaves out what costs more than the target by itself', () => {
    const found = refined({ context: 'none' }, 1e-8);
    expect(found.rounds.at(-1)).toEqual(['main']);
    expect(reasons(found).kernel).toMatch(/^out: .* would cost /);
  });

  it('a function that waits in MPI is not unbalanced for it', () => {
    // In all its time, receive takes 4.01, 4.01, 4.01 and 0.01 s.
    expect(reasons(refined({ context: 'none' })).receive).toMatch(/^out: balanced/);
  });
});
