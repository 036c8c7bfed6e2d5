import { describe, expect, test } from 'vitest';
import { cpu, functionPath, sync, values, VirtualRun } from './virtualRun';

const calls = { '': ['main'], main: ['f', 'g'], f: ['h'], g: ['h'] };
const quick = { minTimeToTrue: 3, minTimeToFalse: 3 };

describe('a search while things change', () => {
  test('P9: a true child of parents that became false stays true and measured', () => {
    let caller = 1;
    const run = new VirtualRun({
      calls,
      value: (_, at) => (at === 'f - -' || at === 'g - -' ? caller : 1),
      rules: quick,
    });
    run.start().finish();
    caller = 0;
    run.advance(10);
    expect(run.node('CPUBound f - -')).toMatchObject({ truth: 'false', activity: 'inactive' });
    expect(run.node('CPUBound g - -')).toMatchObject({ truth: 'false', activity: 'inactive' });
    expect(run.node('CPUBound h - -')).toMatchObject({ truth: 'true', activity: 'active' });
    expect(run.node('CPUBound f - -').conclusions.map(({ truth }) => truth)).toEqual(['true', 'false']);
  });

  test('what became false with all that led to it is tested again when that is true again, and nothing else is', () => {
    let share = 1;
    const run = new VirtualRun({
      calls,
      value: (_, at) => (at.startsWith('g') ? 0 : share),
      rules: quick,
    });
    run.start().finish();
    share = 0;
    run.advance(20);
    expect(run.found).toEqual([]);
    share = 1;
    const before = run.enabled.length;
    run.advance(40);
    expect(run.found).toEqual(
      expect.arrayContaining(['CPUBound - - -', 'CPUBound main - -', 'CPUBound f - -', 'CPUBound h - -']),
    );
    expect(run.enabled.slice(before)).not.toContain('CPUBound g - -');
  });

  test('U4: a lower threshold tests false children of true nodes again, and nothing else', () => {
    const run = new VirtualRun({
      calls,
      value: values({ '- - -': 1, 'main - -': 0.9, 'f - -': 0.25, 'g - -': 0.1, 'h - -': 0.22 }),
      rules: quick,
    });
    run.start().finish();
    expect(run.found).toEqual(['CPUBound - - -', 'CPUBound main - -']);
    const before = run.enabled.length;
    run.send({ type: 'threshold', time: run.time, hypothesis: 'CPUBound', threshold: 0.2 });
    run.finish();
    expect(run.enabled.slice(before)).toEqual(['CPUBound f - -', 'CPUBound g - -', 'CPUBound h - -']);
    expect(run.node('CPUBound f - -')).toMatchObject({
      truth: 'true',
      threshold: 0.2,
      conclusions: [{ truth: 'false' }, { truth: 'true' }],
    });
    expect(run.node('CPUBound g - -')).toMatchObject({ truth: 'false', activity: 'inactive' });
    expect(run.node('CPUBound g - -').conclusions).toHaveLength(1);
    expect(run.search.record().hypotheses[0]?.threshold).toBe(0.2);
  });

  test('U4: with a higher threshold true nodes conclude again by themselves', () => {
    const run = new VirtualRun({
      calls,
      value: values({ '- - -': 1, 'main - -': 0.9, 'f - -': 0.4 }),
      rules: quick,
    });
    run.start().finish();
    const before = run.enabled.length;
    run.send({ type: 'threshold', time: run.time, hypothesis: 'CPUBound', threshold: 0.5 });
    run.advance(3);
    expect(run.node('CPUBound f - -')).toMatchObject({
      truth: 'false',
      threshold: 0.5,
      activity: 'inactive',
    });
    expect(run.found).toEqual(['CPUBound - - -', 'CPUBound main - -']);
    expect(run.enabled).toHaveLength(before);
  });

  test('U4: true ones that are not measured any more are tested again with a higher threshold', () => {
    const run = new VirtualRun({
      calls,
      value: values({ '- - -': 1, 'main - -': 0.9, 'f - -': 0.4, 'h - -': 0.4 }),
      cost: () => 0.15,
      rules: quick,
    });
    run.start().finish();
    const inactive = run.nodes.filter(({ truth, activity }) => truth === 'true' && activity === 'inactive');
    expect(inactive.length).toBeGreaterThan(0);
    run.send({ type: 'threshold', time: run.time, hypothesis: 'CPUBound', threshold: 0.5 });
    run.finish();
    expect(run.found).toEqual(['CPUBound - - -', 'CPUBound main - -']);
    expect(run.highestShare).toBeLessThanOrEqual(1 / 3 + 1e-9);
  });

  test('U4: for hypotheses that hold below their threshold a higher one is the easier one', () => {
    const run = new VirtualRun({
      hypotheses: [{ ...cpu, holds: 'below' }],
      calls: { '': ['main'] },
      value: values({ 'main - -': 0.4 }),
      rules: quick,
    });
    run.start().finish();
    expect(run.found).toEqual(['CPUBound - - -']);
    run.send({ type: 'threshold', time: run.time, hypothesis: 'CPUBound', threshold: 0.5 });
    run.finish();
    expect(run.found).toEqual(['CPUBound - - -', 'CPUBound main - -']);
  });

  test('U4: the same threshold and wrong ones change nothing', () => {
    const run = new VirtualRun({ calls, value: values({ '- - -': 1 }), rules: quick });
    run.start().finish();
    for (const [hypothesis, threshold] of [
      ['CPUBound', 0.3],
      ['CPUBound', NaN],
      ['Nonsense', 0.1],
    ] as const)
      run.send({ type: 'threshold', time: run.time, hypothesis, threshold });
    expect(run.search.state).toBe('complete');
    expect(run.messages).toHaveLength(2);
  });

  test('P11: a search is steady when all have concluded, and complete 30 s later', () => {
    const run = new VirtualRun({ calls, value: values({ '- - -': 1, 'main - -': 1 }) });
    run.start();
    const states: string[] = [];
    for (; run.time < 120; run.advance(1))
      if (states.at(-1) !== run.search.state) states.push(`${run.time}`, run.search.state);
    // 22 s for each of three levels.
    expect(states).toEqual(['0', 'searching', '66', 'steady', '96', 'complete']);
    expect(run.search.record()).toMatchObject({ state: 'complete', end: 120 });
  });

  test('P11: a complete search stays attached: what changes is found', () => {
    let main = 0;
    const run = new VirtualRun({
      calls,
      value: (_, at) => (at === '- - -' ? main : at === 'main - -' ? main : 0),
      rules: quick,
    });
    run.start().finish();
    expect(run.found).toEqual([]);
    main = 1;
    run.advance(3);
    expect(run.search.state).toBe('searching');
    run.finish();
    expect(run.found).toEqual(['CPUBound - - -', 'CPUBound main - -']);
  });

  test('P11: a paused search asks for nothing and concludes nothing until it is resumed', () => {
    const run = new VirtualRun({ calls, value: () => 1, rules: quick });
    run.start().advance(4);
    run.send({ type: 'pause', time: 4 });
    run.advance(40);
    expect(run.search.state).toBe('paused');
    expect(run.names).toEqual(['CPUBound - - -']);
    expect(run.found).toEqual([]);
    run.send({ type: 'resume', time: 44 });
    run.finish();
    expect(run.found).toHaveLength(5);
  });

  test('P11: when the program ends, its conclusions stay and nothing is asked any more', () => {
    const run = new VirtualRun({ calls, value: () => 1, rules: quick });
    run.start().advance(8);
    const { found } = run;
    const count = run.commands.length;
    run.send({ type: 'ended', time: 8 });
    expect(run.commands).toHaveLength(count);
    expect(run.search.state).toBe('ended');
    expect(run.found).toEqual(found);
    expect(run.nodes.every(({ activity }) => activity === 'inactive')).toBe(true);
    run.send({ type: 'sample', time: 9, experiment: 0, value: 0, start: 8, end: 9 });
    run.send({ type: 'resume', time: 9 });
    expect(run.search.record()).toMatchObject({ state: 'ended', end: 8 });
    expect(
      run.search.addRoot({
        time: 9,
        hypothesis: 'CPUBound',
        focus: { Code: [], Machine: [], SyncObject: [] },
        priority: 'why',
      }),
    ).toEqual([]);
  });

  test('P11: a search that is stopped removes all of its measurements', () => {
    const run = new VirtualRun({ calls, value: () => 1, rules: quick });
    run.start().advance(8);
    expect(run.isMeasured.length).toBeGreaterThan(0);
    run.send({ type: 'stop', time: 8 });
    expect(run.isMeasured).toEqual([]);
    expect(run.search.state).toBe('stopped');
  });

  test('D9: what a lost machine said is stale, and the search goes on without it', () => {
    const run = new VirtualRun({
      calls,
      machines: { '': ['c1', 'c2'], c1: ['p1'], c2: ['p2'] },
      value: values({ '- - -': 1, 'main - -': 1, '- c1 -': 1, '- c2 -': 1, '- c1/p1 -': 1, '- c2/p2 -': 1 }),
      rules: quick,
    });
    run.start().advance(12);
    run.send({ type: 'lost', time: 12, machine: ['c1'] });
    run.finish();
    for (const node of run.nodes) {
      const isLost = node.focus.Machine[0] === 'c1';
      expect(node.stale === true).toBe(isLost);
      if (isLost) expect(node.activity).toBe('inactive');
    }
    expect(run.node('CPUBound - c1 -').truth).toBe('true');
    // What is refined later leaves it out.
    expect(run.names).toContain('CPUBound main c2 -');
    expect(run.names).not.toContain('CPUBound main c1 -');
    run.send({ type: 'resource', time: run.time, tree: 'Machine', parent: ['c1'], name: 'p9' });
    expect(run.names).not.toContain('CPUBound - c1/p9 -');
  });

  test('P2: a flood of tags is noticed and suppressed, the search converges, and what is quiet again is refined', () => {
    const run = new VirtualRun({
      hypotheses: [sync],
      objects: { '': ['Message'] },
      value: values({ '- - -': 1, '- - Message': 1, '- - Message/tag_7': 1 }),
      rules: quick,
    });
    run.start().advance(20);
    const flood = (seconds: number) => {
      for (let tag = 0; tag < seconds * 1000; tag++)
        run.send({
          type: 'resource',
          time: run.time + tag / 1000,
          tree: 'SyncObject',
          parent: ['Message'],
          name: `tag_${tag}`,
        });
      run.time += seconds;
    };
    flood(5);
    run.advance(50);
    expect(run.nodes).toHaveLength(104);
    expect(run.messages).toEqual([
      'Ephemeral children of /SyncObject/Message are suppressed, because more than 20 appear per second. It is not refined until none has appeared for 60 s.',
    ]);
    expect(run.found).toContain('Sync - - Message/tag_7');
    run.advance(10);
    expect(run.messages.at(-1)).toBe('/SyncObject/Message is refined again.');
    run.send({ type: 'resource', time: run.time, tree: 'SyncObject', parent: ['Message'], name: 'new' });
    run.finish();
    expect(run.nodes).toHaveLength(105);
    expect(run.search.state).toBe('complete');
  });

  test('P2: what is refined while children are suppressed gets them when it is quiet', () => {
    const run = new VirtualRun({
      hypotheses: [sync],
      objects: { '': ['Message'] },
      value: () => 1,
      rules: quick,
    });
    for (let tag = 0; tag < 300; tag++)
      run.send({ type: 'resource', time: 0, tree: 'SyncObject', parent: ['Message'], name: `${tag}` });
    run.start().advance(50);
    expect(run.names).toEqual(['Sync - - -', 'Sync - - Message']);
    run.advance(20);
    expect(run.names).toHaveLength(102);
  });

  test('wrong events are ignored with a notice, which does not flood the record', () => {
    const run = new VirtualRun({ calls, value: () => 1, rules: quick });
    run.start().advance(3);
    for (const time of [2, NaN, Infinity, -1]) run.send({ type: 'ended', time });
    for (const value of [NaN, Infinity])
      run.send({ type: 'sample', time: 3, experiment: 0, value, start: 2, end: 3 });
    for (const [start, end] of [
      [3, 2],
      [2, 2],
      [-Infinity, 3],
      [2, NaN],
    ] as const)
      run.send({ type: 'sample', time: 3, experiment: 0, value: 0, start, end });
    for (const share of [-1, 2, NaN]) run.send({ type: 'cost', time: 3, share });
    expect(run.messages).toHaveLength(4 + 2 + 4 + 3);
    expect(run.messages[0]).toBe('A message of 2 s came after 3 s and was ignored.');
    for (const experiment of [-1, 99, 0.5]) {
      run.send({ type: 'accepted', time: 3, experiment });
      run.send({ type: 'sample', time: 3, experiment, value: 0, start: 2, end: 3 });
    }
    run.send({ type: 'resource', time: 3, tree: 'Machine', parent: ['nowhere'], name: 'p' });
    for (let flood = 0; flood < 100; flood++) run.send({ type: 'cost', time: 3, share: -1 });
    expect(run.messages).toHaveLength(4 + 2 + 4 + 20);
    expect(run.messages.at(-1)).toContain('left out');
    run.finish();
    expect(run.found).toHaveLength(5);
  });

  test('data that were sent twice count once, and late answers to what was removed do nothing', () => {
    const run = new VirtualRun({ calls: {}, value: () => 1, rules: quick });
    run.start().advance(3);
    for (let twice = 0; twice < 5; twice++)
      run.send({ type: 'sample', time: 3, experiment: 0, value: 1, start: 2, end: 3 });
    expect(run.node('CPUBound - - -')).toMatchObject({ truth: 'unknown', data: [2, 3] });
    const removed = new VirtualRun({ calls, value: values({ '- - -': 1 }), rules: quick });
    removed.start().finish();
    expect(removed.node('CPUBound main - -').activity).toBe('inactive');
    const { time } = removed;
    removed.send({ type: 'accepted', time, experiment: 1 });
    removed.send({ type: 'sample', time, experiment: 1, value: 1, start: time - 30, end: time });
    removed.send({ type: 'failed', time, experiment: 1, message: 'late' });
    expect(removed.node('CPUBound main - -')).toMatchObject({ truth: 'false', activity: 'inactive' });
    expect(removed.node('CPUBound main - -').problem).toBeUndefined();
  });

  test('U1: what has changed is told once', () => {
    const run = new VirtualRun({ calls, value: () => 1, rules: quick });
    run.start();
    expect(run.search.takeNews().changed.map(({ id }) => id)).toEqual([0]);
    expect(run.search.takeNews().changed).toEqual([]);
    run.advance(5);
    const { changed, refined } = run.search.takeNews();
    expect(changed.map(({ id, truth }) => [id, truth])).toEqual([
      [0, 'true'],
      [1, 'unknown'],
    ]);
    expect(refined).toEqual([{ experiment: 0, functions: [1] }]);
    run.finish();
    run.search.takeNews();
    run.send({ type: 'call', time: run.time, caller: functionPath('h'), callee: functionPath('late') });
    expect(run.search.takeNews().refined).toEqual([
      { experiment: run.node('CPUBound h - -').id, functions: [5] },
    ]);
  });
});
