import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { functionMeasures } from '../../../../src/core/functions/functionMeasures';
import { profileFunctions } from '../../../../src/core/problems/profileFunctions';
import { makeContext, type PropertyInput } from '../../../../src/core/problems/context/makeContext';
import { panelProfile, type PanelProfile } from '../../../../src/workflows/opened/panelProfile';
import { numberColumns, tableSource } from '../../../../webview/hotSpots/data/columns';
import { Model } from '../../../../webview/hotSpots/data/model';
import type { ProfileHeader } from '../../../../src/core/views/profilePieces';
import { randomRun, type RandomRun } from '../../core/functions/randomRuns';

/** What the engine sends of a profile, as the page has it when all pieces have come. */
function loaded({ profile, columns, base }: PanelProfile) {
  const header: ProfileHeader = {
    id: 'p',
    title: 'p',
    callPaths: profile.callPaths.count,
    regions: profile.regions.length,
    metrics: columns,
    locations: profile.locations,
    pairSeconds: 0,
    pairAssumed: false,
    runSeconds: 1,
    ...(base === undefined ? {} : { base }),
  };
  return {
    header,
    regions: profile.regions.map(({ name }) => ({ name })),
    parent: profile.callPaths.parent,
    region: profile.callPaths.region,
    inclusive: columns.map(({ inclusive }) => inclusive),
    exclusive: columns.map(({ exclusive }) => exclusive),
  };
}

const inputOf = ({ profile, keys }: RandomRun, perVisit: number): PropertyInput => {
  const cost = { pairSeconds: perVisit, insideSeconds: perVisit / 2, outsideSeconds: perVisit / 2 };
  return {
    profile,
    keys,
    run: 'i2.r1',
    calibration: { probe: cost, entry: cost },
    sites: new Map(keys.map((key) => [key, 'probe'])),
  };
};
const inputs = fc
  .tuple(randomRun, fc.double({ min: 0, max: 1e-3, noNaN: true }))
  .map(([run, perVisit]) => inputOf(run, perVisit));

describe('the hot-spot panel', () => {
  it('has the numbers of the command line and of lenses: times, waiting, visits and shares of any run', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const panel = panelProfile(input);
        const context = makeContext(input);
        const model = new Model(loaded(panel));
        const time = model.usualMetric;
        const { main } = model.functions(time);
        const waiting = model.metricNamed('waiting_time');
        expect(panel.base).toEqual(context.base);
        expect(model.total(time)).toBeCloseTo(context.base.seconds, 9);
        const measures = functionMeasures(context);
        for (const one of profileFunctions(context)) {
          const row = context.keys.indexOf(one.key);
          expect(main.inclusive[row]).toBeCloseTo(one.inclusiveSeconds, 9);
          expect(main.exclusive[row]).toBeCloseTo(one.exclusiveSeconds, 9);
          expect(main.visits[row]).toBe(one.visits);
          const share = model.total(time) > 0 ? (main.inclusive[row] ?? 0) / model.total(time) : 0;
          expect(share).toBeCloseTo(one.inclusiveShare, 9);
          if (one.visits > 0) expect(share).toBeCloseTo(measures.get(one.key)?.inclusive ?? NaN, 9);
          if (one.waiting === undefined) continue;
          expect(model.functions(waiting ?? -1).main.inclusive[row]).toBeCloseTo(
            one.waiting.inclusiveSeconds,
            9,
          );
        }
      }),
    );
  });

  it('spreads the same time over threads', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { profile, columns } = panelProfile(input);
        for (const { inclusive, exclusive, at, name } of columns) {
          if (name === 'min_time') continue;
          for (let path = 0; path < profile.callPaths.count; path++) {
            const sum = (values: ArrayLike<number> = []): number =>
              Array.from(values).reduce((all, one) => all + one, 0);
            expect(sum(at(path)?.inclusive)).toBeCloseTo(inclusive[path] ?? NaN, 9);
            expect(sum(at(path)?.exclusive)).toBeCloseTo(exclusive[path] ?? NaN, 9);
          }
          expect(at(profile.callPaths.count)).toBeUndefined();
        }
      }),
    );
  });

  it('shows computing time first, waiting beside it, and the time as it was measured when it is asked for', () => {
    const cases = inputs.filter(({ profile }) => profile.stored.has('waiting_time'));
    fc.assert(
      fc.property(cases, (input) => {
        const panel = panelProfile(input);
        const opened = { panel: 'p', main: loaded(panel).header, comparable: [], moved: [], compared: -1 };
        const model = new Model(loaded(panel));
        const titles = (metric: number): readonly string[] =>
          numberColumns(tableSource(model, opened, metric, (one) => model.functions(one), 'auto')).map(
            ({ title }) => title,
          );
        expect(panel.columns[model.usualMetric]?.displayName).toBe('Computing Time');
        expect(titles(model.usualMetric)).toContain('Waiting');
        const measured = model.metricNamed('measured_time');
        expect(measured === undefined).toBe(panel.base?.leftOut.length === 0);
        if (measured !== undefined) expect(titles(measured)).not.toContain('Waiting');
      }),
    );
  });
});
