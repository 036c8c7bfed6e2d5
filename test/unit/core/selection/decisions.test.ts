import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { hotPathSelection } from '../../../../src/core/strategies/hotPath';
import { inclusiveStatements } from '../../../../src/core/callgraph/inclusiveStatements';
import type { FunctionKnowledge, Knowledge } from '../../../../src/core/knowledge/knowledge';
import { nextSelection } from '../../../../src/core/strategies/nextSelection';
import { overheadCell, overheadWords, standingOf } from '../../../../src/core/cost/overheadWords';
import { baselineNoise, median, overheadOf, overheadOfPairs } from '../../../../src/core/cost/overhead';
import { graphWithProfile } from '../../../../src/core/callgraph/profileGraph';
import { regionKeys } from '../../../../src/core/callgraph/regionKeys';
import { selectedKeys, type Decision } from '../../../../src/core/selection/selection';
import { fn, graphOf } from './graphs';
import { costs, graphOfProgram, measure, randomProgram } from './simulatedProgram';

function knowledgeOf(
  functions: Readonly<Record<string, Partial<FunctionKnowledge>>>,
  runSeconds = 1,
): Knowledge {
  const known = Object.entries(functions).map(([key, facts]): [string, FunctionKnowledge] => [
    key,
    {
      visits: 1,
      allVisits: facts.visits ?? 1,
      inclusiveSeconds: 0,
      exclusiveSeconds: 0,
      timesMeasured: 1,
      callers: new Map(),
      ...facts,
    },
  ]);
  return { runs: 1, functions: new Map(known), runSeconds };
}

describe('reasons', () => {
  it('say what decided, with numbers', () => {
    const cost = { visits: 1_200_000, pairSeconds: 17e-9, overheadPercent: 14 };
    expect(explainReason({ rule: 'too-expensive', value: 14, threshold: 5, cost })).toBe(
      'out: 1.2 M visits × 17 ns would cost 14.0 % (target 5.0 %)',
    );
    const close = { rule: 'too-expensive', threshold: 5, limit: 4.5, cost } as const;
    expect(explainReason({ ...close, value: 4.7 })).toBe(
      'out: 1.2 M visits × 17 ns would cost 4.7 %, too near the target (5.0 %; predictions stay below 4.5 % to meet it)',
    );
    expect(explainReason({ ...close, value: 1 })).toBe(
      'out: 1.2 M visits × 17 ns would cost 1.0 %, more than the functions that tell more leave of the target (5.0 %; predictions stay below 4.5 % to meet it)',
    );
    expect(explainReason({ rule: 'statements', value: 44, threshold: 44 })).toBe(
      'in: 44 statements in it and its callees (threshold 44)',
    );
    expect(
      explainReason({
        rule: 'hot-spot',
        value: 0.31,
        threshold: 0.05,
        measure: 'exclusive',
        cost: { ...cost, overheadPercent: 0.2, visits: 1000 },
      }),
    ).toBe(
      'in: 31.0 % of the run time is spent in itself (threshold 5.0 %); costs 0.2 % (1000 visits × 17 ns)',
    );
    expect(
      explainReason(
        { rule: 'expand', value: 0.2, threshold: 0.02, path: ['ns::solve', 'ns::sweep'] },
        { nameOf: (name) => name.slice(4) },
      ),
    ).toBe('in: below a function that spends 20.0 % of the run time in itself (solve → sweep)');
  });
});

