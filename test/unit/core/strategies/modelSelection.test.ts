import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PairCosts } from '../../../../src/core/cost/pairCost';
import type { FunctionKnowledge, Knowledge } from '../../../../src/core/knowledge/knowledge';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { defaultModelOptions, type ModelOptions } from '../../../../src/core/selection/modelOptions';
import { selectedKeys, type Selection } from '../../../../src/core/selection/selection';
import type { SelectionOptions } from '../../../../src/core/selection/selectionOptions';
import {
  rememberModels,
  type KnownModel,
  type ModelKnowledge,
} from '../../../../src/core/strategies/modelKnowledge';
import { nextStep } from '../../../../src/core/strategies/nextStep';
import { fn, graphOf } from '../selection/graphs';
import { costs, sampledCosts } from '../selection/simulatedProgram';

/** Predicted seconds and visits of a function, and its callers. */
interface Part extends Partial<KnownModel> {
  readonly calledBy?: string;
  readonly seconds: number;
  readonly counted?: true;
}

const graph = graphOf(
  ['main', 'interact', 'work', 'sort', 'swap', 'new', 'tiny', 'io'].map((name) =>
    fn(name, { statements: name === 'tiny' ? 1 : 20 }),
  ),
  [
    ['main', 'interact'],
    ['main', 'sort'],
    ['main', 'io'],
    ['interact', 'work'],
    ['sort', 'swap'],
    ['work', 'new'],
    ['work', 'tiny'],
  ],
);

function modelOf(part: Part): KnownModel {
  return { visits: 10, formula: '1 ms · n', otherPaths: 0, isConstant: false, round: 0, ...part };
}

function modelsOf(parts: Readonly<Record<string, Part>>, round = 0): ModelKnowledge {
  const functions = new Map(Object.entries(parts).map(([key, part]) => [key, modelOf(part)]));
  const recorded = [...functions.values()].filter((model) => model.round === round);
  const totalSeconds = recorded.reduce((sum, { seconds }) => sum + seconds, 0);
  return { round, point: 'n = 512', baseSeconds: 100, totalSeconds, functions };
}

function knowledgeOf(parts: Readonly<Record<string, Part>>): Knowledge {
  const functions = Object.entries(parts).map(([key, part]): [string, FunctionKnowledge] => {
    const { visits } = modelOf(part);
    const callers = new Map(part.calledBy === undefined ? [] : [[part.calledBy, 1]]);
    const times = { inclusiveSeconds: 1, exclusiveSeconds: 1, timesMeasured: 1 };
    const { counted } = part;
    return [key, { visits, allVisits: visits, ...times, callers, ...(counted === true ? { counted } : {}) }];
  });
  return { runs: 1, runSeconds: 100, functions: new Map(functions) };
}

const program: Readonly<Record<string, Part>> = {
  main: { seconds: 0.5 },
  interact: { seconds: 80, calledBy: 'main' },
  sort: { seconds: 15, calledBy: 'main' },
  swap: { seconds: 3, calledBy: 'sort' },
  io: { seconds: 1, isConstant: true, formula: '1 s', calledBy: 'main' },
};

function select(
  parts: Readonly<Record<string, Part>>,
  model: Partial<ModelOptions> = {},
  more: Partial<SelectionOptions> & {
    readonly round?: number;
    readonly previous?: Selection;
    readonly remainingRuns?: number;
  } = {},
  pairCosts: PairCosts = costs,
): Selection {
  const { round, previous, remainingRuns, ...options } = more;
  return nextStep({
    graph,
    knowledge: knowledgeOf(parts),
    models: modelsOf(parts, round),
    pairCosts,
    costBase: { clock: 'wall', seconds: 100 },
    ...(previous === undefined ? {} : { previous }),
    ...(remainingRuns === undefined ? {} : { remainingRuns }),
    options: { strategy: 'model', model: { ...defaultModelOptions, ...model }, ...options },
  }).selection;
}

const rulesOf = ({ decisions }: Selection): Readonly<Record<string, string>> =>
  Object.fromEntries([...decisions].map(([key, { reason }]) => [key, reason.rule]));
