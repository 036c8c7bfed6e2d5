import type { SwitchedIterations } from '../../series/series';
import { sentenceOf } from '../../signal/words';
import type { Pattern } from '../../signal/signal';
import type { RecordedDynamics } from '../bursts/impactRecord';

export interface SwitchesOfRun {
  readonly switches: SwitchedIterations;
  /** Of the run, and of them in each value of the series. */
  readonly iterations: number;
  readonly valueLength: number;
}

/** Changes that begin or end so many values beside a switch are at it. */
const slack = 3;

/**
 * The dynamics without what happens at a switch: recording more or fewer functions costs more or less from then on, which is no change of the program. Trends that go on
 * beyond a switch stay.
 */
export function withoutSwitches(
  dynamics: RecordedDynamics,
  { switches, iterations, valueLength }: SwitchesOfRun,
): RecordedDynamics {
  if (switches.length === 0) return dynamics;
  const patterns = dynamics.patterns.filter((pattern) => !isAtSwitch(pattern, switches, slack * valueLength));
  if (patterns.length === dynamics.patterns.length) return dynamics;
  const { analysis } = dynamics;
  const sentence = sentenceOf(analysis.episodes, patterns, iterations);
  return { ...dynamics, patterns, analysis: { ...analysis, sentence } };
}

/** Both ends are: of a step at one switch, of a peak at one or at two. */
function isAtSwitch({ from, to }: Pattern, switches: SwitchedIterations, near: number): boolean {
  const isNear = (iteration: number): boolean =>
    switches.some(([first, last]) => iteration >= first - near && iteration <= last + near);
  return isNear(from) && isNear(to);
}