describe('one step', () => {
  const graph = graphOf(
    [
      fn('main'),
      fn('solve', { statements: 30 }),
      fn('wrap', { statements: 1 }),
      fn('sweep', { statements: 40, loopDepth: 1 }),
      fn('tiny', { statements: 2 }),
      fn('aside', { statements: 30 }),
    ],
    [
      ['main', 'solve'],
      ['main', 'aside'],
      ['solve', 'wrap'],
      ['wrap', 'sweep'],
      ['sweep', 'tiny'],
    ],
  );
  const sites = new Map(['main', 'solve', 'sweep', 'tiny', 'aside'].map((key) => [key, 'probe' as const]));
  const base = { graph, sites, pairCosts: costs, baselineSeconds: 1 };

  it('expands through functions without a site, and says on which way', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1, exclusiveSeconds: 0.1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 10 },
    });
    const { selection, exhausted, prediction } = nextSelection({ ...base, knowledge });
    expect(selection.decisions.get('sweep')).toMatchObject({
      selected: true,
      reason: { rule: 'expand', value: 0.9, path: ['solve', 'wrap', 'sweep'] },
    });
    expect(selection.decisions.get('wrap')!.reason.rule).toBe('no-site');
    // 4 ns a visit below 90 % of the run time could cost more than the run itself.
    expect(selection.decisions.get('tiny')).toMatchObject({
      selected: false,
      reason: { rule: 'not-measured' },
    });
    expect(exhausted).toBe(false);
    expect(prediction.unmeasured).toBe(2);
  });

  it('adds nothing of unknown cost to the last run', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9 },
    });
    const { selection, exhausted } = nextSelection({ ...base, knowledge, remainingRuns: 1 });
    expect(selectedKeys(selection)).toEqual(['main', 'solve']);
    expect(exhausted).toBe(true);
  });

  it('times what was only counted while another run follows, and says what its time is known from', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9 },
      sweep: { inclusiveSeconds: 0.001, exclusiveSeconds: 0.001, counted: true },
    });
    const decisionOf = (remainingRuns: number): Decision | undefined =>
      nextSelection({ ...base, knowledge, remainingRuns }).selection.decisions.get('sweep');
    expect(decisionOf(2)?.selected).toBe(true);
    expect(decisionOf(1)).toMatchObject({ selected: false, reason: { rule: 'not-hot', estimated: true } });
    expect(explainReason(decisionOf(1)!.reason)).toMatch(
      /^out: 0\.1 % .* \(threshold 0\.5 %\), estimated from few visits, the others were only counted$/,
    );
  });

  it('gives the time of a hot spot that is too expensive to its caller', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1, exclusiveSeconds: 0.56 },
      solve: { inclusiveSeconds: 0.34, exclusiveSeconds: 0.01 },
      sweep: { inclusiveSeconds: 0.33, exclusiveSeconds: 0.03, visits: 10, callers: new Map([['solve', 1]]) },
      tiny: { inclusiveSeconds: 0.3, exclusiveSeconds: 0.3, visits: 1e8, callers: new Map([['sweep', 1]]) },
      aside: { inclusiveSeconds: 0.1, exclusiveSeconds: 0.1 },
    });
    const { selection } = nextSelection({ ...base, knowledge });
    expect(selection.decisions.get('tiny')).toMatchObject({
      selected: false,
      reason: { rule: 'too-expensive' },
    });
    expect(explainReason(selection.decisions.get('tiny')!.reason)).toBe(
      'out: 100 M visits × 17 ns would cost 170 % (target 5.0 %)',
    );
    expect(selection.decisions.get('sweep')).toMatchObject({
      selected: true,
      reason: { rule: 'hot-spot', measure: 'exclusive' },
    });
    expect(selection.decisions.get('sweep')!.reason.value).toBeCloseTo(0.33);
  });

  it('keeps much of the run for next to nothing, though a hot spot could fill the target', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1, exclusiveSeconds: 0.07 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 0.039999 / 17e-9 },
      aside: { inclusiveSeconds: 0.03, exclusiveSeconds: 0.03, visits: 1000 },
    });
    const { selection } = nextSelection({ ...base, knowledge, options: { overheadPercent: 5 } });
    expect(selection.decisions.get('aside')).toMatchObject({ selected: true, reason: { rule: 'hot-spot' } });
  });

  it('names the target in its reasons, and the part of it that predictions may fill', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 2.8e6 },
    });
    const options = { overheadPercent: 5 };
    const { selection } = nextSelection({ ...base, knowledge, remainingRuns: 1, options });
    const { reason } = selection.decisions.get('solve')!;
    expect(reason).toMatchObject({ rule: 'too-expensive', threshold: 5, limit: 4 });
    expect(explainReason(reason)).toMatch(
      /4\.8 %, too near the target \(5\.0 %; .* below 4\.0 % to meet it\)$/,
    );
  });

  it('learns from a run above the target that pairs cost more here', () => {
    const functions = {
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 2e6 },
    };
    const knowledge = knowledgeOf(functions);
    const before = nextSelection({ ...base, knowledge, remainingRuns: 1 });
    expect(before.prediction.overheadPercent).toBeCloseTo(3.4, 3);
    const history = [{ predictedPercent: 3.4, measuredPercent: 8, doubtPercent: 1 }];
    const after = nextSelection({ ...base, knowledge, remainingRuns: 1, history });
    expect(after.selection.decisions.get('solve')).toMatchObject({
      selected: false,
      reason: { rule: 'too-expensive' },
    });
    const within = [{ predictedPercent: 3.4, measuredPercent: 3.9, doubtPercent: 0.1 }];
    expect(nextSelection({ ...base, knowledge, remainingRuns: 1, history: within }).selection).toEqual(
      before.selection,
    );
  });

  it('learns from the last run what pairs cost here, but never that they cost less than the calibration says', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 2e6 },
    });
    const predicted = (costFactor?: number): number => {
      const factor = costFactor === undefined ? {} : { costFactor };
      return nextSelection({ ...base, knowledge, remainingRuns: 1, ...factor }).prediction.overheadPercent;
    };
    expect(predicted()).toBeCloseTo(3.4, 3);
    expect(predicted(1.1)).toBeCloseTo(3.74, 3);
    expect(predicted(0.5)).toBeCloseTo(3.4, 3);
    expect(predicted(2)).toBeLessThan(0.1);
  });

  it('takes costs as a percentage of the CPU time of all threads', () => {
    const knowledge = knowledgeOf({ main: {}, solve: { exclusiveSeconds: 0.9, visits: 8e5 } });
    const costBase = { clock: 'cpu', seconds: 4 } as const;
    const { prediction } = nextSelection({ ...base, knowledge, remainingRuns: 1, costBase });
    expect(prediction.overheadPercent).toBeCloseTo((100 * 8e5 * 17e-9) / 4, 3);
  });
});

