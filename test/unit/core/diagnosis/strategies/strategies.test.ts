import { describe, expect, test } from 'vitest';
import { dracoLike, su3Like } from '../virtual/shapes';
import { VirtualRun } from '../virtual/virtualRun';
import { hypotheses } from '../virtual/hypotheses';

const quick = { minTimeToTrue: 4, minTimeToFalse: 4, completeAfter: 6 };

describe('explore', () => {
  test.each(['centralised', 'partially distributed', 'truly distributed'] as const)('%s', (strategy) => {
    const run = new VirtualRun({ spec: su3Like(8), strategy, rules: quick, longest: 600 });
    const before = performance.now();
    const done = run.run();
    console.log(strategy, done, run.time, run.frontEnd.state, performance.now() - before, run.sent, run.received, run.largestCost, run.sentBytes, run.frontEnd.folded.entries.size);
    console.log(run.frontEnd.record?.nodes.length, run.frontEnd.record?.notices, run.agents[0]!.record?.nodes.length, run.agents[0]!.record?.notices);
    expect(hypotheses.length).toBe(4);
  });
  test('draco', () => {
    const run = new VirtualRun({ spec: dracoLike(), strategy: 'centralised' });
    run.run();
    const { record } = run.frontEnd;
    console.log(run.time, record?.nodes.length, record?.nodes.filter((n) => n.truth === 'true').length);
    for (const h of hypotheses.slice(0,3)) console.log(run.program.trueFunctions(h).length);
  });
});
