import { describe, expect, test } from 'vitest';
import { functionPath, values, VirtualRun, type Model } from './virtualRun';

const quick = { minTimeToTrue: 3, minTimeToFalse: 3 };
const chain = { '': ['main'], main: ['a_anneal', 'other'], a_anneal: ['a_neighbor'], a_neighbor: ['p_isvalid'], p_isvalid: ['p_makeMG'], p_makeMG: ['deep1', 'deep2'], other: ['x', 'y'] };

/** Adds a starter when main is refined to. */
function withStarter(model: Omit<Model, 'calls'>, starter = 'p_makeMG', connecting = ['a_anneal', 'a_neighbor', 'p_isvalid']) {
  const run = new VirtualRun({ calls: chain, rules: quick, ...model });
  run.start().advance(5);
  const [refined] = run.search.takeNews().refined;
  const trigger = refined?.functions[0] ?? NaN;
  run.obey(
    run.search.addStarter({ time: run.time, trigger, function: functionPath(starter), connecting: connecting.map(functionPath) }),
  );
  return run;
}

describe('deep starters', () => {
  test('T5, T7: a starter is an experiment at the place of its trigger, linked to it by real experiments', () => {
    const run = withStarter({ value: () => 1 });
    expect(run.names.slice(2)).toEqual(
      ['a_anneal', 'a_neighbor', 'p_isvalid', 'p_makeMG'].map((name) => `CPUBound ${name} - -`),
    );
    expect(run.parentsOf('CPUBound a_anneal - -')).toEqual(['connecting: CPUBound main - -']);
    expect(run.parentsOf('CPUBound p_makeMG - -')).toEqual(['deep starter: CPUBound p_isvalid - -']);
    expect(run.node('CPUBound p_makeMG - -').priority).toBe('deep starter');
    run.finish();
    expect(run.nodes.map(({ truth }) => truth)).toEqual(run.nodes.map(() => 'true'));
    // The search comes to them as well: no second node, and no second edge from the same parent.
    expect(new Set(run.names).size).toBe(run.names.length);
    expect(run.parentsOf('CPUBound p_makeMG - -')).toEqual(['deep starter: CPUBound p_isvalid - -']);
  });

  test('T6: a starter and what is refined from it are served before connections, and these before what waited for longer', () => {
    const run = withStarter({ value: () => 1, cost: () => 0.15 });
    run.finish();
    const order = run.enabled.map((name) => name.split(' ')[1]);
    expect(order.slice(0, 7)).toEqual(['-', 'main', 'p_makeMG', 'deep1', 'deep2', 'a_anneal', 'a_neighbor']);
    expect(order.indexOf('other')).toBeGreaterThan(order.indexOf('p_isvalid'));
    expect(run.node('CPUBound deep1 - -').priority).toBe('deep starter');
    expect(run.node('CPUBound x - -').priority).toBe('where');
  });

  test('T6: what is there already becomes a starter without a second node, and what was refined from it follows', () => {
    const run = new VirtualRun({ calls: chain, value: () => 1, rules: quick });
    run.start().advance(14);
    expect(run.node('CPUBound other - -').priority).toBe('where');
    const children = run.nodes.filter(({ parents: [edge] }) => edge?.node === run.node('CPUBound other - -').id);
    expect(children).toHaveLength(2);
    const before = run.names;
    run.obey(run.search.addStarter({ time: run.time, trigger: 1, function: functionPath('other'), connecting: [] }));
    expect(run.names).toEqual(before);
    expect(run.node('CPUBound other - -').priority).toBe('deep starter');
    for (const { id } of children) expect(run.search.node(id).priority).toBe('deep starter');
    expect(run.parentsOf('CPUBound other - -')).toEqual(['where: CPUBound main - -']);
  });

  test('T8: a function whose callers are all false is found through a starter, and only so', () => {
    const calls = { '': ['main'], main: ['b', 'c', 'd'], b: ['e'], c: ['e'], d: ['e'] };
    const value = values({ '- - -': 1, 'main - -': 1, 'b - -': 0.28, 'c - -': 0.28, 'd - -': 0.28, 'e - -': 0.8 });
    const without = new VirtualRun({ calls, value, rules: quick });
    without.start().finish();
    expect(without.names).not.toContain('CPUBound e - -');
    const run = new VirtualRun({ calls, value, rules: quick });
    run.start().advance(5);
    run.obey(run.search.addStarter({ time: 5, trigger: 1, function: functionPath('e'), connecting: [functionPath('b')] }));
    run.finish();
    expect(run.found).toContain('CPUBound e - -');
  });

  test('T5: a false starter costs one experiment and is not refined', () => {
    const run = withStarter({ value: values({ '- - -': 1, 'main - -': 1 }) }, 'p_makeMG', []);
    run.finish();
    expect(run.node('CPUBound p_makeMG - -')).toMatchObject({ truth: 'false', activity: 'inactive' });
    expect(run.names).not.toContain('CPUBound deep1 - -');
  });

  test('T4: at a process, the starter is tested in that process, and goes on where its trigger would', () => {
    const run = new VirtualRun({
      calls: chain,
      machines: { '': ['c1'], c1: ['p4'] },
      value: (_, at) => (at.endsWith('c1/p4 -') || at === '- - -' || at === '- c1 -' ? 1 : 0),
      rules: quick,
    });
    run.start().finish();
    const trigger = run.node('CPUBound main c1/p4 -').id;
    const before = run.search.record().nodes.length;
    expect(run.names).toContain('CPUBound p_makeMG c1/p4 -');
    run.obey(run.search.addStarter({ time: run.time, trigger, function: functionPath('new'), connecting: [] }));
    expect(run.names[before]).toBe('CPUBound new c1/p4 -');
  });

  test('a trigger that does not exist is an error of the caller', () => {
    const run = new VirtualRun({ value: () => 1 });
    expect(() => run.search.addStarter({ time: 0, trigger: 7, function: ['f'], connecting: [] })).toThrow(RangeError);
  });
});
