import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { nextStep } from '../../../../src/core/strategies/nextStep';
import { relativeOverhead, runtimeCosts, type ProbeCosts } from '../../../../src/core/cost/overheadModel';
import type { Knowledge } from '../../../../src/core/knowledge/knowledge';
import type { Strategy } from '../../../../src/core/selection/strategy';
import { fn, graphOf } from '../selection/graphs';

/**
 * Costs of the specification's example (§13.3), a monitor that stops its counters while it works: its request is in no measured value, of
 * the own probes only the prolog of the one at the end is, and of nested ones both prologs are.
 */
function monitorCosts(prolog: number, request: number): ProbeCosts {
  return {
    prologPair: 2 * prolog,
    totalPair: 2 * (prolog + request),
    ownInside: prolog,
    nestedInside: 2 * prolog,
  };
}

/** The time of a region without the probes in it, by §13.3. */
function pureTime(
  { time, visits, nestedVisits }: { time: number; visits: number; nestedVisits: number },
  costs: ProbeCosts,
): number {
  return time - visits * costs.ownInside - nestedVisits * costs.nestedInside;
}

/** One function of a run of a second, and what is decided of it. */
function decisionOn(
  known: { visits: number; inclusiveSeconds: number; takenSeconds?: number },
  strategy: Strategy,
  threshold = 5,
) {
  const knowledge: Knowledge = {
    runs: 1,
    functions: new Map([
      [
        'f',
        {
          ...known,
          allVisits: known.visits,
          exclusiveSeconds: known.inclusiveSeconds,
          timesMeasured: 1,
          callers: new Map(),
        },
      ],
    ]),
    runSeconds: 1,
  };
  const pair = { pairSeconds: 44, insideSeconds: 4, outsideSeconds: 40 };
  const { selection } = nextStep({
    graph: graphOf([fn('main'), fn('f')], [['main', 'f']]),
    knowledge,
    pairCosts: { probe: pair, entry: pair },
    baselineSeconds: 10_000,
    options: { strategy, overheadPercent: threshold },
  });
  return selection.decisions.get('f');
}

describe('the overhead model', () => {
  it('a region with time 1000, 10 visits, 5 nested, prolog 2 and request 20 has pure time 960, total overhead 45.83 % and prolog overhead 4.17 %', () => {
    const costs = monitorCosts(2, 20);
    const pure = pureTime({ time: 1000, visits: 10, nestedVisits: 5 }, costs);
    expect(pure).toBe(960);
    const { total, prolog } = relativeOverhead(pure, 10, costs);
    expect(total).toBeCloseTo(45.833_333, 5);
    expect(prolog).toBeCloseTo(4.166_667, 5);
  });

  it('at 5 % TOR removes that region and POR keeps it', () => {
    const region = { visits: 10, inclusiveSeconds: 960 };
    expect(decisionOn(region, 'tor')).toMatchObject({
      selected: false,
      reason: { rule: 'total-overhead', value: 45.833_333_333_333_336, threshold: 5 },
    });
    expect(decisionOn(region, 'por')).toMatchObject({ selected: true, reason: { rule: 'of-interest' } });
  });

  it('where no pure time is left the overhead is infinite, and both strategies remove the region', () => {
    for (const time of [20, 40, 39.999]) {
      const costs = monitorCosts(2, 20);
      const pure = pureTime({ time, visits: 10, nestedVisits: 5 }, costs);
      expect(pure).toBeLessThanOrEqual(0);
      expect(relativeOverhead(pure, 10, costs)).toEqual({ total: Infinity, prolog: Infinity });
    }
    for (const strategy of ['tor', 'por'] as const) {
      const decision = decisionOn({ visits: 10, inclusiveSeconds: 0 }, strategy);
      expect(decision?.selected).toBe(false);
      // It comes back from a file as it went there.
      expect(JSON.parse(JSON.stringify(decision?.reason))).toEqual(decision?.reason);
      expect(explainReason(decision?.reason ?? { rule: 'entry' })).toContain(
        'nothing was seen of it but the cost',
      );
    }
  });

  it('takes exactly the threshold for not excessive, and a region that was never visited for free', () => {
    expect(relativeOverhead(0, 0, monitorCosts(2, 20))).toEqual({ total: 0, prolog: 0 });
    expect(decisionOn({ visits: 1, inclusiveSeconds: 880 }, 'tor')?.selected).toBe(true);
    expect(decisionOn({ visits: 1, inclusiveSeconds: 879 }, 'tor')?.selected).toBe(false);
  });

  it('waits with its verdict where too much may have been taken off the time for what is nested in it', () => {
    // A driver of 20 visits, of whose time in a run that recorded everything more was taken off than there was.
    const driver = { visits: 20, inclusiveSeconds: 0, takenSeconds: 1_000_000 };
    expect(decisionOn(driver, 'tor')).toMatchObject({ selected: true, reason: { rule: 'of-interest' } });
    // Nothing is nested in a small function: what was taken off is its own cost, and cannot hide how small it is.
    const small = { visits: 20_000, inclusiveSeconds: 0, takenSeconds: 20_000 * 4 };
    expect(decisionOn(small, 'tor')).toMatchObject({ selected: false, reason: { rule: 'total-overhead' } });
    expect(decisionOn(small, 'por')).toMatchObject({ selected: false, reason: { rule: 'prolog-overhead' } });
  });

  it('finds the pure time of a runtime whose clock never stops again, whatever is nested in a region', () => {
    const nanoseconds = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(
        nanoseconds,
        nanoseconds,
        fc.nat(1e6),
        fc.nat(1e6),
        nanoseconds,
        (inside, outside, own, nested, pure) => {
          const costs = runtimeCosts({
            pairSeconds: inside + outside,
            insideSeconds: inside,
            outsideSeconds: outside,
          });
          const time = pure + own * inside + nested * (inside + outside);
          expect(pureTime({ time, visits: own, nestedVisits: nested }, costs)).toBe(pure);
          const { total, prolog } = relativeOverhead(pure, own, costs);
          expect(prolog).toBeLessThanOrEqual(total);
        },
      ),
    );
  });
});