describe("PIRA's hot path", () => {
  it('follows the principal callee, and ends with its callees of many statements', () => {
    const graph = graphOf(
      [
        fn('main'),
        fn('hot', { statements: 5 }),
        fn('warm', { statements: 5 }),
        fn('big', { statements: 90 }),
        fn('small', { statements: 3 }),
      ],
      [
        ['main', 'hot'],
        ['main', 'warm'],
        ['hot', 'big'],
        ['hot', 'small'],
      ],
    );
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 10 },
      hot: { inclusiveSeconds: 6 },
      warm: { inclusiveSeconds: 3 },
    });
    const selection = hotPathSelection(graph, knowledge);
    expect(selectedKeys(selection)).toEqual(['main', 'hot', 'big']);
    // ⌊90 ÷ 2⌋ × 0.3
    expect(selection.decisions.get('big')!.reason).toMatchObject({
      rule: 'statements',
      value: 90,
      threshold: 13.5,
    });
  });
});

describe('regions of a profile', () => {
  const graph: CallGraph = {
    functions: [
      fn('_Z1fi', { name: 'f(int)', mangledName: '_Z1fi' }),
      fn('g@/src/a.c:7', { name: 'g', file: '/src/a.c', line: 7 }),
      fn('g@/src/b.c:3', { name: 'g', file: '/src/b.c', line: 3 }),
    ],
    edges: [[], [], []],
  };
  const region = (facts: object) => ({ name: 'x', paradigm: 'compiler', role: 'function', ...facts });

  it('are found by mangled name, by name and place, or by place', () => {
    const regions = [
      region({ name: 'int f(int)', mangledName: '_Z1fi' }),
      region({ name: 'g', file: 'build/../a.c', firstLine: 7 }),
      region({ name: 'void g()', file: '/src/b.c', firstLine: 3 }),
      region({ name: 'g' }),
    ];
    expect(regionKeys({ regions }, graph)).toEqual(['_Z1fi', 'g@/src/a.c:7', 'g@/src/b.c:3', 'g']);
  });

  it('are those of their own file where a static function of another one has the same name', () => {
    // SQLite's shell has its plug-in's functions, too; the plug-in's are called.
    const mangledName = 'match';
    const own = {
      key: 'match@/s/ext/regexp.c:225',
      name: 'match',
      mangledName,
      file: '/s/ext/regexp.c',
      line: 225,
    };
    const other = {
      key: 'match@/s/shell.c:3970',
      name: 'match',
      mangledName,
      file: '/s/shell.c',
      line: 3970,
    };
    const regions = [
      region({ name: 'match', mangledName, file: 'ext/regexp.c', firstLine: 225 }),
      region({ name: 'match', mangledName, file: 'shell.c', firstLine: 3970 }),
    ];
    for (const functions of [
      [own, other],
      [other, own],
    ])
      expect(regionKeys({ regions }, { functions })).toEqual([own.key, other.key]);
  });

  it('become functions with executed edges where the graph lacks them', () => {
    const program = randomProgram(7);
    const names = new Set(program.functions.map((f) => f.name));
    const graph = graphWithProfile(undefined, measure(program, names));
    const known = graphOfProgram(program);
    const calls = (g: CallGraph): string[] =>
      g.edges
        .flatMap((edges, caller) =>
          edges.map((e) => `${g.functions[caller]!.key}>${g.functions[e.callee]!.key}`),
        )
        .sort();
    const executed = new Set(calls(graph));
    expect(calls(known).filter((call) => executed.has(call))).toEqual([...executed].sort());
    expect(graph.functions.length).toBeGreaterThan(2);
  });
});