const reasonOf = ({ decisions }: Selection, key: string): string => {
  const decision = decisions.get(key);
  return decision === undefined ? '' : explainReason(decision.reason);
};

describe('the strategy model', () => {
  it('keeps what takes a share of the predicted time, with what leads there and what is below without a model', () => {
    const selection = select(program);
    expect(rulesOf(selection)).toEqual({
      main: 'entry',
      interact: 'model',
      work: 'expand',
      sort: 'model',
      swap: 'model',
      new: 'not-needed',
      tiny: 'not-needed',
      io: 'model-small',
    });
    expect(reasonOf(selection, 'interact')).toMatch(
      /^in: 80\.4 % of the time at n = 512 \(threshold 2\.0 %\) by its model 1 ms · n: 80 s; costs/,
    );
    expect(reasonOf(selection, 'io')).toMatch(/^out: 1\.0 % of the time/);
    expect(reasonOf(selection, 'work')).toMatch(
      /^in: below a function that its model keeps \(interact → work\)/,
    );
  });

  it('goes by seconds or by growth where that is asked for', () => {
    expect(rulesOf(select(program, { keep: 'seconds', threshold: 2.1 }))).toMatchObject({
      swap: 'model',
      io: 'model-small',
    });
    expect(rulesOf(select(program, { keep: 'seconds', threshold: 3 })).swap).toBe('model-small');
    const growing = {
      ...program,
      swap: { ...program.swap, seconds: 0.1, faster: 0.97 },
      sort: { seconds: 15, faster: 0.2 },
    };
    const selection = select(growing, { keep: 'growth', growth: 'O(n)' });
    expect(rulesOf(selection)).toMatchObject({ swap: 'model', sort: 'path-to-main', interact: 'model' });
    expect(reasonOf(selection, 'swap')).toMatch(
      /^in: grows faster than O\(n\) with a probability of 97\.0 %/,
    );
    expect(reasonOf(selection, 'sort')).toMatch(
      /a path from the entry function to a function that its model keeps/,
    );
  });

  it('drops constant models where that is asked for', () => {
    const parts = { ...program, io: { ...program.io, seconds: 50 } };
    expect(rulesOf(select(parts)).io).toBe('model');
    expect(rulesOf(select(parts, { constants: 'drop' })).io).toBe('model-constant');
    expect(rulesOf(select(parts, { constants: 'drop' })).interact).toBe('model');
  });

  it('adds nothing in the mode filter-only, and before the last run', () => {
    expect(rulesOf(select(program, {}, { mode: 'filter-only' })).work).toBe('not-needed');
    expect(rulesOf(select(program, {}, { remainingRuns: 1 })).work).toBe('not-needed');
    expect(rulesOf(select(program, { statements: 41 })).work).toBe('expand');
    expect(rulesOf(select(program, { statements: 42 })).work).toBe('not-needed');
  });

  it('records callers in place of a function that costs too much, by its visits at the point', () => {
    const parts = {
      ...program,
      interact: { seconds: 1, calledBy: 'main' },
      work: { seconds: 80, visits: 1e9, calledBy: 'interact' },
    };
    const selection = select(parts);
    expect(rulesOf(selection)).toMatchObject({
      interact: 'model-instead',
      work: 'too-expensive',
      sort: 'model',
    });
    expect(reasonOf(selection, 'work')).toMatch(/1 G visits × 20 ns would cost 20\.0 % \(target 5\.0 %\)/);
    expect(reasonOf(selection, 'interact')).toMatch(
      /^in: its time contains that of work, which is too expensive/,
    );
    expect(rulesOf(select(parts, {}, { overheadPercent: 30 })).work).toBe('model');
    // In the next round, the caller's own model says what both take.
    const next = (seconds: number): Readonly<Record<string, Part>> => ({
      main: { seconds: 1, round: 1 },
      interact: { seconds, round: 1, calledBy: 'main' },
      work: { ...parts.work, round: 0 },
      sort: { seconds: 90, round: 1, calledBy: 'main' },
    });
    expect(rulesOf(select(next(5), {}, { round: 1 })).interact).toBe('model');
    expect(rulesOf(select(next(1), {}, { round: 1 })).interact).toBe('model-small');
    const later = { ...next(1), sort: { seconds: 90, round: 2, calledBy: 'main' } };
    expect(rulesOf(select(later, {}, { round: 2 })).interact).toBe('model-small');
  });

  it('looks for these callers in the call graph, and records those that were never recorded', () => {
    const parts = { main: { seconds: 1 }, work: { seconds: 80, visits: 1e9, calledBy: 'main' } };
    expect(rulesOf(select(parts))).toMatchObject({ interact: 'model-instead', work: 'too-expensive' });
    expect(rulesOf(select(parts, {}, { remainingRuns: 1 })).interact).toBe('not-needed');
  });

  it('judges by the models of earlier rounds what is no longer recorded', () => {
    const dropped = { ...program, swap: { seconds: 1, round: 0 } };
    const before = Object.fromEntries(
      Object.entries(dropped).map(([key, part]) => [key, { ...part, round: key === 'swap' ? 0 : 2 }]),
    );
    expect(rulesOf(select(before, {}, { round: 2 })).swap).toBe('model-small');
    expect(reasonOf(select(before, {}, { round: 2 }), 'swap')).toMatch(/the model is of round 0$/);
    const less = { ...before, interact: { seconds: 5, round: 2, calledBy: 'main' } };
    expect(rulesOf(select(less, {}, { round: 2 })).swap).toBe('model');
  });

  it('records a function again when its caller grows by more than the models explain, once', () => {
    const after = (part: Partial<Part>): Readonly<Record<string, Part>> => ({
      main: { seconds: 1, round: 1 },
      interact: { seconds: 80, round: 1, calledBy: 'main' },
      sort: { seconds: 15, before: 14.5, round: 1, calledBy: 'main' },
      swap: { seconds: 0.5, round: 0, calledBy: 'sort', ...part },
    });
    expect(rulesOf(select(after({}), {}, { round: 1 })).swap).toBe('model-small');
    const grown = { ...after({}), sort: { seconds: 22, before: 14.5, round: 1, calledBy: 'main' } };
    const selection = select(grown, {}, { round: 1 });
    expect(rulesOf(selection).swap).toBe('model-again');
    expect(reasonOf(selection, 'swap')).toMatch(
      /^in: its caller sort grows by more than their models explain/,
    );
    const returned = { ...after({ returned: true }), sort: grown.sort };
    expect(rulesOf(select(returned, {}, { round: 1 })).swap).toBe('model-small');
  });

  it('changes nothing for a function just below the threshold that was kept', () => {
    const parts = { ...program, swap: { seconds: 1.7, calledBy: 'sort' } };
    expect(rulesOf(select(parts)).swap).toBe('model-small');
    expect(rulesOf(select(parts, {}, { previous: select(program) })).swap).toBe('model');
  });

  it('times what was only counted, where that is not too expensive', () => {
    const counted = { ...program, swap: { seconds: 0, counted: true as const, calledBy: 'sort' } };
    const selection = select(counted);
    expect(rulesOf(selection).swap).toBe('model-untimed');
    expect(reasonOf(selection, 'swap')).toMatch(
      /^in: its visits were only counted: timed to learn how it grows; costs/,
    );
    const often = { ...counted, swap: { ...counted.swap, visits: 1e9 } };
    expect(rulesOf(select(often)).swap).toBe('too-expensive');
  });

  it('times one in many visits of what costs too much otherwise, and records nothing below', () => {
    const parts = {
      ...program,
      interact: { seconds: 80, visits: 4e8, calledBy: 'main' },
      work: { seconds: 0, counted: true as const, visits: 10, calledBy: 'interact' },
    };
    expect(rulesOf(select(parts))).toMatchObject({ interact: 'too-expensive', work: 'model-untimed' });
    const sampled = select(parts, {}, {}, sampledCosts);
    expect(sampled.decisions.get('interact')?.reason).toMatchObject({
      rule: 'model',
      cost: { interval: 16 },
    });
    expect(rulesOf(sampled).work).toBe('model-small');
    expect(reasonOf(sampled, 'interact')).toMatch(/1 in 16 visits is timed/);
  });

  it('says that a model cannot be relied on', () => {
    const parts = { ...program, swap: { ...program.swap, seconds: 3, doubt: 'noise-too-large' as const } };
    expect(reasonOf(select(parts), 'swap')).toMatch(
      /the model cannot be relied on \(noise-too-large\): its largest measured time counts/,
    );
  });

  it('leaves out what was never executed, and what no run could record', () => {
    const parts = { ...program, io: { seconds: 0, visits: 0, counted: true as const, calledBy: 'main' } };
    expect(rulesOf(select(parts)).io).toBe('not-executed');
  });

  it('takes no caller that was excluded or never ran in place of a function', () => {
    const work = { seconds: 80, visits: 1e9, calledBy: 'main' };
    const idle = { main: { seconds: 1 }, interact: { seconds: 0, visits: 0 }, work };
    expect(rulesOf(select(idle)).interact).toBe('not-executed');
    const excluded = select({ main: { seconds: 1 }, work }, {}, { pinnedOut: new Set(['interact']) });
    expect(rulesOf(excluded)).toMatchObject({ interact: 'pinned-out', main: 'entry', work: 'too-expensive' });
  });

  it('follows pins', () => {
    const pins = { pinnedIn: new Set(['tiny']), pinnedOut: new Set(['interact']) };
    expect(rulesOf(select(program, {}, pins))).toMatchObject({ tiny: 'pinned-in', interact: 'pinned-out' });
  });

  it('predicts an overhead within the target, and keeps what is free', () => {
    const part = fc.record({
      seconds: fc.double({ min: 0, max: 100, noNaN: true }),
      visits: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 2_000_000_000 })),
    });
    fc.assert(
      fc.property(fc.tuple(part, part, part, part, part), ([interact, work, sort, swap, io]) => {
        const parts: Readonly<Record<string, Part>> = {
          main: { seconds: 1 },
          interact: { ...interact, calledBy: 'main' },
          work: { ...work, calledBy: 'interact' },
          sort: { ...sort, calledBy: 'main' },
          swap: { ...swap, calledBy: 'sort' },
          io: { ...io, calledBy: 'main' },
        };
        const selection = select(parts);
        const total = Object.values(parts).reduce((sum, { seconds }) => sum + seconds, 0);
        const recorded = selectedKeys(selection);
        const percent = recorded.reduce(
          (sum, key) => sum + (selection.decisions.get(key)?.reason.cost?.overheadPercent ?? 0),
          0,
        );
        expect(percent).toBeLessThanOrEqual(4 + 1e-9);
        for (const [key, { seconds, visits }] of Object.entries(parts))
          if (seconds > 0.02 * total && (visits ?? 10) === 1) expect(recorded).toContain(key);
      }),
    );
  });
});

