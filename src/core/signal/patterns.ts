/** Converts internal results to the units of the signal: the public form of the analysis. */
import { atFloat } from '../at';
import type { LetteredPart } from './episodes';
import type { Peak } from './peaks';
import { inMeasure, rawSum, type PreparedSignal } from './prepare';
import type { Episode, Pattern } from './signal';
import type { Trend } from './trends';
import { towards, type Direction } from './fits/direction';

export function episodeOf({ letter, from, to, stability }: LetteredPart, signal: PreparedSignal): Episode {
  return { letter, from, to, sum: rawSum(signal, from, to), stability };
}

/** `direction` -1: a valley. */
export function patternOfPeak(peak: Peak, signal: PreparedSignal, direction: Direction = 1): Pattern {
  const { from, to, at, base, excess, stability } = peak;
  const height = atFloat(signal.values, at);
  return {
    type: 'peak',
    ...(direction === -1 ? { improvement: true } : {}),
    from,
    to,
    at,
    levels: [levelOf(signal, towards(base, direction)), levelOf(signal, height)],
    sum: rawSum(signal, from, to),
    excess: inMeasure(signal.unit, excess),
    aftermath: 0,
    confidence: 1,
    stability,
  };
}

/** `direction` -1: a falling run or a step down. */
export function patternOfTrend(trend: Trend, signal: PreparedSignal, direction: Direction = 1): Pattern {
  const { type, from, to, core, low, high, fit, excess, aftermath, stability } = trend;
  return {
    type,
    ...(direction === -1 ? { improvement: true } : {}),
    from,
    to,
    core,
    levels: [levelOf(signal, towards(low, direction)), levelOf(signal, towards(high, direction))],
    sum: rawSum(signal, from, to),
    excess: inMeasure(signal.unit, excess),
    aftermath: inMeasure(signal.unit, aftermath),
    confidence: fit,
    stability,
  };
}

function levelOf({ unit, offset }: PreparedSignal, value: number): number {
  return inMeasure(unit, value + offset);
}
