import { describe, expect, it } from 'vitest';
import type { CallGraph, CallGraphFunction } from '../../../../src/core/callgraph/callGraph';
import { unseenSource } from '../../../../src/core/callgraph/callGraph';
import { nextSelection } from '../../../../src/core/strategies/nextSelection';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { withOutsideCalls } from '../../../../src/core/callgraph/outsideCalls';

/** `main → own`; `plug → part`; `ring → back → ring`; a function of the system, one that is not linked, a tiny one: all without a caller. */
const calls: Readonly<Record<string, readonly string[]>> = {
  main: ['own'],
  own: [],
  part: [],
  plug: ['part', 'plug'],
  ring: ['back'],
  back: ['ring'],
  system: [],
  discarded: [],
  tiny: [],
};
const names = Object.keys(calls);
const graph: CallGraph = {
  functions: names.map((name): CallGraphFunction => ({
    ...unseenSource,
    key: name,
    name,
    statements: name === 'tiny' ? 2 : 20,
    isSystem: name === 'system',
  })),
  edges: names.map((name) =>
    (calls[name] ?? [])
      .map((callee) => ({ callee: names.indexOf(callee), kind: 'direct' as const }))
      .sort((a, b) => a.callee - b.callee),
  ),
  entry: 0,
};
const whole = withOutsideCalls(graph, (position) => names[position] !== 'discarded');

describe('functions that nothing known calls', () => {
  it('are called from outside: those without a caller, and one of a cycle', () => {
    const outside = whole.edges[0]
      ?.filter(({ kind }) => kind === 'outside')
      .map(({ callee }) => names[callee]);
    expect(outside).toEqual(['plug', 'ring', 'tiny']);
    expect(whole.edges.slice(1)).toEqual(graph.edges.slice(1));
  });

  it('are recorded once; what is tiny waits until something hot leads to it', () => {
    const sites = new Map(
      names.filter((name) => name !== 'discarded').map((name) => [name, 'probe'] as const),
    );
    const { decisions } = nextSelection({ graph: whole, sites }).selection;
    const rules = names.map((name) => `${name} ${decisions.get(name)?.reason.rule ?? ''}`);
    expect(rules).toEqual([
      'main entry',
      'own too-small',
      'part too-small',
      'plug outside',
      'ring outside',
      'back statements',
      'system unreachable',
      'discarded no-site',
      'tiny too-small',
    ]);
    expect(decisions.get('plug')?.selected).toBe(true);
    expect(explainReason(decisions.get('plug')?.reason ?? { rule: 'entry' })).toMatch(
      /^in: no caller is known/,
    );
  });

  it('need nothing where all is reached', () => {
    const reached = {
      ...graph,
      edges: [names.map((_, callee) => ({ callee, kind: 'direct' as const })), ...graph.edges.slice(1)],
    };
    expect(withOutsideCalls(reached, () => true)).toBe(reached);
  });
});
