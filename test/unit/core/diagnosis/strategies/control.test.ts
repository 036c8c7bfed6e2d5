import { describe, expect, test } from 'vitest';
import type { Folding } from '../../../../../src/core/diagnosis/folding/folding';
import type { LiveStrategy } from '../../../../../src/core/diagnosis/strategies/messages';
import { su3Like } from '../virtual/shapes';
import { smallProgram } from '../virtual/smallProgram';
import { VirtualRun } from '../virtual/virtualRun';

const rules = { minTimeToTrue: 4, minTimeToFalse: 4, completeAfter: 5 };
const strategies: readonly LiveStrategy[] = ['centralised', 'partially distributed', 'truly distributed'];

/** Truths of a hypothesis at a function in processes. */
function truthsAt({ entries }: Folding, hypothesis: string, fn: string): ReadonlySet<string | undefined> {
  const paths = [...entries.values()].map(({ path }) => path);
  return new Set(
    paths
      .filter((path) => path[0]?.label === hypothesis && path.some(({ level }) => level === 'process'))
      .flatMap((path) => (path.at(-1)?.label.endsWith(`/${fn}`) === true ? [path.at(-1)?.truth] : [])),
  );
}

describe('while a search runs', () => {
  test.each(strategies)(
    'U4: a threshold that is lowered is tested again everywhere in a %s search',
    (strategy) => {
      let isLowered = false;
      const run = new VirtualRun({
        spec: smallProgram(2),
        strategy,
        rules,
        samplingInterval: 1,
        script: ({ frontEnd }, time) => {
          if (isLowered || !truthsAt(frontEnd.folded, 'CPUBound', 'restrict').has('false')) return;
          isLowered = true;
          frontEnd.control(time, { type: 'threshold', hypothesis: 'CPUBound', threshold: 0.1 });
        },
      });
      expect([run.run(), isLowered]).toEqual([true, true]);
      expect(truthsAt(run.frontEnd.folded, 'CPUBound', 'restrict')).toEqual(new Set(['true']));
    },
  );

  test.each(strategies)('P11: a %s search that is paused goes on where it was', (strategy) => {
    const run = new VirtualRun({
      spec: smallProgram(2),
      strategy,
      rules,
      samplingInterval: 1,
      script: ({ frontEnd }, time) => {
        if (time === 10) frontEnd.control(time, { type: 'pause' });
        if (time === 60) frontEnd.control(time, { type: 'resume' });
      },
    });
    const undisturbed = new VirtualRun({ spec: smallProgram(2), strategy, rules, samplingInterval: 1 });
    expect([run.run(), undisturbed.run()]).toEqual([true, true]);
    expect(run.time).toBeGreaterThan(undisturbed.time + 40);
    expect(truthsAt(run.frontEnd.folded, 'CPUBound', 'restrict')).toEqual(
      truthsAt(undisturbed.frontEnd.folded, 'CPUBound', 'restrict'),
    );
  });

  test.each(strategies)(
    'T8: Deep Start finds a hot function in a %s search that no hot function calls',
    (strategy) => {
      const [without, withStacks] = [undefined, 0.2].map((deepStart) => {
        const run = new VirtualRun({
          spec: su3Like(8),
          strategy,
          rules: { ...rules, maxActive: 2000 },
          samplingInterval: 1,
          ...(deepStart !== undefined && { deepStart }),
        });
        expect(run.run()).toBe(true);
        return [run.frontEnd, ...run.agents]
          .flatMap(({ record }) => record?.nodes ?? [])
          .filter(({ focus, truth }) => focus.Code[1] === 'mult_su3_nn' && truth === 'true');
      });
      expect(without).toEqual([]);
      expect(new Set(withStacks!.map(({ hypothesis }) => hypothesis))).toEqual(new Set(['CPUBound']));
    },
  );
});
