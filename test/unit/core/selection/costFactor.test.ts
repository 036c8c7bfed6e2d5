import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costFactor, costFactorDoubt } from '../../../../src/core/cost/costScale';
import { accumulateKnowledge } from '../../../../src/core/knowledge/knowledge';
import { nextStep } from '../../../../src/core/strategies/nextStep';
import { costRatio } from '../../../../src/core/cost/pairCost';
import { costs, graphOfProgram, measure, sitesOf, type SimulatedProgram } from './simulatedProgram';

const percents = fc.double({ min: 0.1, max: 100, noNaN: true });
const factors = fc.double({ min: 0.6, max: 4, noNaN: true });

describe('what pairs cost in one run, as a factor of the calibration', () => {
  it('is what the overhead shows where that is far above its noise', () => {
    fc.assert(
      fc.property(factors, factors, (shown, assumed) => {
        const seen = { predictedPercent: 20, percent: 20 * shown, doubtPercent: 1 };
        expect(Math.abs(costFactor(assumed, seen) - shown)).toBeLessThan(0.12);
      }),
    );
  });

  it('is as doubtful as the overhead that shows it, or as what was assumed', () => {
    const seen = { predictedPercent: 20, percent: 20, doubtPercent: 0 };
    expect(costFactorDoubt(undefined, seen)).toBeLessThan(0.01);
    expect(costFactorDoubt(undefined, { ...seen, doubtPercent: 4 })).toBeCloseTo(0.1, 1);
    expect(costFactorDoubt(undefined, { ...seen, doubtPercent: 1e6 })).toBeCloseTo(0.6, 3);
    expect(costFactorDoubt(2, { ...seen, doubtPercent: 1e6 })).toBeCloseTo(0.4, 3);
  });

  it('is what was assumed where the overhead is lost in its noise', () => {
    fc.assert(
      fc.property(percents, factors, factors, (predictedPercent, shown, assumed) => {
        const seen = {
          predictedPercent,
          percent: shown * predictedPercent,
          doubtPercent: 100 * predictedPercent,
        };
        expect(costFactor(assumed, seen)).toBeCloseTo(assumed, 1);
      }),
    );
  });

  it('lies between both, and nearer to what is seen the less it is in doubt', () => {
    fc.assert(
      fc.property(percents, factors, factors, percents, (predictedPercent, shown, assumed, doubtPercent) => {
        const at = (doubt: number): number =>
          costFactor(assumed, { predictedPercent, percent: shown * predictedPercent, doubtPercent: doubt });
        const [here, surer] = [at(doubtPercent), at(doubtPercent / 2)];
        expect(here).toBeGreaterThanOrEqual(Math.min(shown, assumed) - 1e-9);
        expect(here).toBeLessThanOrEqual(Math.max(shown, assumed) + 1e-9);
        expect(Math.abs(surer - shown)).toBeLessThanOrEqual(Math.abs(here - shown) + 1e-9);
      }),
    );
  });

  it('takes the calibration for less sure than what a run before has shown', () => {
    const seen = { predictedPercent: 6, percent: 15, doubtPercent: 9 };
    expect(costFactor(undefined, seen)).toBeGreaterThan(costFactor(1, seen));
    expect(costFactor(1.83, seen)).toBeCloseTo(2.2, 1);
  });

  it('never leaves what recording can cost: something else made the run longer', () => {
    const run = { predictedPercent: 1, doubtPercent: 0 };
    expect(costFactor(undefined, { ...run, percent: 80 })).toBe(4);
    expect(costFactor(undefined, { ...run, percent: -5 })).toBe(0.6);
  });
});

it('is what the strategies that reduce the overhead of single functions predict with', () => {
  const leaf = { statements: 20, loopDepth: 0, site: 'probe' as const, calls: [] };
  const program: SimulatedProgram = {
    functions: [
      { ...leaf, name: 'main', ownSeconds: 0.5, calls: [{ callee: 1, times: 1000 }] },
      { ...leaf, name: 'kernel', ownSeconds: 1e-3 },
    ],
  };
  const [graph, sites] = [graphOfProgram(program), sitesOf(program)];
  const profile = measure(program, new Set(sites.keys()));
  const knowledge = accumulateKnowledge(undefined, profile, graph, costs, sites.keys(), sites);
  const predicted = (factor: number): number =>
    nextStep({ graph, sites, knowledge, pairCosts: costs, costFactor: factor, options: { strategy: 'tor' } })
      .prediction.overheadPercent;
  expect(predicted(1)).toBeGreaterThan(0);
  expect(predicted(2) / predicted(1)).toBeCloseTo(2, 6);
});

it('is taken for 1 where a calibration says nothing', () => {
  const nothing = { pairSeconds: 0, insideSeconds: 0, outsideSeconds: 0 };
  expect(costRatio(costs, { probe: nothing, entry: nothing })).toBe(1);
  expect(
    costRatio({ probe: nothing, entry: { ...costs.entry, pairSeconds: 2 * costs.entry.pairSeconds } }, costs),
  ).toBe(2);
});
