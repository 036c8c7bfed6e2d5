import { at, atFloat } from '../../at';
import { analyseByLikelihood } from '../../detect/detectedSeries';
import type { Burst, SeriesRegion } from '../../series/series';
import { shareOf } from '../../rules/share';
import type { StaticRuleDefinition } from '../../rules/rule';
import { medianOf } from '../../transforms/median';
import type { DynamicsOptions } from '../model/options';
import type { Found } from './makeRows';
import { intervalWords } from './toProperties';

/** Intervals that are named. */
const most = 64;

interface Alone {
  readonly from: number;
  readonly to: number;
  readonly excess: number;
}

interface Repetition {
  /** Time of the phase, and what of it is above the least of all repetitions, in each iteration. */
  time: number;
  above: number;
  /** Where it alone took longer. */
  alone: Alone[];
}

/** What only one of several repetitions of an experiment shows: noise of the machine. */
export class MachineNoise {
  private region: SeriesRegion | undefined;
  private ranks: readonly number[] = [];
  private repetitions: readonly Repetition[] = [];

  add({ first, length, series, repetitions: times = [] }: Burst): void {
    if (times.length < 2) return;
    if (this.repetitions.length === 0) {
      this.region = series.find(({ context }) => context.region.kind === 'phase')?.context.region;
      this.ranks = [...new Set(series.map(({ context }) => context.rank))];
      this.repetitions = times.map(() => ({ time: 0, above: 0, alone: [] }));
    }
    const least = leastOf(times, length);
    const level = medianOf(least, 0, length);
    for (const [position, own] of times.entries()) {
      const repetition = at(this.repetitions, position);
      const others = leastOf(
        times.filter((_, other) => other !== position),
        length,
        Math.max,
      );
      const series = new Float64Array(length);
      for (let i = 0; i < length; i++) {
        const time = atFloat(own, i);
        repetition.time += time;
        repetition.above += time - atFloat(least, i);
        series[i] = level + Math.max(0, time - atFloat(others, i));
      }
      for (const { from, to, excess } of analyseByLikelihood(series).patterns)
        repetition.alone.push({ from: first + from, to: first + to, excess });
      repetition.alone.sort((a, b) => b.excess - a.excess).splice(most);
    }
  }

  /** One static property for each repetition with noise above the threshold of time. */
  found(phase: string, { thresholdTime }: DynamicsOptions): readonly Found[] {
    const region = this.region ?? { name: phase, kind: 'phase' };
    return this.repetitions.flatMap(({ time, above, alone }, position) => {
      const severity = shareOf(above, time);
      if (severity <= thresholdTime) return [];
      const cost = alone.reduce((sum, { excess }) => sum + excess, 0);
      const places = 2 * cost < above ? [] : [...alone].sort((a, b) => a.from - b.from);
      return {
        rule: ruleOf(position + 1, places),
        context: { region, metric: `noise of repetition ${position + 1}`, rank: 0, thread: 0 },
        ranks: this.ranks,
        ...{ severity, confidence: 1, phaseTime: time, mostCost: above, dynamics: [] },
      };
    });
  }
}

function leastOf(
  times: readonly Float64Array[],
  length: number,
  choose: (a: number, b: number) => number = Math.min,
): Float64Array {
  const chosen = at(times, 0).slice(0, length);
  for (const values of times)
    for (let i = 0; i < length; i++) chosen[i] = choose(atFloat(chosen, i), atFloat(values, i));
  return chosen;
}

/** @param places where most of it is, if anywhere */
function ruleOf(repetition: number, places: readonly Alone[]): StaticRuleDefinition {
  const where = intervalWords(places.map(({ from, to }) => [from + 1, to + 1]));
  return {
    id: 'machine-noise',
    level: 'static',
    title: `Noise of the machine in repetition ${repetition}${where === '' ? '' : `, most in ${where}`}`,
    kind: 'machine-noise',
    condition: 'severity > thresholdTime',
    severity: 'severity',
  };
}