describe('models that are remembered', () => {
  const program = (seconds: number) => ({
    functions: new Map([['f', { seconds, visits: 1, formula: '', otherPaths: 0, isConstant: false }]]),
    totalSeconds: seconds,
  });
  const none = { functions: new Map(), totalSeconds: 0 };
  const now = (round: number) => ({ round, point: 'n = 1', baseSeconds: 1 });

  it('know the round before, and that a function has come back', () => {
    const first = rememberModels(undefined, program(1), now(0));
    const second = rememberModels(first, program(3), now(1));
    expect(second.functions.get('f')).toMatchObject({ seconds: 3, before: 1, round: 1 });
    const without = rememberModels(second, none, now(2));
    expect(without).toMatchObject({ round: 2, totalSeconds: 0 });
    expect(without.functions.get('f')).toMatchObject({ seconds: 3, round: 1 });
    const again = rememberModels(without, program(4), now(3)).functions.get('f');
    expect(again).toMatchObject({ seconds: 4, round: 3, returned: true });
    expect(again).not.toHaveProperty('before');
    const next = rememberModels(rememberModels(without, program(4), now(3)), program(5), now(4));
    expect(next.functions.get('f')).toMatchObject({ before: 4, returned: true });
    expect(second.functions.get('f')).not.toHaveProperty('returned');
  });
});
