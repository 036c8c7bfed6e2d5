import { describe, expect, test } from 'vitest';
import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import { cpu, functionPath, io, smallIo, sync, values, VirtualRun } from './virtualRun';

const calls = { '': ['main'], main: ['f', 'g'], f: ['h'], g: ['h'] };
const machines = { '': ['c1', 'c2'], c1: ['c1p1'], c2: ['c2p1'] };
const quick = { minTimeToTrue: 3, minTimeToFalse: 3 };

describe('refinement', () => {
  test('P5: a true root is refined in all trees that are not pruned, each of its parts only in its own tree', () => {
    const run = new VirtualRun({
      calls,
      machines,
      objects: { '': ['Message'] },
      value: values({ '- - -': 1, 'main - -': 1, '- c1 -': 1, 'f - -': 1 }),
    });
    run.start().advance(22);
    expect(run.names).toEqual(['CPUBound - - -', 'CPUBound main - -', 'CPUBound - c1 -', 'CPUBound - c2 -']);
    run.finish();
    expect(run.found).toEqual(['CPUBound - - -', 'CPUBound main - -', 'CPUBound - c1 -', 'CPUBound f - -']);
    expect(run.names.slice(4, 7)).toEqual(['CPUBound f - -', 'CPUBound g - -', 'CPUBound - c1/c1p1 -']);
    // f goes on along the machines when h is false, and c1 along the calls when its process is.
    expect(run.names.slice(7)).toEqual(
      ['h - -', 'main c1 -', 'f c1 -', 'f c2 -'].map((place) => `CPUBound ${place}`),
    );
  });

  test('P5: where all parts are false, or there are none, a path goes on in the next tree that it has not searched', () => {
    const run = new VirtualRun({
      calls,
      machines,
      value: values({
        '- - -': 1,
        'main - -': 1,
        'f - -': 1,
        'h - -': 0.3,
        'f c2 -': 1,
        'f c2/c2p1 -': 1,
        '- c1 -': 1,
        '- c1/c1p1 -': 1,
        'main c1/c1p1 -': 1,
        'f c1/c1p1 -': 1,
      }),
    });
    run.start().finish();
    const made = run.names.map((name) => name.replace('CPUBound ', ''));
    // h is false: f goes on along the machines. c1p1 has no threads: it goes on along the calls.
    expect(made).toContain('f c2 -');
    expect(made).toContain('f c2/c2p1 -');
    expect(made).toContain('h c1/c1p1 -');
    expect(made).not.toContain('main c1 -');
    expect(made).not.toContain('f c1/c1p1/ -');
    expect(run.found).toContain('CPUBound f c1/c1p1 -');
    // A path that has searched the calls does not search them again.
    expect(made).not.toContain('h c2/c2p1 -');
  });

  test('P5: an experiment that is reached on two ways is searched on both', () => {
    const run = new VirtualRun({
      calls: { '': ['main'], main: ['f'] },
      machines: { '': ['c1'] },
      // f is hot only on c1; main first comes to c1 after its calls are exhausted.
      value: values({ '- - -': 1, 'main - -': 1, '- c1 -': 1, 'main c1 -': 1, 'f c1 -': 1 }),
    });
    run.start().finish();
    expect(run.found).toContain('CPUBound f c1 -');
    expect(run.parentsOf('CPUBound main c1 -')).toHaveLength(2);
  });

  test('P5: one node for a hypothesis at a focus; the second path to it is a shadow', () => {
    const run = new VirtualRun({ calls, value: () => 1 });
    run.start().finish();
    expect(run.names.filter((name) => name === 'CPUBound h - -')).toHaveLength(1);
    expect(run.parentsOf('CPUBound h - -')).toEqual(['where: CPUBound f - -', 'where: CPUBound g - -']);
    expect(run.enabled.filter((name) => name === 'CPUBound h - -')).toHaveLength(1);
    expect(run.parentsOf('CPUBound - - -')).toEqual(['root']);
  });

  test('P5: recursion, direct and through others, needs no special case', () => {
    const run = new VirtualRun({
      calls: { '': ['main'], main: ['main', 'f'], f: ['g'], g: ['f', 'main'] },
      value: () => 1,
    });
    run.start().finish();
    expect(run.names).toEqual(['CPUBound - - -', 'CPUBound main - -', 'CPUBound f - -', 'CPUBound g - -']);
    expect(run.parentsOf('CPUBound main - -')).toEqual(['where: CPUBound - - -', 'where: CPUBound g - -']);
    expect(run.parentsOf('CPUBound f - -')).toEqual(['where: CPUBound main - -', 'where: CPUBound g - -']);
  });

  test('P6: a call found after the caller was refined adds exactly one experiment, and one found before none but that of the refinement', () => {
    const run = new VirtualRun({ calls, value: values({ '- - -': 1, 'main - -': 1, 'late - -': 1 }) });
    const call = (caller: string, callee: string) =>
      run.send({ type: 'call', time: run.time, caller: functionPath(caller), callee: functionPath(callee) });
    run.start();
    call('main', 'early');
    call('f', 'late');
    expect(run.names).toEqual(['CPUBound - - -']);
    run.finish();
    expect(run.names).toEqual(
      ['- - -', 'main - -', 'f - -', 'g - -', 'early - -'].map((place) => `CPUBound ${place}`),
    );
    call('main', 'late');
    call('main', 'late');
    call('g', 'late');
    expect(run.names.slice(5)).toEqual(['CPUBound late - -']);
    expect(run.search.state).toBe('searching');
    run.finish();
    expect(run.found).toContain('CPUBound late - -');
  });

  test('P6: a call found while its caller is false is an experiment when the caller becomes true again', () => {
    let main = 1;
    const run = new VirtualRun({
      calls: { '': ['main'], main: ['f'] },
      value: (_, at) => (at === 'main - -' ? main : at === '- - -' ? 1 : 0),
      rules: quick,
    });
    run.start().advance(20);
    expect(run.node('CPUBound f - -').truth).toBe('false');
    main = 0;
    run.advance(20);
    expect(run.node('CPUBound main - -')).toMatchObject({ truth: 'false', activity: 'inactive' });
    run.send({ type: 'call', time: run.time, caller: functionPath('main'), callee: functionPath('late') });
    expect(run.names).not.toContain('CPUBound late - -');
    main = 1;
    run.send({ type: 'threshold', time: run.time, hypothesis: 'CPUBound', threshold: 0.2 });
    run.finish();
    expect(run.parentsOf('CPUBound late - -')).toEqual(['where: CPUBound main - -']);
  });

  test('P1: a resource that appears while the program runs is tested where its parent was refined', () => {
    const run = new VirtualRun({
      hypotheses: [sync],
      objects: { '': ['Message'], Message: ['world 1'] },
      value: values({ '- - -': 1, '- - Message': 1, '- - Message/world_2': 1 }),
    });
    run.start().finish();
    expect(run.found).toEqual(['Sync - - -', 'Sync - - Message']);
    run.send({ type: 'resource', time: run.time, tree: 'SyncObject', parent: ['Message'], name: 'world_2' });
    run.finish();
    expect(run.found).toContain('Sync - - Message/world_2');
    expect(run.parentsOf('Sync - - Message/world_2')).toEqual(['where: Sync - - Message']);
  });

  test('P3: small operations are tried only where a slow focus has no parts', () => {
    const run = new VirtualRun({
      hypotheses: [io, smallIo],
      calls: { '': ['main'], main: ['write'] },
      value: (hypothesis, at) =>
        hypothesis === 'SmallIO' ? 512 : at.startsWith('-') || at === 'main - -' ? 1 : 0.5,
    });
    run.start().finish();
    expect(run.names).toEqual(['IO - - -', 'IO main - -', 'IO write - -', 'SmallIO write - -']);
    expect(run.found).toContain('SmallIO write - -');
    expect(run.parentsOf('SmallIO write - -')).toEqual(['why: IO write - -']);
  });

  const child: Hypothesis = { ...cpu, id: 'Child', metric: 'child' };
  const orders = (expansion: Hypothesis['expansion'], entries: readonly string[] = ['main']) => {
    const run = new VirtualRun({
      hypotheses: [{ ...cpu, expansion, children: ['Child'] }, child],
      calls: { '': entries },
      value: values({ '- - -': 1 }),
    });
    run.start().advance(30);
    return run.names.slice(1);
  };
  test.each([
    ['why-and-where', ['Child - - -', 'CPUBound main - -']],
    ['where-and-why', ['CPUBound main - -', 'Child - - -']],
    ['why-before-where', ['Child - - -']],
    ['where-before-why', ['CPUBound main - -']],
    ['why-only', ['Child - - -']],
    ['where-only', ['CPUBound main - -']],
  ] as const)('P5: the policy %s', (expansion, first) => {
    expect(orders(expansion).slice(0, 2)).toEqual(first);
  });
  test('P5: the second axis is tried where the first has nothing', () => {
    expect(orders('where-before-why', [])).toEqual(['Child - - -']);
    const run = new VirtualRun({
      hypotheses: [{ ...cpu, expansion: 'why-before-where' }],
      value: values({ '- - -': 1 }),
      calls,
    });
    run.start().advance(30);
    expect(run.names).toEqual(['CPUBound - - -', 'CPUBound main - -']);
  });

  test('P3: a hypothesis without a metric is true if any of its children is, and they are all tested', () => {
    const { label, holds, threshold, pruned, expansion, advice } = cpu;
    const virtual: Hypothesis = {
      id: 'Top',
      label,
      holds,
      threshold,
      pruned,
      expansion,
      advice,
      children: ['CPUBound', 'Sync'],
    };
    const run = new VirtualRun({
      hypotheses: [virtual, cpu, sync],
      calls: { '': ['main'] },
      value: values({ 'Sync - - -': 1 }),
      rules: quick,
    });
    run.start();
    expect(run.names).toEqual(['Top - - -', 'CPUBound - - -', 'Sync - - -']);
    expect(run.node('Top - - -')).toMatchObject({ truth: 'unknown', activity: 'inactive', predictedCost: 0 });
    run.finish();
    expect(run.found).toEqual(['Top - - -', 'Sync - - -']);
    expect(run.isMeasured).toEqual(['CPUBound - - -', 'Sync - - -']);
    expect(run.names).not.toContain('Top main - -');
    run.send({ type: 'threshold', time: run.time, hypothesis: 'Sync', threshold: 2 });
    run.advance(10);
    expect(run.node('Top - - -').truth).toBe('false');
  });

  test('D2: what another process tests is a node that is reported once and not measured', () => {
    const run = new VirtualRun({
      calls,
      machines,
      value: () => 1,
      rules: quick,
      isDelegated: (_, { Machine }) => Machine.length > 0,
    });
    run.start().advance(10);
    const { delegated } = run.search.takeNews();
    expect(delegated.map((id) => run.names[id])).toEqual(['CPUBound - c1 -', 'CPUBound - c2 -']);
    run.finish();
    expect(run.enabled.filter((name) => name.includes('c1'))).toEqual([]);
    // h has no callees: it goes on along the machines.
    expect(run.search.takeNews().delegated.map((id) => run.names[id])).toEqual([
      'CPUBound h c1 -',
      'CPUBound h c2 -',
    ]);
  });

  test('D2: a delegated experiment is refined like one that was reached along its tree, and removed when it is false', () => {
    const run = new VirtualRun({ calls, machines, value: values({ '- c1 -': 1 }), rules: quick });
    const root = (hypothesis: string, host: string) =>
      run.obey(
        run.search.addRoot({
          time: run.time,
          hypothesis,
          focus: { Code: [], Machine: [host], SyncObject: [] },
          along: 'Machine',
          priority: 'where',
        }),
      );
    root('CPUBound', 'c1');
    root('CPUBound', 'c2');
    root('Nonsense', 'c1');
    run.finish();
    expect(run.names).toEqual(
      ['- c1 -', '- c2 -', '- c1/c1p1 -', 'main c1 -'].map((place) => `CPUBound ${place}`),
    );
    expect(run.isMeasured).toEqual(['CPUBound - c1 -']);
    expect(run.messages).toEqual(['The search has no hypothesis "Nonsense".']);
  });
});
