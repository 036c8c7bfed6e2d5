import { describe, expect, test } from 'vitest';
import { cpu, sync, values, VirtualRun } from './virtualRun';

const children = (count: number) => Array.from({ length: count }, (_, child) => `f${child}`);
const quick = { minTimeToTrue: 3, minTimeToFalse: 3 };

describe('the limits of a search', () => {
  test('P4: a search needs 20 s of data after the first second, whose data are disturbed', () => {
    const run = new VirtualRun({ value: () => 0.32 });
    run.start().advance(21);
    // Asked for at 0 s and inserted at 1 s: the data from 2 s on count.
    expect(run.node('CPUBound - - -')).toMatchObject({
      truth: 'unknown',
      activity: 'active',
      data: [2, 21],
      value: expect.closeTo(0.32, 9) as number,
    });
    run.advance(1);
    expect(run.node('CPUBound - - -')).toMatchObject({
      truth: 'true',
      data: [2, 22],
      conclusions: [{ time: 22, truth: 'true', value: expect.closeTo(0.32, 9) as number }],
    });
  });

  test('P7: the cost limit holds with and without observed costs, and everything is tested all the same', () => {
    for (const observesCost of [true, false]) {
      const run = new VirtualRun({
        calls: { '': ['main'], main: children(40) },
        value: values({ 'f3 - -': 0 }, 1),
        cost: () => 0.06,
        rules: quick,
        observesCost,
      });
      run.start().finish();
      expect(run.nodes.every(({ truth }) => truth !== 'unknown')).toBe(true);
      expect(run.found).toHaveLength(41);
      expect(run.mostMeasured).toBe(5);
      expect(run.highestShare).toBeLessThanOrEqual(1 / 3 + 1e-9);
    }
  });

  test('P7: that the limit slows the search is noticed once, and so is that it does not any more', () => {
    const run = new VirtualRun({
      calls: { '': ['main'], main: children(20) },
      value: values({ '- - -': 1, 'main - -': 1 }),
      cost: () => 0.1,
      rules: quick,
    });
    run.start().advance(11);
    expect(run.messages).toEqual([
      'The cost limit slows the search: experiments wait, because measuring may make the program at most 1.5 times as slow.',
    ]);
    run.finish();
    expect(run.messages.slice(1)).toEqual(['The cost limit does not slow the search any more.']);
  });

  test('P7: one experiment that is too expensive by itself is skipped with a warning, the others are tested', () => {
    const run = new VirtualRun({
      calls: { '': ['main'], main: ['dear', 'cheap'] },
      value: () => 1,
      cost: (_, at) => (at.startsWith('dear') ? 0.5 : 0.01),
      rules: quick,
    });
    run.start().finish();
    expect(run.node('CPUBound dear - -')).toMatchObject({
      truth: 'unknown',
      activity: 'inactive',
      predictedCost: 0.5,
    });
    expect(run.node('CPUBound dear - -').problem).toContain('2 times as slow, and 1.5 is allowed');
    expect(run.messages).toEqual([expect.stringContaining('exceeds the limit')]);
    expect(run.found).toContain('CPUBound cheap - -');
    expect(run.search.state).toBe('complete');
  });

  test('P7: a predicted cost that is no share is none that fits', () => {
    const run = new VirtualRun({ value: () => 1, cost: () => NaN });
    run.start();
    expect(run.isMeasured).toEqual([]);
    expect(run.node('CPUBound - - -').predictedCost).toBe(1);
  });

  test('P8: what is false is not measured any more at once, what is at the top stays watched', () => {
    const run = new VirtualRun({
      hypotheses: [cpu, sync],
      calls: { '': ['main'] },
      value: values({ 'CPUBound - - -': 1 }),
      cost: () => 0.05,
    });
    run.start().advance(22);
    expect(run.isMeasured).toEqual(['CPUBound - - -', 'Sync - - -', 'CPUBound main - -']);
    expect(run.node('Sync - - -')).toMatchObject({ truth: 'false', activity: 'active' });
    run.advance(21);
    expect(run.commands.some(({ type }) => type === 'disable')).toBe(false);
    run.advance(1);
    expect(run.commands.at(-1)).toEqual({ type: 'disable', experiment: 2, time: 44 });
    expect(run.isMeasured).toEqual(['CPUBound - - -', 'Sync - - -']);
    expect(run.node('CPUBound main - -')).toMatchObject({ truth: 'false', activity: 'inactive' });
    expect(run.share).toBeCloseTo(0.1, 12);
  });

  test('P7: at most 300 experiments are active and 30 asked for, and these are set', () => {
    const run = new VirtualRun({
      calls: { '': ['main'], main: children(50) },
      value: () => 1,
      rules: { ...quick, maxActive: 7, maxPending: 4 },
    });
    run.start().advance(7);
    expect(run.commands.filter(({ time }) => time === 7)).toHaveLength(0);
    run.finish();
    expect(run.mostMeasured).toBe(7);
    for (let time = 0; time < run.time; time++)
      expect(
        run.commands.filter((command) => command.type === 'enable' && command.time === time).length,
      ).toBeLessThanOrEqual(8);
    expect(run.found).toHaveLength(52);
    const free = new VirtualRun({
      calls: { '': ['main'], main: children(400) },
      value: () => 1,
      rules: quick,
      delay: 2,
    });
    free.start().finish();
    expect(free.mostMeasured).toBe(300);
    expect(free.found).toHaveLength(402);
  });

  test('P7: experiments are served by priority, and first come, first served inside', () => {
    const run = new VirtualRun({
      hypotheses: [
        { ...cpu, children: ['Child'] },
        { ...cpu, id: 'Child', expansion: 'where-and-why' },
      ],
      calls: { '': ['main'], main: ['f', 'g'] },
      value: values({ 'CPUBound - - -': 1, 'CPUBound main - -': 1 }),
      cost: () => 0.15,
      rules: quick,
    });
    run.start().finish();
    expect(run.enabled).toEqual([
      'CPUBound - - -',
      'Child - - -',
      'CPUBound main - -',
      'Child main - -',
      'CPUBound f - -',
      'CPUBound g - -',
    ]);
  });

  test('P5: what waits and is not reached from anything true any more is not tested; it is when something is true again', () => {
    let whole = 1;
    const run = new VirtualRun({
      calls: { '': ['noise', 'main'] },
      // What never agrees with itself is undecided for ever, so that no room is made for main.
      value: (_, at, time) => (at === 'noise - -' ? time % 2 : at === '- - -' ? whole : 0),
      cost: (_, at) => (at === 'main - -' ? 0.3 : 0.02),
      rules: quick,
    });
    run.start().advance(12);
    expect(run.node('CPUBound main - -').activity).toBe('waiting');
    whole = 0.1;
    run.advance(3);
    expect(run.node('CPUBound - - -').truth).toBe('false');
    expect(run.node('CPUBound main - -')).toMatchObject({ activity: 'inactive', truth: 'unknown' });
    run.send({ type: 'threshold', time: run.time, hypothesis: 'CPUBound', threshold: 0.05 });
    run.advance(6);
    expect(run.node('CPUBound - - -').truth).toBe('true');
    expect(run.node('CPUBound main - -').activity).toBe('waiting');
    expect(run.enabled).not.toContain('CPUBound main - -');
  });

  test('P7: what is only watched gives way to all that waits at once, those first that were concluded first', () => {
    const run = new VirtualRun({
      calls: { '': ['main'], main: children(20) },
      value: () => 1,
      rules: { ...quick, maxActive: 10 },
    });
    run.start().finish();
    // Concluded level by level; of the 20 at the last one, 9 fit beside the root at a time.
    expect(run.commands.filter(({ type }) => type === 'disable').map(({ experiment }) => experiment)).toEqual(
      Array.from({ length: 12 }, (_, position) => 1 + position),
    );
    expect(run.found).toHaveLength(22);
    const ends = run.nodes.map(({ conclusions }) => conclusions[0]?.time ?? Infinity);
    expect(new Set(ends.slice(2)).size).toBe(3);
  });

  test('P7: a measurement that is refused has its reason, one that must wait is measured later, and the search goes on without both', () => {
    const run = new VirtualRun({
      calls: { '': ['main'], main: ['refused', 'running', 'f'] },
      value: () => 1,
      rules: quick,
      answer: (at) =>
        at.startsWith('refused') ? 'failed' : at.startsWith('running') ? 'deferred' : 'accepted',
    });
    run.start().finish();
    expect(run.node('CPUBound refused - -')).toMatchObject({
      activity: 'inactive',
      problem: 'It cannot be measured.',
    });
    expect(run.node('CPUBound running - -')).toMatchObject({ activity: 'deferred', truth: 'unknown' });
    expect(run.search.state).toBe('complete');
    run.send({ type: 'accepted', time: run.time, experiment: run.node('CPUBound running - -').id });
    expect(run.search.state).toBe('searching');
    run.advance(5);
    expect(run.node('CPUBound running - -').truth).toBe('true');
  });
});
