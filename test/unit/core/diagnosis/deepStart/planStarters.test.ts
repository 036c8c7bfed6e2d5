import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FunctionCountGraph } from '../../../../../src/core/diagnosis/deepStart/functionCountGraph';
import { planStarters } from '../../../../../src/core/diagnosis/deepStart/planStarters';
import type { ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import { code, graphOf, sample, tenSamples } from './samples';

interface Planned {
  readonly at?: string;
  readonly machine?: ResourcePath;
  readonly threshold?: number;
  /** Functions that have experiments. */
  readonly existing?: readonly string[];
  /** `caller callee callee` */
  readonly calls?: readonly string[];
}

/** `first>connecting>starter`, each path as a text. */
function planned(
  graph: FunctionCountGraph,
  { at = 'main', machine = [], threshold = 0.2, existing = [], calls = [] }: Planned = {},
): readonly string[] {
  const known = new Set(existing.map(code));
  const callees = new Map(
    calls.map((line) => line.split(' ').map(code)).map(([caller, ...called]) => [caller, called]),
  );
  return planStarters(graph, {
    focus: { Code: code(at), Machine: machine, SyncObject: [] },
    callees: (of) => callees.get(of) ?? [],
    has: (path) => known.has(path),
    threshold,
  }).map((path) => path.map(([, name]) => name).join('>'));
}

describe('what Deep Start adds to a search', () => {
  const annealing = graphOf([
    sample('c1', 'p1', 'main a_anneal a_neighbor p_isvalid p_makeMG'),
    sample('c1', 'p1', 'main a_anneal a_neighbor p_isvalid p_makeMG'),
    sample('c1', 'p1', 'main a_anneal'),
  ]);

  it('T7: p_makeMG is connected with main through the three functions of the observed path', () => {
    expect(planned(annealing)).toEqual(['main>a_anneal>a_neighbor>p_isvalid>p_makeMG']);
  });

  it('T7: the nearest experiment on the path is what it is connected with', () => {
    expect(planned(annealing, { existing: ['main', 'a_anneal', 'a_neighbor'] })).toEqual([
      'a_neighbor>p_isvalid>p_makeMG',
    ]);
  });

  it('T7: a path that samples show is preferred to a shorter one that is only known', () => {
    expect(planned(annealing, { calls: ['main p_makeMG'] })).toEqual([
      'main>a_anneal>a_neighbor>p_isvalid>p_makeMG',
    ]);
  });

  it('T7: where samples lack a caller, known calls complete the path', () => {
    const inlined = graphOf([sample('c1', 'p1', 'main'), sample('c1', 'p1', 'p_isvalid p_makeMG')]);
    expect(planned(inlined, { threshold: 0.4, calls: ['main a_anneal', 'a_anneal p_isvalid'] })).toEqual([
      'main>a_anneal>p_isvalid>p_makeMG',
    ]);
  });

  it('T5: a starter that no call reaches from the trigger is not added', () => {
    expect(planned(graphOf(tenSamples), { at: 'solve' })).toEqual(['solve>smooth>E']);
    expect(planned(graphOf([sample('c1', 'p1', 'thread_start work')]))).toEqual([]);
  });

  it('T5: what has an experiment is not added again, nor the trigger itself', () => {
    const graph = graphOf(tenSamples);
    expect(planned(graph)).toEqual(['main>solve>smooth>E', 'main>io>write']);
    expect(planned(graph, { existing: ['main', 'E'] })).toEqual(['main>io>write']);
    expect(planned(graph, { threshold: 0.8 })).toEqual([]);
  });

  it('T5: paths that share functions begin alike', () => {
    const graph = graphOf([sample('c1', 'p1', 'main a b left'), sample('c1', 'p1', 'main a b right')]);
    expect(planned(graph, { threshold: 0.4 })).toEqual(['main>a>b>left', 'main>a>b>right']);
  });

  it('T4: the samples of the trigger’s process decide', () => {
    const graph = graphOf(tenSamples);
    expect(planned(graph, { machine: ['c1', 'p1'] })).toEqual(['main>solve>smooth>E']);
    expect(planned(graph, { machine: ['c2', 'p3'] })).toEqual(['main>solve>restrict>E', 'main>io>write']);
    expect(planned(graph, { machine: ['c1', 'p1'], threshold: 0.5 })).toEqual(['main>solve>smooth']);
  });

  it('T7: a path begins at an experiment, and each function on it is new and called by the one before, in any program', () => {
    const anyStack = fc
      .array(fc.constantFrom('f', 'g', 'h', 'i', 'j'), { minLength: 1, maxLength: 6 })
      .map((rest) => sample('h', 'p', ['main', ...rest].join(' ')));
    fc.assert(
      fc.property(
        fc.array(anyStack, { minLength: 1, maxLength: 20 }),
        fc.subarray(['f', 'g', 'h']),
        (samples, existing) => {
          const graph = graphOf(samples);
          const experiments = ['main', ...existing];
          for (const path of planned(graph, { existing }).map((text) => text.split('>'))) {
            const [first, ...added] = path;
            expect(experiments).toContain(first);
            expect(added.filter((name) => experiments.includes(name))).toEqual([]);
            added.forEach((name, index) => {
              expect(graph.calleesOf(code(path[index] ?? ''))).toContain(code(name));
            });
          }
        },
      ),
    );
  });
});