describe('noise', () => {
  it('claims an overhead only above what the repetitions scatter', () => {
    expect(overheadOf([1.1, 1.101, 1.099], [1, 1.001, 0.999])).toMatchObject({ significant: true });
    expect(overheadOf([1.02, 0.97, 1.03], [1, 1.04, 0.96]).significant).toBe(false);
    expect(overheadOf([1.1, 1.101, 1.099], [1, 1.001, 0.999]).percent).toBeCloseTo(10);
  });

  it('of runs that took turns is without what disturbed both', () => {
    const speed = fc.double({ min: 0.5, max: 9, noNaN: true });
    const speeds = fc.array(speed, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(speeds, fc.double({ min: 0.5, max: 4, noNaN: true }), (baseline, factor) => {
        const { percent, noisePercent = 0 } = overheadOfPairs(
          baseline.map((seconds) => seconds * factor),
          baseline,
        );
        expect(percent).toBeCloseTo(100 * (factor - 1), 6);
        expect(noisePercent).toBeCloseTo(0, 6);
      }),
    );
    // Tippett's range of three, Student's quantile of two degrees: ratios 1.04, 1.05 and 1.06.
    const scattered = overheadOfPairs([1.04, 2.1, 1.06], [1, 2, 1]);
    expect(scattered.percent).toBeCloseTo(5);
    expect(scattered.noisePercent).toBeCloseTo((4.3 * 1.2533 * (2 / 1.693)) / Math.sqrt(3), 1);
    expect(scattered.significant).toBe(true);
    expect(overheadOfPairs([1.2], [1])).toMatchObject({ noisePercent: undefined, significant: true });
  });

  it('is not moved by one disturbed run, and never infinite', () => {
    expect(overheadOf([1, 1, 9], [1, 1.01, 0.99]).percent).toBeCloseTo(0);
    expect(baselineNoise([2]).percent).toBeCloseTo(6);
    expect(median([3, 1, 2, 10])).toBe(2.5);
  });

  it('is unknown when nothing was run twice, and then no figure is made up', () => {
    expect(overheadOf([1.2], [1])).toMatchObject({ noisePercent: undefined, significant: true });
    expect(overheadOf([1.05], [1]).significant).toBe(false);
    expect(overheadOf([1.2], [1, 1.01]).noisePercent).toBeGreaterThan(0);
    expect(overheadWords({ overheadPercent: 12.34 })).toBe(
      'overhead 12.3 % (noise unknown: one run of each)',
    );
    expect(overheadWords({ overheadPercent: 12.34, noisePercent: 3 })).toBe('overhead 12.3 %');
    expect(overheadWords({ overheadPercent: 2, noisePercent: 156 })).toBe(
      'the overhead (2.0 %) cannot be told from noise (±156 %)',
    );
    expect(overheadCell({ overheadPercent: 12.34 })).toBe('12.3 %, noise unknown');
    expect(overheadCell({ overheadPercent: 2, noisePercent: 156 })).toBe(
      '2.0 %, cannot be told from noise (±156 %)',
    );
    // A program may well be faster with it: code lies elsewhere.
    expect(overheadCell({ overheadPercent: -5, noisePercent: 3 })).toBe('-5.0 %');
    expect(standingOf({ overheadPercent: 3, noisePercent: 3 })).toBe('within noise');
  });

  it('does not claim an overhead that is not there more often than one in twenty or so', () => {
    let claimed = 0;
    const trials = 4000;
    let state = 12345;
    const uniform = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
    const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const run = (): number => 1 + 0.02 * normal();
    for (let trial = 0; trial < trials; trial++) {
      if (overheadOf([run(), run(), run()], [run(), run(), run()]).significant) claimed++;
    }
    expect(claimed / trials).toBeLessThan(0.05);
  });
});

describe('size', () => {
  it('inclusive statements of 100 000 functions are at least their own (their time: bench/growth)', () => {
    let state = 99;
    const below = (n: number): number => (state = (state * 48271) % 2147483647) % n;
    const size = 100_000;
    const graph: CallGraph = {
      functions: Array.from({ length: size }, (_, i) => fn(`f${i}`, { statements: below(30) })),
      edges: Array.from({ length: size }, (_, i) =>
        [
          ...new Set(
            Array.from({ length: 4 }, () => Math.min(size - 1, i + 1 + below(below(2) === 0 ? 50 : size))),
          ),
        ].map((callee) => ({ callee, kind: 'direct' as const })),
      ),
    };
    const sums = inclusiveStatements(graph);
    expect(sums[size - 1]).toBe(graph.functions[size - 1]!.statements);
    fc.assert(fc.property(fc.nat(size - 1), (i) => sums[i]! >= graph.functions[i]!.statements));
  });
});
